// The compiler in Node: clang's module from the package that holds it, the headers from include/.

import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CudaCompiler } from './index.js';
import { isInKit, kitFiles } from './kit.js';
import { readTar, tarPieces } from './tar.js';

export { clangArguments, CudaCompiler, hasMain, readLaunches, runProgram, sourceName } from './index.js';
export { readDiagnostics } from './diagnostics.js';

/** The place of clang's module in its package, which exports only its own loader. */
export const clangModule = join(dirname(createRequire(import.meta.url).resolve('@yowasp/clang')), 'llvm.core.wasm');

export async function readHeaders(folder = fileURLToPath(new URL('include', import.meta.url))) {
	const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name));
	return Object.fromEntries(await Promise.all(files.map(async (file) => [relative(folder, file).replaceAll('\\', '/'), await readFile(file, 'utf8')])));
}

/** The library of programs, out of the archive in clang's package. */
export async function readKit() {
	return kitFiles(readTar(await readFile(join(dirname(clangModule), 'llvm-resources.tar'))));
}

/** The same as one archive, for a page to fetch. */
export async function packKit() {
	const archive = await readFile(join(dirname(clangModule), 'llvm-resources.tar'));
	return Buffer.concat([...tarPieces(archive, isInKit), Buffer.alloc(1024)]);
}

/** A compiler; making it takes a second, each compilation afterwards tenths of one. */
export async function load({ programs = false } = {}) {
	const [module, headers, kit] = await Promise.all([readFile(clangModule).then((bytes) => WebAssembly.compile(bytes)), readHeaders(), programs ? readKit() : null]);
	const compiler = new CudaCompiler(module, headers);
	if (kit)
		compiler.addKit(kit);
	return compiler;
}
