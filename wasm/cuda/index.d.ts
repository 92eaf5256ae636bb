/** CUDA C++ to LLVM IR. Lines and columns count from 1, columns in bytes of UTF-8; 0: there is none. */

import type { Diagnostic } from '@ptxscope/core';

export interface CudaRequest {
	source: string;
	/** The name that messages give the source (default `input.cu`). */
	name?: string;
	/** `sm_75` if absent. */
	target?: string;
	/** clang's -O; 3 if absent. */
	level?: 0 | 1 | 2 | 3;
	/** Macros. */
	defines?: Readonly<Record<string, string>>;
	/** Folders of `files` to look for includes in. */
	folders?: readonly string[];
	/** What the source may include besides our headers, by path. */
	files?: Readonly<Record<string, string>>;
	/** Ask for `lines` of the result. */
	lines?: boolean;
}

/** A piece of the source that clang proposes to replace. */
export interface Fix {
	line: number;
	col: number;
	endLine: number;
	endCol: number;
	text: string;
}

export interface CudaDiagnostic extends Diagnostic {
	fixes?: Fix[];
}

export interface CudaResult {
	/** 0, or 1: the source has errors. */
	status: 0 | 1;
	/** Empty where the source has errors. */
	ir: string;
	/** For each line of `ir` the line of the source that it comes from, or 0; empty where nobody asked. */
	lines: number[];
	diagnostics: CudaDiagnostic[];
	/** The same as clang prints it. */
	stderr: string;
}

export declare class CudaCompiler {
	/** clang's module; the texts of include/ by path. */
	constructor(module: WebAssembly.Module, headers: Readonly<Record<string, string>>);
	/** Rejects with a WebAssembly.RuntimeError where clang itself fails; the compiler can be used further. */
	compile(request: CudaRequest): Promise<CudaResult>;
}

/** In Node: clang's module and the headers from the packages. */
export declare function load(): Promise<CudaCompiler>;
/** In Node: the path of clang's module. */
export declare const clangModule: string;
export declare function readHeaders(folder?: string): Promise<Record<string, string>>;
export declare function clangArguments(request: Omit<CudaRequest, 'source'>): string[];
export declare function readDiagnostics(stderr: string, name: string, headers?: readonly string[]): CudaDiagnostic[];
