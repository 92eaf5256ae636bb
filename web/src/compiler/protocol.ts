// The messages between the page and its compiler worker. Every request carries an id that its one answer repeats.

import type { CompileRequest, CompileResult, IntrinsicInfo, KnobInfo, OpcodeInfo, PassInfo, RunResult } from '@ptxscope/core';
import type { Change } from './diff';

/** What the compiler can do; asked once per worker. */
export interface About {
	version: string;
	passes: PassInfo[];
	knobs: KnobInfo[];
	opcodes: OpcodeInfo[];
	intrinsics: IntrinsicInfo[];
}

export interface Compiled {
	trace: CompileResult;
	/** By index of `trace.passes`: how that run changed its function's text; null where it did not. */
	changes: (Change | null)[];
	ms: number;
}

/** What one worker can be asked; `command` is any command line on files in memory. */
export type Question =
	| { kind: 'compile'; request: CompileRequest }
	| { kind: 'command'; argv: string[]; files: Record<string, string> };

export interface Answers {
	compile: Compiled;
	command: RunResult;
}

export type ToWorker = { id: number } & ({ kind: 'load'; module: WebAssembly.Module | string } | Question);

export type FromWorker =
	| { kind: 'loaded'; id: number; about: About; module: WebAssembly.Module }
	| { kind: 'done'; id: number; answer: Answers[keyof Answers]; heapBytes: number }
	| { kind: 'failed'; id: number; trapped: boolean; message: string };
