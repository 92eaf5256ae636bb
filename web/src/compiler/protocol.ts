// The messages between the page and its compiler worker. Every request carries an id that its one answer repeats.

import type {
	CompileRequest, CompileResult, EmulatorProgram, ExecutionResult, Goal, IntrinsicInfo, KnobInfo, LaunchOptions, Loaded, MemoryPlace, OpcodeInfo, PassInfo,
	Progress, Register, RunResult, WarpState,
} from '@ptxscope/core';
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

/** What of a machine that stands still is wanted along with the answer. */
export interface Wanted {
	registers?: { block: number; warp: number; path?: number };
	memory?: MemoryPlace;
	/** Buffers, counts and profile. */
	result?: boolean;
}

export type DebugQuestion =
	| { do: 'start'; program: EmulatorProgram; launch: string; options: LaunchOptions }
	/** From the buffers' first contents. */
	| { do: 'restart'; launch: string; options: LaunchOptions }
	| { do: 'step'; goal: Goal; budget: number }
	| { do: 'resume'; budget: number }
	| { do: 'look' };

export interface Snapshot {
	/** Of a start. */
	loaded?: Loaded;
	/** Why it could not start. */
	error?: string;
	progress: Progress | null;
	warps: WarpState[];
	registers: Register[] | null;
	memory: Uint8Array | null;
	result: ExecutionResult | null;
}

/** What one worker can be asked; `command` is any command line on files in memory. */
export type Question =
	| { kind: 'compile'; request: CompileRequest }
	| { kind: 'command'; argv: string[]; files: Record<string, string | Uint8Array> }
	| { kind: 'debug'; question: DebugQuestion; wanted: Wanted };

export interface Answers {
	compile: Compiled;
	command: RunResult;
	debug: Snapshot;
}

export type ToWorker = { id: number } & ({ kind: 'load'; module: WebAssembly.Module | string; life: string } | Question);

export type FromWorker =
	/** `life` names the lock that the worker holds while it lives, where there are locks. */
	| { kind: 'loaded'; id: number; about: About; module: WebAssembly.Module; life?: string }
	| { kind: 'done'; id: number; answer: Answers[keyof Answers]; heapBytes: number }
	| { kind: 'failed'; id: number; trapped: boolean; message: string };
