// A ratchet on code quality: a sample of kernels and of LLVM's tests may not become worse against llc-22. All of them are
// measured by `npm run corpus` and `npm run conformance`. A change that makes the sample better lowers the limits here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agree, lacks as noCorpus } from './bench/agree.mjs';
import { command } from './bench/shared.mjs';
import { assemble } from './tools/cubin.mjs';
import { ptxas, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

const ARCH = 'sm_90';
const lacks = !ptxas ? 'no ptxas' : !which('llc-22') ? 'no llc-22' : false;

// Kernels of examples/ in which much is selected, and how many machine instructions and registers they have, ours to llc's, as
// geometric means: at most so many. (fft_radix2 has two instructions more in front of two loops, and one less in each iteration of both.)
const kernels = ['matmul_regblock', 'bitonic_sort', 'fft_radix2', 'half_axpy', 'struct_param', 'reduce_shared', 'philox_pi', 'stencil2d'];
const limits = { sass: 0.936, registers: 0.888 };

test('kernels against llc-22', { skip: lacks }, () => {
	const lines = [], log = { sass: 0, registers: 0 };
	for (const kernel of kernels) {
		const input = join(root, 'examples', `${kernel}.ll`);
		const ours = assemble(ptxscope(['compile', input, `-mcpu=${ARCH}`, '-o', '-']).stdout, ARCH);
		const llc = assemble(spawnSync('llc-22', [input, `-mcpu=${ARCH}`, '-o', '-'], { encoding: 'utf8' }).stdout, ARCH);
		for (const what of Object.keys(limits))
			log[what] += Math.log(ours[what] / llc[what]) / kernels.length;
		lines.push(`${kernel}: ${ours.sass} instructions, llc-22 ${llc.sass}; ${ours.registers} registers, llc-22 ${llc.registers}`);
	}
	for (const [what, limit] of Object.entries(limits))
		assert.ok(Math.exp(log[what]) <= limit, `${what}: ${Math.exp(log[what]).toFixed(4)}, at most ${limit}\n${lines.join('\n')}`);
});

// Two kernels in which ptxas spills under a limit of registers. The bytes that they load and store for that, ours to llc's: at most so many,
// with what we spill ourselves and with the loads of shared memory that machine-scheduler repeats; of these, ptxas' at most so many.
const spills = { limits: [32, 40], kernels: ['matmul_regblock', 'recursion'], all: 0.55, ptxas: 0.15 };

test('spills under a limit of registers, against llc-22', { skip: lacks }, () => {
	/** Bytes that accesses of the space, as text, move. */
	const bytes = (ptx, words) => [...ptx.matchAll(new RegExp(`\\b${words}(?:\\.v(\\d))?\\.[bfsu](\\d+)\\b`, 'g'))].reduce((sum, [, n, bits]) => sum + (n ?? 1) * bits / 8, 0);
	const shared = (ptx) => bytes(ptx, 'ld(?:\\.volatile)?\\.shared');
	for (const limit of spills.limits) {
		const sum = { llc: 0, ptxas: 0, all: 0 }, lines = [];
		for (const kernel of spills.kernels) {
			const input = join(temporaryFolder(), `${kernel}.ll`); /* ptxas obeys what a kernel says of its threads before the limit */
			writeFileSync(input, readFileSync(join(root, 'examples', `${kernel}.ll`), 'utf8').replace(/!"maxntid(?=[xyz]?")/g, '!"none').replace(/"nvvm\.maxntid"="[^"]*"/g, ''));
			const llc = spawnSync('llc-22', [input, `-mcpu=${ARCH}`, '-o', '-'], { encoding: 'utf8' }).stdout;
			const ours = ptxscope(['compile', input, `-mcpu=${ARCH}`, `-maxreg=${limit}`, '-o', '-']).stdout;
			assert.ok(![llc, ours].some((ptx) => ptx.includes('.maxntid')));
			const reference = assemble(llc, ARCH, `--maxrregcount=${limit}`).spilled, by = assemble(ours, ARCH, `--maxrregcount=${limit}`).spilled;
			const own = bytes(ours, '(?:ld|st)\\.local'), again = Math.max(0, shared(ours) - shared(llc));
			lines.push(`${kernel}, ${limit} registers: ptxas ${by}, .local ${own}, repeated ${again}; llc-22 ${reference}`);
			sum.llc += reference;
			sum.ptxas += by;
			sum.all += by + own + again;
		}
		for (const what of ['ptxas', 'all'])
			assert.ok(sum[what] <= spills[what] * sum.llc, `${what}: ${(sum[what] / sum.llc).toFixed(3)}, at most ${spills[what]}\n${lines.join('\n')}`);
	}
});

// Of the RUN lines in these files: how many have no more instructions than llc-22's in any function, and how many do not cost more.
const sample = ['shift-parts.ll', 'extractelement.ll', 'lower-args.ll', 'unfold-masked-merge-vector-variablemask.ll', 'i16x2-instructions.ll'];
const least = { compiles: 9, assembles: 8, opcodes: 9, cost: 8 };

test('a sample of LLVM\'s tests', (t) => {
	const result = join(temporaryFolder(), 'conformance.json');
	const run = command('conformance', ['--only', sample.join(','), '--json', result]);
	if (run.lacks || lacks)
		return t.skip(run.lacks ?? lacks);
	const { status, stdout, stderr } = spawnSync(process.execPath, [run.program, ...run.args], { encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	const { results } = JSON.parse(readFileSync(result, 'utf8'));
	for (const [measure, n] of Object.entries(least)) {
		const have = results.filter((line) => line[measure]).length;
		assert.ok(have >= n, `${measure}: ${have} lines, ${n} before\n${stdout}`);
	}
});

test('a kernel of the corpus as every compiler makes it', { skip: noCorpus ?? false }, async () => {
	const { wrong, fused } = await agree({ only: ['matmul_naive'] });
	assert.deepEqual(wrong, []);
	assert.deepEqual(fused, ['matmul_naive'], 'the bits that contraction changes are seen');
});
