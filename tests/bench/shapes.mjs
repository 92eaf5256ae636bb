// Modules of one shape at two sizes: processor time and memory per entry must not grow with the size. The shapes are those of
// ../shared/hostile/shapes.py; each row measures both sizes in turns within one run and compares what is beyond an empty module.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { native } from '../tools/ptxscope.mjs';
import { root, which } from '../tools/setup.mjs';
import { interleaved } from './measure.mjs';

const script = join(root, '../shared/hostile/shapes.py'), folder = join(root, 'build/bench');
const missing = !existsSync(script) ? '../shared/hostile/shapes.py missing' : which('python3') ? null : 'python3 missing';
const python = (args) => spawnSync('python3', args, { encoding: 'utf8', maxBuffer: 1 << 28 }).stdout;

// Sizes of the shapes that cannot be as large as the others: what they build is limited, or grows faster than its text.
const few = { types_exp: [12, 48], types_exp_load: [12, 48], types_nest: [50, 200], wide_int: [1, 2], wide_int_mul: [1, 2], wide_int_shl: [1, 2], wide_int_div: [1, 2],
	big_vector: [8, 32], big_vector_i1: [8, 32], shufflevec: [8, 32], insertvalue: [1000, 4000], struct_args: [2000, 8000], ipmsp_combo: [20, 80],
	div128: [1000, 4000], params: [1000, 4000], byval: [256, 1024], ret_array: [2000, 8000] };
const usual = [8000, 32000];

/** Names of the shapes that compile: all that the script defines. */
function names() {
	return missing ? ['(all)'] : python(['-c', `import runpy; print(*runpy.run_path(${JSON.stringify(script)}, run_name='shapes')['S'])`]).trim().split(' ');
}

function input(name, size) {
	mkdirSync(folder, { recursive: true });
	const file = join(folder, `shape-${name}-${size}.ll`);
	if (!existsSync(file))
		writeFileSync(file, python([script, name, String(size)]));
	return file;
}

const run = (file) => [native, 'compile', file, '-mcpu=sm_90', '-o', '/dev/null'];
const noTime = 0.01; // seconds: less is not told from an empty module

/** How much more one entry costs in the larger module than in the smaller. */
function growth(name, [small, large]) {
	const files = [input(name, small), input(name, large)], empty = join(folder, 'empty.ll');
	writeFileSync(empty, 'target triple = "nvptx64-nvidia-cuda"\n');
	const [none, a, b] = interleaved([empty, ...files].map(run), 3);
	const ratio = (x, y, least) => Math.max(y, least * (large / small)) / Math.max(x, least) / (large / small);
	const time = ratio(a.cpu - none.cpu, b.cpu - none.cpu, noTime), memory = ratio(a.memory - none.memory, b.memory - none.memory, 4 << 20);
	return {
		value: Math.max(time, memory),
		text: `${small} → ${large}: ${((b.cpu - none.cpu) * 1000).toFixed(0)} ms, ${(b.memory / 2 ** 20).toFixed(0)} MiB; time × ${time.toFixed(2)}, memory × ${memory.toFixed(2)}`,
	};
}

// Errors and limits, which say nothing of growth: ctors is refused, the others end in a diagnostic by design.
const refused = new Set(['ctors', 'garbage_lines', 'errors_many', 'alias_chain', 'literal', 'intrin_many', 'constexpr_nest']);

export const shapeRows = names().filter((name) => !refused.has(name)).map((name) => ({
	name: `shape ${name}: cost per entry as it grows`, unit: '×', budget: { most: 2.5 }, missing, measure: () => growth(name, few[name] ?? usual),
}));
