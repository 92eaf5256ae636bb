// CUDA C++ to LLVM IR: clang 22 compiled to WebAssembly, over the headers of include/. Of a file of kernels the device side is compiled,
// of a program (a file with a main) both.

import { clangArguments, hostArguments, includeFolder, kernelArguments } from './arguments.js';
import { bothSides, readDiagnostics, withoutPlace } from './diagnostics.js';
import { libraryPaths, objectPaths } from './kit.js';
import { takeLines } from './lines.js';
import { kernelsFile, linkerArguments, linkerFiles, objectFile, programFile, readLinker } from './program.js';
import { hasMain, readLaunches, sourceName } from './source.js';
import { run } from './wasi.js';

export { clangArguments, hasMain, readLaunches, sourceName };
export { kitFiles } from './kit.js';
export { runProgram } from './program.js';
export { readTar } from './tar.js';

const isError = (d) => d.severity === 'error';

export class CudaCompiler {
	#module;
	#headers;
	#files;
	#kit = null;

	/** The module is clang's; `headers` are the texts of include/ by their paths there. */
	constructor(module, headers) {
		this.#module = module;
		this.#headers = Object.keys(headers).sort();
		this.#files = Object.fromEntries(Object.entries(headers).map(([path, header]) => [`${includeFolder}/${path}`, header]));
	}

	/** The C and C++ library of programs: the files of kit.js. */
	addKit(files) { this.#kit = files; }
	get hasKit() { return this.#kit !== null; }

	/** Device code to IR; of a program with the library's headers, where they are there. */
	async compile(request) {
		const { source, name = 'input.cu', files = {} } = request, program = this.hasKit && hasMain(source);
		const { status, stdout, stderr } = await run(this.#module, clangArguments({ ...request, program }), { ...this.#files, ...(program && this.#kit), ...files, [name]: source });
		const diagnostics = readDiagnostics(stderr, name, this.#headers);
		if (status !== 0 && !diagnostics.some(isError))
			diagnostics.push(withoutPlace(stderr.trim() || `clang ended with status ${status}`));
		const made = status !== 0 ? { ir: '', lines: [] } : request.lines ? takeLines(stdout, name) : { ir: stdout, lines: [] };
		return { status: status === 0 ? 0 : 1, ...made, diagnostics, stderr };
	}

	/** A program: its kernels as IR, its host code as a module, for runProgram. Needs the kit. */
	async compileProgram({ target = 'sm_75', level = 3, name = 'input.cu', ...rest }) {
		const request = { target, level, name, ...rest }, files = { ...this.#files, ...this.#kit, ...linkerFiles(), ...rest.files, [name]: rest.source };
		const device = await run(this.#module, kernelArguments(request), files);
		const host = device.status === 0 ? await run(this.#module, hostArguments(request, kernelsFile, objectFile), files, [objectFile]) : { status: 1, stderr: '' };
		const diagnostics = bothSides(device.stderr, host.stderr, name, this.#headers);
		const made = { name, target, level, stderr: device.status === 0 ? host.stderr : device.stderr, diagnostics };
		const failed = (found) => ({ ...made, status: 1, module: null, ir: '', lines: [], diagnostics: [...diagnostics, ...found] });
		if (host.status !== 0)
			return failed(diagnostics.some(isError) ? [] : [withoutPlace(made.stderr.trim() || 'clang ended without a message')]);
		const linked = await run(this.#module, linkerArguments(objectPaths, libraryPaths), { ...files, [objectFile]: host.files[objectFile] }, [programFile]);
		if (linked.status !== 0) {
			const missing = readLinker(linked.stderr);
			return { ...failed(missing), stderr: made.stderr + missing.map((d) => `${name}: error: ${d.message}\n`).join('') };
		}
		return { ...made, status: 0, module: await WebAssembly.compile(linked.files[programFile]), ...takeLines(device.stdout, name) };
	}
}
