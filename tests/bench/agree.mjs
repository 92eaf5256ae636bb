// `npm run corpus -- agree [--only a,b] [--arch sm_90] [--jobs 2] [--work DIR]`: every kernel of the corpus, executed on the emulator as
// IR, as machine code and as PTX of every compiler that is here, at -O0 and -O3, from clang's -O2 and from its -O0.
//
// Each run is compared twice. As compilers are used, its buffers are what the launch file expects, within its tolerances. Without
// contraction (the IR has no `contract`, llc -fp-contract=off, nvcc -fmad=false) nothing is left to a compiler's choice, so all runs of a
// kernel have the same bits. That the comparison would see other bits is shown by the kernels that contraction changes, which are counted.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nvcc } from '../tools/programs.mjs';
import { native, temporaryFolder } from '../tools/ptxscope.mjs';
import { root, which } from '../tools/setup.mjs';

const folder = join(root, '../shared/corpus');
export const lacks = existsSync(join(folder, 'corpus.mjs')) ? null : `no ${folder}`;

const withoutContraction = (ir) => ir.replace(/ contract(?= )/g, '');
const hash = (...parts) => createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16);

/** The compilers that are here: { name, compile(input, output) → argv }. Input is IR, of nvcc a source. */
function compilers(arch, contract) {
	const list = [];
	for (const level of ['-O0', '-O3']) {
		list.push({ name: `ptxscope ${level}`, argv: (from, to) => [native, 'compile', from, '-o', to, `-mcpu=${arch}`, level] });
		for (const llc of ['llc-19', 'llc-22'].filter(which))
			list.push({ name: `${llc} ${level}`, argv: (from, to) => [llc, from, '-o', to, `-mcpu=${arch}`, level, ...contract ? [] : ['-fp-contract=off']] });
		if (nvcc)
			list.push({
				name: `nvcc ${level === '-O0' ? '-G' : level}`, source: true,
				argv: (from, to) => [nvcc, '-ptx', `-arch=${arch}`, '-w', level === '-O0' ? '-G' : level, ...contract ? [] : ['-fmad=false'], from, '-o', to],
			});
	}
	return list;
}

/** Runs everything; { kernels, runs, wrong: [{ kernel, run, contract, text }], fused: kernels that contraction changes }. */
export async function agree({ only = null, arch = 'sm_90', jobs = 2, work = temporaryFolder(), say = () => {} } = {}) {
	const corpus = await import(pathToFileURL(join(folder, 'corpus.mjs')));
	mkdirSync(work, { recursive: true });
	const wrong = [], kernels = corpus.manifest().filter((k) => !only || only.includes(k.name));
	const fused = new Set();
	let runs = 0;

	/** Executes a file: the buffers' bytes, or { error }. */
	async function execute(k, launch, file, options) {
		const at = join(work, `${k.name}.launch.json`);
		if (!existsSync(at)) {
			const { expect, ...bare } = launch;
			writeFileSync(at, JSON.stringify(bare));
		}
		const r = await corpus.run(native, ['run', file, `--launch=${at}`, '--json', `-mcpu=${arch}`, ...options], { timeout: 120000 });
		if (r.code)
			return { error: `exit ${r.code}: ${(r.err || r.out).trim().slice(0, 300)}` };
		const { buffers } = JSON.parse(r.out);
		return Object.fromEntries(Object.entries(buffers).map(([name, b]) => [name, corpus.encode(b.type, b.values)]));
	}

	/** What the launch file has against the buffers. */
	const complaints = (launch, buffers) => Object.entries(launch.buffers).flatMap(([name, b]) => {
		const expect = launch.expect[name], got = buffers[name];
		const text = expect ? corpus.compareBuffer(b.type, expect, got, b.count) : got.equals(corpus.initBytes(b)) ? null : 'must keep its contents';
		return text ? [`${name}: ${text}`] : [];
	});

	/** The kernel's expected buffers as text that is equal where their bits are (or the bits of their elements in order). */
	const print = (launch, buffers) => Object.fromEntries(Object.entries(launch.expect).map(([name, expect]) => {
		const { type } = launch.buffers[name], size = corpus.TYPES[type][0], hex = buffers[name].toString('hex');
		const elements = hex.match(new RegExp(`.{${2 * size}}`, 'g')) ?? [];
		return [name, expect.order === 'any' ? elements.sort() : elements];
	}));
	const difference = (a, b) => {
		const name = Object.keys(a).find((buffer) => a[buffer].join() !== b[buffer].join());
		if (!name)
			return null;
		const places = a[name].flatMap((v, i) => v === b[name][i] ? [] : [i]), i = places[0];
		return `${name}: other bits in ${places.length} of ${a[name].length} elements; element ${i}: ${b[name][i]}, ${a[name][i]} in the first run`;
	};

	/** All runs of a kernel: [{ name, file, options } or { name, error }]. */
	async function programs(k, contract) {
		const list = [];
		for (const variant of k.o0 ? ['', '.O0'] : ['']) {
			const from = await corpus.irInput(k, variant, work);
			if (from.error)
				return [{ name: 'IR', error: from.error }];
			const ir = readFileSync(from.file, 'utf8'), file = join(work, `${k.name}${variant}${contract ? '' : '.off'}.ll`);
			writeFileSync(file, contract ? ir : withoutContraction(ir));
			const origin = variant ? `clang -O0, ` : '';
			list.push({ name: `${origin}IR`, file, options: ['--level=ir'] });
			for (const level of ['-O0', '-O3'])
				list.push({ name: `${origin}MIR ${level}`, file, options: ['--level=mir', level] });
			for (const c of compilers(arch, contract).filter((one) => !one.source || !variant)) {
				const input = c.source ? corpus.at('kernels', `${k.name}.cu`) : file;
				const text = c.source ? readFileSync(input) + readFileSync(corpus.at('kernels/shim.cuh')) : readFileSync(input);
				const out = join(work, `${k.name}-${hash(c.name, arch, contract, text)}.ptx`);
				if (!existsSync(out) || c.name.startsWith('ptxscope')) {
					const [program, ...words] = c.argv(input, `${out}.new.ptx`), r = await corpus.run(program, words);
					if (r.code) {
						list.push({ name: origin + c.name, error: `does not compile: ${r.err.trim().slice(0, 300)}` });
						continue;
					}
					renameSync(`${out}.new.ptx`, out);
				}
				list.push({ name: origin + c.name, file: out, options: [] });
			}
		}
		return list;
	}

	await corpus.pool(kernels.flatMap((k) => [true, false].map((contract) => ({ k, contract }))), jobs, async ({ k, contract }) => {
		const launch = corpus.loadLaunch(k.name), note = (run, text) => wrong.push({ kernel: k.name, run, contract, text });
		let first = null;
		for (const p of await programs(k, contract)) {
			runs++;
			const buffers = p.error ? p : await execute(k, launch, p.file, p.options);
			if (buffers.error) {
				note(p.name, buffers.error);
				continue;
			}
			complaints(launch, buffers).forEach((text) => note(p.name, text));
			const have = print(launch, buffers), text = first && difference(first, have);
			first ??= have;
			if (text && contract)
				fused.add(k.name);
			else if (text)
				note(p.name, text);
		}
		say(k.name, contract);
	});
	return { kernels: kernels.length, runs, fused: [...fused].sort(), wrong };
}

if (process.argv[1] === import.meta.filename) {
	const value = (name) => process.argv.map((word) => new RegExp(`^--${name}=(.*)`).exec(word)?.[1]).find(Boolean);
	if (lacks) {
		console.log(`corpus: not measured: ${lacks}`);
		process.exit(0);
	}
	const { kernels, runs, fused, wrong } = await agree({
		only: value('only')?.split(','), arch: value('arch'), jobs: Number(value('jobs') ?? 2), work: value('work'),
		say: (kernel, contract) => process.stderr.write(`${kernel}${contract ? '' : ', without contraction'}\n`),
	});
	for (const { kernel, run, contract, text } of wrong)
		console.log(`${kernel}, ${run}${contract ? '' : ', without contraction'}: ${text}`);
	console.log(`${kernels} kernels, ${runs} runs: ${runs - new Set(wrong.map((w) => [w.kernel, w.run, w.contract].join())).size} agree, without contraction bit by bit; contraction changes bits of ${fused.length} kernels`);
	process.exitCode = wrong.length ? 1 : 0;
}
