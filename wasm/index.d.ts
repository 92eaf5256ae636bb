/** The typed face of ptxscope.wasm. The JSON shapes are those of the command line (`--trace`, `passes --json`, …). */

export type KnobValue = boolean | number | string;

/** What to compile, and how. Everything but `source` has the command line's default. */
export interface CompileRequest {
	/** Textual LLVM IR, or ptxscope's MIR. */
	source: string;
	/** The name that diagnostics and dumps give the input (default `input.ll`). */
	name?: string;
	/** `sm_90`, `sm_100a`, … */
	target?: string;
	/** PTX ISA version as `ptx85`; the lowest one that has the target if absent. */
	ptx?: string;
	level?: 0 | 1 | 2 | 3;
	/** Knobs that differ from their defaults, by name. */
	knobs?: Readonly<Record<string, KnobValue>>;
	/** Run only the first N skippable passes. */
	bisect?: number;
}

export interface Diagnostic {
	severity: 'error' | 'warning' | 'note' | 'remark';
	/** 1-based; 0 where the diagnostic has no place. */
	line: number;
	col: number;
	endLine: number;
	endCol: number;
	code: string;
	message: string;
	hint?: string | null;
}

export interface Pressure {
	pred: number;
	r16: number;
	r32: number;
	r64: number;
	f32: number;
	f64: number;
}

export type Level = 'ir' | 'dag' | 'mir' | 'emit';

/** One run of one pass over one function (or, with an empty `function`, over the module). The first, `input`, is the input as it
 * was read. */
export interface PassRun {
	i: number;
	id: string;
	function: string;
	changed: boolean;
	ms: number;
	insts: number;
	pressure?: Pressure | null;
	/** Index into `texts`: what the pass left behind. */
	text: number | null;
	/** For every line of that text, the 1-based input line it came from, or 0. */
	lines?: number[];
	level?: Level;
}

export interface Remark {
	pass: string;
	function: string;
	line: number;
	kind: 'passed' | 'missed' | 'analysis';
	message: string;
}

export interface Trace {
	version: number;
	target: string;
	passes: PassRun[];
	texts: string[];
	/** Empty where the input has errors. */
	ptx: string;
	ptxLines: number[];
	diagnostics: Diagnostic[];
	remarks: Remark[];
}

export interface CompileResult extends Trace {
	/** The command line's exit status: 0 done, 1 the input is at fault, 2 usage, 3 internal error. */
	status: 0 | 1 | 2 | 3;
	stderr: string;
}

export interface PassInfo {
	id: string;
	title: string;
	level: Level | 'analysis';
	group: string;
	nvidia: boolean;
	gates: string[];
	at: { O0: boolean; O1: boolean; O2: boolean; O3: boolean };
	summary: string;
}

export interface KnobInfo {
	name: string;
	type: 'bool' | 'int' | 'enum' | 'string' | 'list';
	default: KnobValue | null;
	min?: number | null;
	max?: number | null;
	values?: string[];
	group: string;
	passes: string[];
	kind: 'exact' | 'quality' | 'debug';
	summary: string;
}

export interface OpcodeInfo {
	id: string;
	template: string;
	operands: string;
	/** The first machine and PTX version that have it. */
	sm: number;
	ptx: string;
	convergent: boolean;
	summary: string;
	[column: string]: unknown;
}

export interface IntrinsicInfo {
	/** One name or a family: `{a,b}` is one of these, `*` at the end a suffix of overloaded types. */
	names: string;
	/** result(parameters), a letter each, as core/ir/intrinsics.def lists them; empty where it follows from the suffix. */
	signature: string;
	/** The function attributes that it always has. */
	attributes: string;
	/** Arguments that must be constants, counted from 0. */
	immediates: number[];
	[column: string]: unknown;
}

/** The compiler trapped or ran out of memory. The instance must not be used again: load a fresh one. */
export declare class CompilerTrap extends Error {
	override readonly name: 'CompilerTrap';
}

/** A command's world. `read` and `write` throw an Error whose message is the reason. The bytes are lent for the call only. */
export interface Host {
	read(path: string): Uint8Array;
	write(path: string, bytes: Uint8Array): void;
	/** stream: 1 standard output, 2 standard error. */
	print(stream: 1 | 2, bytes: Uint8Array): void;
}

export interface RunResult {
	status: 0 | 1 | 2 | 3;
	stdout: string;
	stderr: string;
	/** What was written, by path. */
	files: Record<string, Uint8Array>;
}

export interface Compiler {
	readonly version: string;
	readonly commit: string;
	/** False after a trap. */
	readonly alive: boolean;
	/** Bytes of linear memory, which never shrinks. */
	readonly heapBytes: number;
	/** Errors in the input come back as `diagnostics`; only a trap throws. */
	compile(request: CompileRequest): CompileResult;
	passes(): PassInfo[];
	knobs(): KnobInfo[];
	opcodes(): OpcodeInfo[];
	intrinsics(): IntrinsicInfo[];
	/** Any command of the command line (`['run', 'k.ll', '--launch', 'l.json', '--json']`), on files in memory. */
	run(argv: readonly string[], files?: Readonly<Record<string, string | Uint8Array>>): RunResult;
	/** The same with the caller's own files and streams; returns the exit status. */
	command(argv: readonly string[], host: Host, memoryCap?: number): 0 | 1 | 2 | 3;
}

/** The command line, as words after the program's name, that does what `request` asks. */
export declare function compileArguments(request: CompileRequest): string[];

export type ModuleSource = URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** Compiles the module without instantiating it, so that it can be posted to workers. Default: the file beside this one. */
export declare function compileModule(source?: ModuleSource): Promise<WebAssembly.Module>;

/** Loads a compiler, ready to use. */
export declare function load(source?: ModuleSource): Promise<Compiler>;
