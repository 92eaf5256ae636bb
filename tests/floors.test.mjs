// The one-way floors: a folder of core/ includes only itself and the folders above it in house order. And core keeps its
// promises about the host: nothing of the C library beyond what each floor is granted, no mutable globals.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { root, which } from './tools/setup.mjs';

const floors = ['base', 'config', 'sem', 'graph', 'isa', 'pass', 'ir', 'analysis', 'irpass', 'mir', 'dag', 'mirpass', 'ptx', 'simt',
	'api', 'threads', 'cuda', 'cudart', 'nvrtc', 'cli'];
const core = join(root, 'core');

const sources = readdirSync(core).flatMap((folder) => readdirSync(join(core, folder)).map((file) => join(core, folder, file)));
const text = new Map(sources.map((file) => [file, readFileSync(file, 'utf8')]));

/** [{ line, angle, name }] of the #includes in `source`. */
function includes(source) {
	return source.split('\n').flatMap((content, i) => {
		const found = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(content);
		return found ? [{ line: i + 1, angle: found[1] === '<', name: found[2] }] : [];
	});
}

/** The source without comments, strings and character constants; lines stay where they are. */
function bare(source) {
	return source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
		(gone) => (gone[0] === '"' ? '""' : gone[0] === '\'' ? '0' : gone.replace(/[^\n]/g, ' ')));
}

/** Headers of the C library, and who may include them. */
const libc = {
	'stdarg.h': 'all', 'stdbool.h': 'all', 'stddef.h': 'all', 'stdint.h': 'all', 'string.h': 'all', 'limits.h': 'all',
	'sanitizer/asan_interface.h': ['base'], 'stdlib.h': ['base', 'api', 'threads', 'cuda', 'cudart', 'nvrtc', 'cli'], 'setjmp.h': ['config', 'simt', 'api', 'cli'], 'stdatomic.h': ['simt'], 'math.h': ['sem'], 'immintrin.h': ['simt'], 'wasm_simd128.h': ['simt'], 'time.h': ['cli', 'cuda', 'api'],
	'stdio.h': ['cli', 'cuda', 'cudart', 'nvrtc'], 'dlfcn.h': ['nvrtc'], 'errno.h': ['cli'], 'unistd.h': ['cli', 'cuda'], 'fcntl.h': ['cli', 'cuda'], 'sys/stat.h': ['cli', 'cuda'],
	'sys/mman.h': ['cli', 'cuda'], 'pthread.h': ['threads', 'cuda', 'cudart', 'nvrtc'], 'sched.h': ['threads'],
	'sys/resource.h': ['cli'], 'sys/time.h': ['cli'],
};

test('every folder of core is a floor', () => {
	const unknown = readdirSync(core).filter((folder) => !floors.includes(folder));
	assert.deepEqual(unknown, []);
});

test('a floor includes only floors above it', () => {
	const wrong = [];
	for (const file of sources) {
		const here = floors.indexOf(relative(core, dirname(file)));
		for (const { line, angle, name } of includes(text.get(file))) {
			const to = floors.indexOf(name.split('/')[0]);
			if (!angle && (to < 0 || to > here))
				wrong.push(`${relative(root, file)}:${line}: includes "${name}"`);
		}
	}
	assert.deepEqual(wrong, []);
});

test('includes name the folder, and the file exists', () => {
	const known = new Set(sources.map((file) => relative(core, file)));
	const wrong = sources.flatMap((file) => includes(text.get(file))
		.filter(({ angle, name }) => !angle && !known.has(name))
		.map(({ line, name }) => `${relative(root, file)}:${line}: "${name}"`));
	assert.deepEqual(wrong, []);
});

test('the C library is used only where it may be', () => {
	const wrong = [];
	for (const file of sources)
		for (const { line, angle, name } of includes(text.get(file))) {
			const may = libc[name];
			if (angle && may !== 'all' && !may?.includes(relative(core, dirname(file))))
				wrong.push(`${relative(root, file)}:${line}: includes <${name}>`);
		}
	assert.deepEqual(wrong, []);
});

/** What core may not call at all, and the few places that may. */
const banned = [
	[/\b(printf|fprintf|sprintf|snprintf|puts|putchar|fputs|fwrite)\s*\(/, ['cli', 'cuda', 'cudart', 'nvrtc']],
	[/\b(exit|_exit|system|getenv)\s*\(/, ['cli', 'cuda/device.c', 'cuda/state.c', 'nvrtc/nvrtc.c']],
	[/\babort\s*\(/, ['base', 'config', 'cli']], // behind a promise not to return
	[/\b(qsort|bsearch|rand|srand|strtod|strtol|strtoul|atoi|atof|setlocale)\s*\(/, []],
	[/\b(sin|cos|tan|exp|exp2|log|log2|log10|pow|sinf|cosf|expf|exp2f|logf|log2f|powf|tanhf?|cbrtf?|hypotf?)\s*\(/, []],
	[/\b(malloc|calloc|realloc|free)\s*\(/, ['base', 'api', 'threads', 'cuda', 'cudart', 'cli']],
	[/(?<!long )\blong\b(?! long)/, ['base/fmt.c']], // its width differs; fmt.c reads it as an argument
	[/\balloca\s*\(/, []],
];

test('core calls nothing that would differ between hosts or end the process', () => {
	const wrong = [];
	for (const file of sources) {
		const folder = relative(core, dirname(file));
		if (file.endsWith('.def'))
			continue;
		bare(text.get(file)).split('\n').forEach((line, i) => {
			for (const [call, granted] of banned)
				if (!granted.includes(folder) && !granted.includes(relative(core, file)) && call.test(line))
					wrong.push(`${relative(root, file)}:${i + 1}: ${call.exec(line)[0]}`);
		});
	}
	assert.deepEqual(wrong, []);
});

/** Symbols of the native objects of core that lie in memory that can be written. */
function writable() {
	const folder = join(root, 'build/native/obj');
	const objects = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.o') && !file.startsWith('cli'));
	const { stdout } = spawnSync('nm', ['-A', '-f', 'sysv', ...objects], { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 });
	// FILE:NAME |value|class|type|size|line|section
	return stdout.split('\n').filter((line) => /\|\.(data|bss|tdata|tbss)(\.(?!rel\.ro)[^|]*)?\s*$/.test(line))
		.map((line) => line.split('|')[0].trim());
}

test('core has no mutable globals', { skip: existsSync(join(root, 'build/native/obj')) && which('nm') ? false : 'no native build' }, () => {
	assert.deepEqual(writable(), []);
});

test('a pass is one file named by its id, and passes.def knows it', () => {
	const known = text.get(join(core, 'pass/passes.def'));
	const wrong = [];
	for (const file of sources.filter((name) => /core\/(irpass|mirpass)\/[^/]*\.c$/.test(name)))
		for (const [, symbol, id] of text.get(file).matchAll(/^const Pass (\w+) = \{[^;]*?\.id = "([^"]+)"/gm)) {
			if (basename(file, '.c').replaceAll('_', '-') !== id.replaceAll(/[_:]/g, '-'))
				wrong.push(`${relative(root, file)}: ${id}`);
			if (!known.includes(`PASS(${symbol})`))
				wrong.push(`passes.def lacks ${symbol}`);
		}
	assert.deepEqual(wrong, []);
});

test('a file of more than 1,000 lines says why at its top', () => {
	const long = sources.filter((file) => !file.endsWith('.def') && text.get(file).split('\n').length > 1001
		&& !/\blines\b/i.test(text.get(file).split('\n').slice(0, 20).join('\n')));
	assert.deepEqual(long.map((file) => relative(root, file)), []);
});
