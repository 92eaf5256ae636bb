/** The typed face of ptxscope.wasm. The JSON shapes are those of the command line (`--trace`, `passes --json`, …).
 *
 * What holds for all of it: lines and columns count from 1, columns in bytes of UTF-8, and 0 means that there is none; other
 * indexes and counts begin at 0. Sizes are bytes. An instance runs one command at a time; emulators may stand beside it, each
 * with one program. Different instances know nothing of each other and may run in different workers. After a status that is not
 * 0 nothing is kept of a command, and an emulator is as it was, except that a failed load leaves no program and a failed
 * launch ends the one before. After a CompilerTrap the instance is gone. */

/** The command line's exit status: 0 done, 1 the input is at fault, 2 usage, 3 internal error, 4 out of memory. */
export type Status = 0 | 1 | 2 | 3 | 4;

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
	/** -O0 to -O3; 3 if absent. */
	level?: 0 | 1 | 2 | 3;
	/** Knobs that differ from their defaults, by name. */
	knobs?: Readonly<Record<string, KnobValue>>;
	/** Libraries by name, IR as text or bitcode: what the source needs of them is taken, as `--link` does. */
	libraries?: Readonly<Record<string, string | Uint8Array>>;
	/** Run only the first so many executions of passes that may be skipped; -1: all. */
	bisect?: number;
}

export interface Diagnostic {
	severity: 'error' | 'warning' | 'note' | 'remark';
	/** Where it begins; 0: it has no place. */
	line: number;
	col: number;
	/** Where it ends: the first column that is not part of it. */
	endLine: number;
	endCol: number;
	code: string;
	message: string;
	hint?: string | null;
}

/** The most values that live at once, by kind of register; one of 128 bits counts as two of 64. */
/** Live values by class, each at its own fullest place; `registers`: of 32 bits, live at once at the fullest place. */
export interface Pressure {
	registers: number;
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
	/** Its place in `passes`. */
	i: number;
	id: string;
	function: string;
	changed: boolean;
	/** Milliseconds that it took. */
	ms: number;
	/** Instructions of the function (of the module) behind it. */
	insts: number;
	pressure?: Pressure | null;
	/** Index into `texts`: what the pass left behind. */
	text: number | null;
	/** For every line of that text the line of the input it came from, or 0. */
	lines?: number[];
	level?: Level;
}

export interface Remark {
	pass: string;
	function: string;
	/** Of the input; 0: it has no place. */
	line: number;
	kind: 'passed' | 'missed' | 'analysis';
	message: string;
	/** Where the remark is about a register of the machine code: its name, with those of its parts behind the pass ("%12 %20"), and what
	 * was done to it. */
	value?: string;
	fate?: 'spilled' | 'rematerialised';
}

export interface Trace {
	/** Of this format: 1. */
	version: number;
	target: string;
	passes: PassRun[];
	texts: string[];
	/** Empty where the input has errors. */
	ptx: string;
	/** For every line of `ptx` the line of the input it came from, or 0. */
	ptxLines: number[];
	diagnostics: Diagnostic[];
	remarks: Remark[];
	/** Those with machine code; none where the compilation ended before selection. */
	functions: TraceFunction[];
}

export interface TraceFunction {
	name: string;
	kernel: boolean;
	/** Of its definition in the input; 0: the compiler made it. */
	line: number;
	/** As launches pass them: the type of a byval parameter is that of its value. Empty for MIR without IR. */
	params: {
		name: string;
		/** LLVM's (`i32`, `ptr`), or PTX's without its dot (`u32`; `ptr` for what is used as an address). */
		type: string;
		bytes: number;
		align: number;
		byval: boolean;
		/** Of a pointer: the type of an access through it, as launches name types (`f32`); absent where none was found. */
		element?: string;
	}[];
	/** null: of a PTX text. */
	budget: { registers: Budget; predicates: Budget } | null;
}

/** How many a function may use, in registers of 32 bits or in predicates. */
export interface Budget {
	/** Above it values are spilled. */
	limit: number;
	/** What passes that weigh register pressure aim at. */
	target: number;
	/** Who has set the limit: "-maxreg=32". */
	by: string;
}

export interface CompileResult extends Trace {
	status: Status;
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
	/** Which run of the pass: 0, or 1 for the second place of one that runs twice. */
	instance: number;
	/** False: documented, but not there yet; no command runs it. */
	built: boolean;
	/** The pass that does it, or '' where it is one itself (or an analysis). */
	within: string;
	/** The hook of the target that adds it according to the documents, and its place among what that adds. */
	added?: { by: string; at: number };
	summary: string;
}

export interface KnobInfo {
	name: string;
	type: 'bool' | 'int' | 'enum' | 'string' | 'list';
	default: KnobValue | null;
	/** Of an `int`: the least and the greatest value; null: there is no limit. */
	min?: number | null;
	max?: number | null;
	values?: string[];
	group: string;
	passes: string[];
	kind: 'exact' | 'quality' | 'debug';
	/** Other names under which it may be set. */
	aliases: string[];
	/** Names with the opposite sense: setting one sets this knob to the opposite. */
	inverse: string[];
	summary: string;
}

export interface OpcodeInfo {
	id: string;
	template: string;
	operands: string;
	/** The first machine that has it (90: sm_90) and the first PTX version (`8.5`). */
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
	/** How far a long command (`run`, `check`) is, 0 to 1, and the pass it is at; false ends it. */
	progress?(part: number, what: string): boolean;
}

export interface RunResult {
	status: Status;
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
	/** Runs a kernel to its end, or to a fault (status 1). `result` is null where there was nothing to run. */
	execute(request: ExecuteRequest): { status: Status; stderr: string; diagnostics: Diagnostic[]; result: ExecutionResult | null };
	/** Runs the IR as it was read, then the code after every pass that changed it: the first that computes something else. `progress`
	 * as in Host. */
	check(request: Omit<ExecuteRequest, 'at'>, progress?: Host['progress']): CheckResult;
	passes(): PassInfo[];
	knobs(): KnobInfo[];
	opcodes(): OpcodeInfo[];
	intrinsics(): IntrinsicInfo[];
	/** Any command of the command line (`['run', 'k.ll', '--launch', 'l.json', '--json']`), on files in memory. */
	run(argv: readonly string[], files?: Readonly<Record<string, string | Uint8Array>>): RunResult;
	/** A kernel under a debugger. Any number of them may stand in one instance, beside its commands. */
	emulator(): Emulator;
	/** The same with the caller's own files and streams, which are called while it runs; returns the exit status. `memoryCap`: bytes,
	 * 1 MiB at least (default 1 GiB). */
	command(argv: readonly string[], host: Host, memoryCap?: number): Status;
}

/** The command line, as words after the program's name, that does what `request` asks. */
export declare function compileArguments(request: CompileRequest): string[];

export type ModuleSource = URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module;

/** Compiles the module without instantiating it, so that it can be posted to workers. Default: the file beside this one. */
export declare function compileModule(source?: ModuleSource): Promise<WebAssembly.Module>;

/** Loads a compiler, ready to use. */
export declare function load(source?: ModuleSource): Promise<Compiler>;

/** What an emulator executes: source, its name and target as in CompileRequest. */
export interface EmulatorProgram extends Omit<CompileRequest, 'bisect'> {
	/** The level that is executed and that lines are counted in: IR as it was read, machine code, or PTX (the default; PTX input
	 * has no other). The name's ending (`.ll`, `.mir`, `.ptx`) and the first line tell what the source is. */
	at?: 'ir' | 'mir' | 'ptx';
}

export interface Loaded {
	status: Status;
	stderr: string;
	diagnostics: Diagnostic[];
	/** The executed text; empty where it was not loaded. */
	text: string;
	/** For every line of `text` the line of `source` it came from, or 0. */
	origins: number[];
	kernels: string[];
}

export interface LaunchOptions {
	/** Count executions, lanes, sectors and conflicts by line: `result().profile`. */
	profile?: boolean;
	/** Also find uses of memory nobody wrote, and races in shared memory. */
	sanitize?: readonly ('memory' | 'race' | 'init' | 'sync' | 'leak' | 'all')[];
	/** Schedule diverged threads independently from the start. */
	independent?: boolean;
	/** `warp` is the teaching model with one register for a warp. */
	registers?: 'thread' | 'warp';
	/** A fault after so many warp instructions, 1 at least (default: as `run --help` says). */
	maxSteps?: number;
	/** Warp instructions before the next warp's turn, 1 at least (default 2048; 1: all warps advance together). */
	quantum?: number;
	/** Make WebAssembly functions of what the kernel executes: of what runs for longer (the default), always, never. Results are the same. */
	compiled?: 'late' | 'always' | 'never';
}

/** A warp, by its block's number in the grid (x fastest) and its own in the block: the goal counts for it alone; the others run
 * when it is their turn. */
export interface Focus {
	block?: number;
	warp?: number;
}

export type Goal = Focus & (
	/** So many instructions of a warp (default 1). */
	| { to?: 'instruction'; count?: number }
	/** The next other line of the warp (of the one that is next); with `lines`: until a warp is about to run one of them. Lines of
	 * the executed text, or of the input. */
	| { to: 'line'; lines?: readonly number[]; of?: 'text' | 'input' }
	/** Until a warp is about to arrive at a barrier. */
	| { to: 'barrier' }
	| { to: 'end' }
);

/** Where lanes of a warp stand that go the same way. */
export interface Place {
	/** Number of the block in the grid, x fastest; of the warp in the block; of the path in the warp. */
	block: number;
	warp: number;
	path: number;
	/** Of the executed text. */
	line: number;
	/** Of the input; 0: none. */
	origin: number;
	/** Bit i: lane i; 0 to 2 ** 32 - 1. */
	mask: number;
	/** Calls it is in. */
	depth: number;
	/** `waiting`: for lanes of its warp that are elsewhere. */
	state: 'ready' | 'barrier' | 'waiting';
	/** The next path of its warp to run. */
	running: boolean;
	function: string;
}

export interface Fault {
	kind: string;
	message: string;
	/** Of the thread that was stopped: x, y, z in its block, and its block's in the grid. */
	thread: [number, number, number];
	block: [number, number, number];
	/** Of the executed text, and of the input. */
	line: number;
	origin: number;
}

export interface Progress {
	/** `running`: the budget is used up, `resume` goes on; `stopped`: the goal is reached; `done`: the kernel has ended. */
	state: 'running' | 'stopped' | 'done' | 'faulted';
	/** Warp instructions so far. */
	steps: number;
	/** Blocks that have ended, 0 to 1. */
	progress: number;
	/** The next instruction to run, of the goal's warp while it has one. */
	at: Place | null;
	fault: Fault | null;
}

export interface WarpState {
	/** Number of the block in the grid, x fastest; of the warp in the block. */
	block: number;
	warp: number;
	/** Lanes that there are, that have not ended; bit i: lane i. */
	exists: number;
	live: number;
	paths: Place[];
	/** Of the path that runs next. */
	state: Place['state'] | 'done';
	/** As in Place; 0 when it is done. */
	line: number;
	origin: number;
	mask: number;
	function: string;
}

export interface Register {
	/** As the text has it: `%r1`, `%sum`, `%pair[1]`. */
	name: string;
	/** `pred`, `b32`, `s64`, `f32`, `bf16`; of IR: `i32`, `ptr`. */
	type: string;
	/** 1 to 128. */
	bits: number;
	/** By lane, 32 of them: boolean of a predicate, number of up to 32 bits and of floats, else bigint. */
	values: (boolean | number | bigint)[];
	/** By lane: the bits, as an unsigned number. */
	raw: bigint[];
}

export type MemoryPlace =
	| { buffer: string }
	/** A variable of the module; in shared memory: that of `block`. */
	| { symbol: string; block?: number }
	/** All shared memory of a block. */
	| { shared: number }
	| { local: { block: number; thread: number } }
	| { param: true };

export interface ExecutionStats {
	/** Instructions, summed over the threads that executed them. */
	threadInstructions: number;
	/** Instructions, each counted once for the lanes that execute it together. */
	warpInstructions: number;
	/** Branches of which some lanes went one way and some another. */
	divergentBranches: number;
	/** Threads for each lane of a warp instruction, 0 to 1. */
	simtEfficiency: number;
	/** Sectors of 32 bytes that accesses to global memory touched; with a profile, else 0. */
	globalSectors: number;
	/** Passes over the banks beyond the first that accesses to shared memory take; with a profile, else 0. */
	sharedBankConflicts: number;
	/** Barriers at which all threads that they wait for have arrived. */
	barriers: number;
}

/** A program and its launch. */
export interface ExecuteRequest extends EmulatorProgram {
	launch: string | object;
	options?: LaunchOptions;
}

export interface CheckResult {
	ok: boolean;
	/** How many stages were executed. */
	stages: number;
	/** After which pass the kernel computes something else; empty: after the last one, in the PTX. */
	pass?: string;
	level?: 'ir' | 'mir' | 'ptx';
	message?: string;
	status: Status;
	stderr: string;
}

/** What `run --json` prints. */
export interface ExecutionResult {
	buffers: Record<string, { type: string; values: (number | string)[] }>;
	stats: ExecutionStats;
	faults: (Fault & { level: 'ir' | 'mir' | 'ptx' })[];
	printf?: string;
	profile?: {
		line: number; executions: number; lanes: number; divergent: number; sectors: number; requests: number; bankConflicts: number;
	}[];
}

/** One program and one launch of it. Calls are short when budgets are: a worker that wants to be cancelled leaves `resume`
 * uncalled. Throws CompilerTrap where the instance traps, Error where calls are out of order. */
export declare class Emulator {
	private constructor();
	load(program: EmulatorProgram): Loaded;
	/** A launch file (examples/README.md), as text or as an object; nothing has run yet. Once more: from the start. */
	launch(launch: string | object, options?: LaunchOptions): { status: Status; stderr: string };
	/** Runs to the goal, at most `budget` warp instructions (default 1,000,000). */
	step(goal?: Goal, budget?: number): Progress;
	/** On with the goal that the budget interrupted. */
	resume(budget?: number): Progress;
	place(): Place | null;
	/** Of the blocks that have begun and not ended. */
	warps(): WarpState[];
	/** Of the function that a path of the warp is in (default: the one that runs next). */
	registers(block: number, warp: number, path?: number): Register[];
	/** A copy of the bytes; null: there are none. */
	memory(place: MemoryPlace): Uint8Array | null;
	result(): ExecutionResult;
	/** What the kernel has printed so far. */
	printed(): Uint8Array<ArrayBuffer>;
	free(): void;

	/** For programs with 32-bit pointers that are loaded from now on: memory of kernels is what is mapped, at addresses of the caller's below
	 * 0xc0000000, and stays from launch to launch. There are no buffers and no launch files. */
	mappedMemory(): void;
	/** `size` zeros that kernels see from `address` on; throws a RangeError where there is no room. */
	map(address: number, size: number): void;
	unmap(address: number): void;
	/** The bytes mapped at `address`, as they are; a view that any other call may end. */
	mapped(address: number): Uint8Array;
	/** `params`: parameter memory as the kernel lays it out. */
	launchMapped(launch: MappedLaunch, options?: LaunchOptions): { status: Status; stderr: string };
	kernel(name: string): KernelInfo | null;
	/** Variables in global and constant memory. */
	variables(): Variable[];
	/** As `mapped`. */
	variableBytes(variable: Variable): Uint8Array;
}

export interface MappedLaunch {
	kernel: string;
	grid: readonly [number, number, number];
	block: readonly [number, number, number];
	/** Dynamic shared memory of a block, bytes. */
	sharedBytes: number;
	params: Uint8Array;
}

export interface KernelInfo {
	/** Bytes of parameter memory; where each parameter lies in it. */
	paramsSize: number;
	params: { offset: number; size: number }[];
	/** Bytes of static shared memory, of constant memory, of a thread's local memory. */
	sharedBytes: number;
	constBytes: number;
	localBytes: number;
	/** Of 32 bits, as the PTX declares them. */
	registers: number;
	/** Of a block; 0: as many as the device takes. */
	maxThreads: number;
}

export interface Variable {
	name: string;
	/** Bytes. */
	size: number;
	constant: boolean;
	/** At which kernels see it. */
	address: number;
}
