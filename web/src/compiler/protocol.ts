// The messages between the page and its compiler worker. Every request carries an id that its one answer repeats.

import type { CompileRequest, CompileResult, IntrinsicInfo, KnobInfo, OpcodeInfo, PassInfo } from '@ptxscope/core';
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
	heapBytes: number;
}

export type ToWorker =
	| { kind: 'load'; id: number; module: WebAssembly.Module | string }
	| { kind: 'compile'; id: number; request: CompileRequest };

export type FromWorker =
	| { kind: 'loaded'; id: number; about: About; module: WebAssembly.Module }
	| { kind: 'compiled'; id: number; result: Compiled }
	| { kind: 'failed'; id: number; trapped: boolean; message: string };
