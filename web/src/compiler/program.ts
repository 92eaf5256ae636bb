// The worker in which a whole program runs: its host code and the emulator, one after the other in one thread. It is ended by ending it.

import { load } from '@ptxscope/core';
import { runProgram, type Program, type ProgramRun } from '@ptxscope/cuda';

export interface ToProgram {
	/** ptxscope's, or where it is. */
	compiler: WebAssembly.Module | string;
	program: Program;
	args: string[];
}

export type FromProgram =
	/** 1: standard output, 2: standard error. */
	| { kind: 'printed'; stream: 1 | 2; bytes: Uint8Array<ArrayBuffer> }
	| { kind: 'ended'; result: ProgramRun }
	| { kind: 'failed'; message: string };

const answer = (message: FromProgram) => postMessage(message);

addEventListener('message', ({ data: { compiler, program, args } }: MessageEvent<ToProgram>) => {
	load(compiler)
		.then((core) => runProgram(core, program, { args, print: (stream, bytes) => answer({ kind: 'printed', stream, bytes }) }))
		.then((result) => answer({ kind: 'ended', result }))
		.catch((error: unknown) => answer({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }));
});
