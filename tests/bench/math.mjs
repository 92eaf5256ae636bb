// npm run math [-- NAME…] [--count=100000] [--json=FILE]: every function of CUDA's math API over many arguments, the special ones among
// them, compiled from our headers and executed by the emulator, against 113 bits of libquadmath. Prints the largest error found beside
// the one that CUDA documents, and fails where it is larger. FILE is written after each function, and what it has from an earlier run
// over the same PTX is not measured again, so a run may be stopped and goes on. Needs a C compiler with libquadmath.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../../wasm/cuda/node.js';
import { absolute, argumentsFor, further, one, two } from '../tools/math-bounds.mjs';
import { native, temporaryFolder } from '../tools/ptxscope.mjs';
import { root } from '../tools/setup.mjs';

const options = Object.fromEntries(process.argv.slice(2).filter((a) => a.startsWith('--')).map((a) => a.slice(2).split('=')));
const wanted = process.argv.slice(2).filter((a) => !a.startsWith('--'));
const count = Number(options.count ?? 100000), work = temporaryFolder(), reference = join(work, 'math_reference');

function must(command, argv, more = {}) {
	const r = spawnSync(command, argv, { maxBuffer: 1 << 30, ...more });
	if (r.status !== 0)
		throw new Error(`${command} ${argv.slice(0, 3).join(' ')}: ${r.error?.message ?? r.stderr}`);
	return r.stdout;
}

/** What is measured: a function, for one type, over columns of arguments. */
function jobs() {
	const list = [];
	const add = (name, bits, bound, columns, more = {}) => list.push({ name, bits, bound, columns, ...more });
	for (const bits of [32, 64]) {
		const pick = (row) => row[bits === 32 ? 0 : 1];
		for (const [name, row] of Object.entries(one)) {
			const bessel = name in absolute, keep = bessel ? (x) => !(Math.abs(x) > 8) : name === 'lgamma' ? (x) => !(x < -2.2637 && x > -23.0001) && (bits === 64 || !(x < -2.2 && x > -10.001)) : undefined;
			add(name, bits, pick(row), [argumentsFor(bits, count, row[2], row[3], name.length * 7919 + bits, keep)]);
		}
		for (const [name, row] of Object.entries(two))
			add(name, bits, pick(row), [argumentsFor(bits, count, row[2], row[3], name.length * 104729 + bits), argumentsFor(bits, count, row[2], row[3], name.length * 15485863 + bits).reverse()]);
		for (const [name, [, , low, high, call, keep, keepSecond]] of Object.entries(further)) {
			const letters = 'xyzw'.split('').filter((letter) => new RegExp(`\\b${letter}\\b`).test(call));
			const columns = letters.map((_, i) => argumentsFor(bits, count, keepSecond && i ? -300 : low, high, name.length * 179424673 + 31 * i + bits, (x) => (i && keepSecond ? keepSecond : keep ?? (() => true))(x), keepSecond && i ? Math.round : undefined));
			add(name, bits, pick(further[name]), columns.map((column, i) => i % 2 ? column.reverse() : column), { call });
		}
		for (const [name, row] of Object.entries(absolute))
			add(name, bits, pick(row), [argumentsFor(bits, Math.min(count, row[4] ? 2000 : count), row[2], row[3], name.length * 31 + bits, (x) => x >= row[2] && x <= row[3])], { absolute: true, order: row[4] });
	}
	return list.filter((job) => !wanted.length || wanted.includes(job.name));
}

const kernelName = ({ name, bits, order }) => `${name.replace(', ', '_')}_${bits === 32 ? 'float' : 'double'}${order ?? ''}`;
function kernelOf({ name, bits, columns, order, call: text }) {
	const type = bits === 32 ? 'float' : 'double', f = bits === 32 ? 'f' : '', ps = ['x', 'y', 'z', 'w'].slice(0, columns.length), at = (code) => code.replace(/\b[xyzw]\b/g, '$&s[i]');
	const call = text ? at(text.replace('%', f)) : `${name}${f}(${[...(order ? [order] : []), ...ps.map(at)].join(', ')})`;
	return `extern "C" __global__ void ${kernelName({ name, bits, order })}(${ps.map((p) => `const ${type} *${p}s, `).join('')}${type} *r, int n) { ${type} a, b; int e, i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) r[i] = (${type})(${call}); }`;
}

const list = jobs();
const { status, ir, stderr } = await (await load()).compile({ source: [...new Set(list.map(kernelOf))].join('\n'), target: 'sm_80' });
if (status !== 0)
	throw new Error(stderr);
writeFileSync(join(work, 'math.ll'), ir);
must(native, ['compile', join(work, 'math.ll'), '-o', join(work, 'math.ptx'), '-mcpu=sm_80']);
must(process.env.CC ?? 'gcc', ['-O2', '-o', reference, join(root, 'tests/bench/math_reference.c'), '-lquadmath', '-lm']);

/** What is executed for a kernel: its PTX and that of the functions that it calls, by their names. */
const bodies = new Map(readFileSync(join(work, 'math.ptx'), 'utf8').split(/^(?=\.visible \.entry|\.func|\.visible \.func|\.weak \.func)/m)
	.filter((text) => text.includes('{')).map((text) => [/(?:\.entry|\.func)\s+(?:\([^)]*\)\s*)?([\w$]+)/.exec(text)?.[1], text]));
function hashOf(kernel) {
	const seen = new Set([kernel]);
	for (const name of seen)
		for (const [word] of bodies.get(name).matchAll(/[\w$]+/g))
			if (bodies.has(word))
				seen.add(word);
	return createHash('sha256').update([...seen].map((name) => bodies.get(name)).join('')).digest('hex').slice(0, 16);
}
const titleOf = ({ name, bits, absolute: byValue, order }) => `${name.replace(/(?=,|$)/, bits === 32 ? 'f' : '')}${order ? ` (order ${order})` : byValue ? ' (above 8)' : ''}`;

function measure({ name, bits, bound, columns, absolute: byValue, order }) {
	const Floats = bits === 32 ? Float32Array : Float64Array, n = columns[0].length;
	const words = (column) => [...new Uint32Array(Floats.from(column).buffer)];
	const buffers = Object.fromEntries(columns.map((column, i) => [`p${i}`, { type: 'u32', count: n * bits / 32, init: { kind: 'values', values: words(column) } }]));
	buffers.r = { type: 'u32', count: n * bits / 32 };
	const launch = {
		kernel: kernelName({ name, bits, order }), grid: [Math.ceil(n / 256), 1, 1], block: [256, 1, 1],
		args: [...Object.keys(buffers).map((buffer) => ({ buffer })), { i32: n }], buffers,
	};
	writeFileSync(join(work, 'launch.json'), JSON.stringify(launch));
	const out = JSON.parse(must(native, ['run', join(work, 'math.ptx'), `--launch=${join(work, 'launch.json')}`, '-mcpu=sm_80', '--json', '--max-steps=1000000000']));
	const results = new Floats(Uint32Array.from(out.buffers.r.values).buffer);
	const input = Buffer.concat([results, ...columns].map((values) => Buffer.from(Float64Array.from(values).buffer)));
	const found = JSON.parse(must(reference, [name, String(bits), String(n), String(order ?? 0)], { input }));
	const error = byValue ? found.absolute : found.error;
	return { bound, count: n, ...found, error, good: error <= Math.max(bound, byValue ? 0 : 0.5) + (bound ? 0.001 : 0) && found.wrong === 0 };
}

const before = options.json && existsSync(options.json) ? JSON.parse(readFileSync(options.json, 'utf8')) : [], rows = [];
for (const job of list) {
	const code = hashOf(kernelName(job)), known = before.find((row) => row.code === code && row.title === titleOf(job) && row.asked === job.columns[0].length && row.bound === job.bound);
	const row = known ?? { ...measure(job), title: titleOf(job), asked: job.columns[0].length, code };
	rows.push(row);
	console.log(`${row.good ? '  ' : '! '}${row.title.padEnd(26)} ${String(row.error).padStart(9)} of ${String(row.bound).padEnd(8)} ${row.good ? '' : `${row.wrong} wrong, at ${row.at}: ${row.is} ${row.first ?? ''}`}`);
	if (options.json)
		writeFileSync(options.json, `${JSON.stringify(rows, null, '\t')}\n`);
}
console.log(`${rows.filter((row) => row.good).length} of ${rows.length} within what CUDA documents, over ${count} arguments each`);
process.exitCode = rows.every((row) => row.good) ? 0 : 1;
