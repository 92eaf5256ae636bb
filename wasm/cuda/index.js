// CUDA C++ to LLVM IR: clang 22 compiled to WebAssembly, over the headers of include/. Only the device side is compiled.

import { readDiagnostics } from './diagnostics.js';
import { takeLines } from './lines.js';
import { run } from './wasi.js';

const includeFolder = 'cuda/include';

/** clang's own options for a request: those of the driver for a CUDA device, with messages that diagnostics.js can read. */
export function clangArguments({ name = 'input.cu', target = 'sm_75', level = 3, defines = {}, folders = [], lines = false }) {
	return [
		'clang', '-cc1', '-triple', 'nvptx64-nvidia-cuda', '-aux-triple', 'x86_64-unknown-linux-gnu', '-target-cpu', target, '-target-feature', '+ptx88',
		'-x', 'cuda', '-std=c++17', '-fcuda-is-device', '-fcuda-allow-variadic-functions', '-fgnuc-version=4.2.1', '-fdeprecated-macro', '-fno-threadsafe-statics',
		'-fcxx-exceptions', '-fexceptions', '-ffp-contract=fast', '-fno-rounding-math', '-mframe-pointer=all', '-fno-autolink', '-no-integrated-as',
		`-O${level}`, ...(level > 0 ? ['-vectorize-loops', '-vectorize-slp'] : ['-disable-O0-optnone']),
		...(lines ? ['-debug-info-kind=line-tables-only', '-dwarf-version=2'] : []),
		...folders.map((folder) => `-I${folder}`), '-nostdsysteminc', '-nobuiltininc', '-internal-isystem', `/${includeFolder}`, '-include', 'cuda_runtime.h',
		...Object.entries(defines).map(([macro, value]) => `-D${macro}=${value}`),
		'-ferror-limit', '50', '-fdiagnostics-print-source-range-info', '-fdiagnostics-parseable-fixits',
		'-emit-llvm', '-o', '-', name,
	];
}

const failure = (message) => [{ severity: 'error', line: 0, col: 0, endLine: 0, endCol: 0, code: '', message, hint: null }];

export class CudaCompiler {
	#module;
	#headers;
	#files;

	/** The module is clang's; `headers` are the texts of include/ by their paths there. */
	constructor(module, headers) {
		this.#module = module;
		this.#headers = Object.keys(headers).sort();
		this.#files = Object.fromEntries(Object.entries(headers).map(([path, header]) => [`${includeFolder}/${path}`, header]));
	}

	/** One compilation; several may run one after the other, each in a fresh instance of the module. */
	async compile(request) {
		const { source, name = 'input.cu', files = {} } = request;
		const { status, stdout, stderr } = await run(this.#module, clangArguments(request), { ...this.#files, ...files, [name]: source });
		const diagnostics = readDiagnostics(stderr, name, this.#headers);
		if (status !== 0 && !diagnostics.some((d) => d.severity === 'error'))
			diagnostics.push(...failure(stderr.trim() || `clang ended with status ${status}`));
		const made = status !== 0 ? { ir: '', lines: [] } : request.lines ? takeLines(stdout, name) : { ir: stdout, lines: [] };
		return { status: status === 0 ? 0 : 1, ...made, diagnostics, stderr };
	}
}
