/** CUDA C++ to LLVM IR. Lines and columns count from 1, columns in bytes of UTF-8; 0: there is none. */

import type { Compiler, Diagnostic } from '@ptxscope/core';

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
	/** The library of whole programs, which a source with a main is compiled with. */
	addKit(files: Readonly<Record<string, Uint8Array>>): void;
	readonly hasKit: boolean;
	/** A whole program, for runProgram; needs the kit. Rejects as compile does. */
	compileProgram(request: Omit<CudaRequest, 'lines'>): Promise<Program>;
}

/** A compiled program: a source with a main. It can be posted to workers. */
export interface Program {
	/** 0, or 1: it has errors, and nothing to run. */
	status: 0 | 1;
	name: string;
	target: string;
	level: number;
	/** Its host code. */
	module: WebAssembly.Module | null;
	/** Its kernels, with 32-bit pointers. */
	ir: string;
	/** As in CudaResult. */
	lines: number[];
	diagnostics: CudaDiagnostic[];
	stderr: string;
}

export interface ProgramOptions {
	/** What main gets behind the program's name. */
	args?: readonly string[];
	/** Standard input. */
	input?: Uint8Array;
	/** 1 standard output, 2 standard error. The bytes are the callee's. */
	print(stream: 1 | 2, bytes: Uint8Array<ArrayBuffer>): void;
	/** Asked every million warp instructions of a kernel, with how many it has run: false ends it (cudaErrorLaunchTimeout). */
	budget?(steps: number): boolean;
}

export interface ProgramLaunch {
	/** As the source calls it. */
	kernel: string;
	grid: [number, number, number];
	block: [number, number, number];
	/** Warp instructions. */
	steps: number;
}

export interface ProgramFault {
	kernel: string;
	kind: string;
	/** Of the source; 0: none. */
	line: number;
	thread?: [number, number, number];
	block?: [number, number, number];
	message: string;
	/** All of it in one line. */
	text: string;
}

export interface ProgramRun {
	/** What main returned, or exit was given; 134: it ended itself, 139: host code accessed memory that is not its own. */
	status: number;
	launches: ProgramLaunch[];
	faults: ProgramFault[];
	/** Time that passed for the program, by the model of timeline.js. */
	ms: number;
}

export declare function runProgram(compiler: Compiler, program: Program, options: ProgramOptions): Promise<ProgramRun>;

/** Does the source have a main? */
export declare function hasMain(source: string): boolean;
/** What the source calls a function, out of its name in the IR. */
export declare function sourceName(mangled: string): string;

/** What a comment says of an argument: nothing, a number, or a buffer. */
export interface ProposedArgument {
	value?: number;
	/** Of a buffer: its name, or the type of its elements (`f32`). */
	name?: string;
	type?: string;
	count?: number;
	/** As launch files have it. */
	init?: { kind: string; [field: string]: unknown };
}
/** A launch in a comment: `// saxpy<<<4, 256>>>(1000, 2.5f, x[1000] = 0.., y[1000] = 1)` (source.js says how). */
export interface ProposedLaunch {
	line: number;
	kernel: string;
	grid: [number, number, number];
	block: [number, number, number];
	sharedBytes: number;
	args: ProposedArgument[];
}
export declare function readLaunches(source: string): (ProposedLaunch | { line: number; kernel: string; message: string })[];

/** Of the archive in clang's package the files that programs need, as addKit takes them. */
export declare function kitFiles(entries: Iterable<[string, Uint8Array]>): Record<string, Uint8Array>;
/** The files of a tar archive. */
export declare function readTar(bytes: Uint8Array): Iterable<[string, Uint8Array]>;

/** In Node: clang's module and the headers from the packages, and for `programs` the library. */
export declare function load(options?: { programs?: boolean }): Promise<CudaCompiler>;
/** In Node: the path of clang's module. */
export declare const clangModule: string;
export declare function readHeaders(folder?: string): Promise<Record<string, string>>;
export declare function clangArguments(request: Omit<CudaRequest, 'source'>): string[];
export declare function readDiagnostics(stderr: string, name: string, headers?: readonly string[]): CudaDiagnostic[];
/** In Node: the library, and the same as one archive that a page may fetch. */
export declare function readKit(): Promise<Record<string, Uint8Array>>;
export declare function packKit(): Promise<Uint8Array>;
