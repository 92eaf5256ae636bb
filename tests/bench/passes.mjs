// `npm run passes`: what each pass that a knob switches is worth, over the kernels of examples/, tests/kernels/ and a corpus.
//   npm run passes -- [--list] [--arch sm_90] [--maxreg N] [--with WORDS] [--in FOLDER]… [PASS…]
//     --list    each kernel whose SASS differs, too
//     --maxreg  a budget for both compilers: -maxreg=N here, --maxrregcount=N for ptxas
//     --with    further options of every compilation, separated by blanks
//     --in      a folder of kernels, instead of those of the tree and ../shared/corpus/ll
// Each kernel is compiled with the pass off and with it on, everything else as by default; passes with the same gates go together. A row says how many kernels' PTX
// differs, and for those that do by how much the pass changes the geometric means of PTX instructions and, where ptxas is,
// of SASS instructions and registers, both over all kernels; spilled bytes are sums. What ptxas said of a PTX text is kept in
// build/passes/, so a second run measures only what has changed.

import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { build } from '../tools/build.mjs';
import { sassInstructions } from '../tools/cubin.mjs';
import { native, ptxas, ptxscope } from '../tools/ptxscope.mjs';
import { root } from '../tools/setup.mjs';

const { values, positionals } = parseArgs({
	options: { list: { type: 'boolean' }, arch: { type: 'string', default: 'sm_90' }, maxreg: { type: 'string', default: '0' }, with: { type: 'string', default: '' }, in: { type: 'string', multiple: true } },
	allowPositionals: true,
});
const failure = await build('native');
if (failure) {
	console.error(failure);
	process.exit(1);
}

const run = promisify(execFile);
const cache = join(root, 'build/passes');
mkdirSync(cache, { recursive: true });
const version = ptxas ? (await run(ptxas, ['--version'])).stdout : '';

const ptxInstructions = (text) => text.split('\n').filter((line) => /^\s+(@!?%p\d+ )?[a-z][a-z0-9_.:]*(\s.*)?;/.test(line)).length;

/** What becomes of PTX text: { ptx, sass, registers, spills }; without ptxas only the first. */
async function measure(text) {
	const ptx = ptxInstructions(text);
	if (!ptxas)
		return { ptx };
	const key = createHash('sha256').update(`${version}\0${values.arch}\0${Number(values.maxreg) ? `${values.maxreg}\0` : ''}${text}`).digest('hex').slice(0, 32), file = join(cache, `${key}.json`);
	if (existsSync(file))
		return { ptx, ...JSON.parse(readFileSync(file, 'utf8')) };
	const input = join(cache, `${key}.ptx`), cubin = join(cache, `${key}.cubin`);
	writeFileSync(input, text);
	let result = {};
	try {
		const { stderr } = await run(ptxas, ['-v', `-arch=${values.arch}`, ...Number(values.maxreg) ? [`--maxrregcount=${values.maxreg}`] : [], input, '-o', cubin], { timeout: 120000 });
		const sum = (pattern) => [...stderr.matchAll(pattern)].reduce((n, [, x]) => n + Number(x), 0);
		const registers = [...stderr.matchAll(/Used (\d+) registers/g)].map(([, x]) => Number(x));
		if (registers.length)
			result = { sass: sassInstructions(cubin), registers: Math.max(...registers), spills: sum(/(\d+) bytes spill stores/g) + sum(/(\d+) bytes spill loads/g) };
	} catch { /* ptxas does not take it: not counted */ }
	rmSync(input, { force: true });
	rmSync(cubin, { force: true });
	writeFileSync(file, JSON.stringify(result));
	return { ptx, ...result };
}

function compile(file, options) {
	const { status, stdout, stderr } = ptxscope(['compile', file, `-mcpu=${values.arch}`, `-maxreg=${values.maxreg}`, ...values.with.split(' ').filter(Boolean), ...options, '-o', '-']);
	if (status !== 0 && status !== 1)
		throw new Error(`${file} ${options.join(' ')}: status ${status}\n${stderr}`);
	return status === 0 ? stdout : null;
}

/** Calls work(item) for all items, as many at a time as there are processors. */
async function each(items, work) {
	let next = 0;
	await Promise.all(Array.from({ length: availableParallelism() }, async () => {
		while (next < items.length)
			await work(items[next++]);
	}));
}

const folders = values.in ?? [join(root, 'examples'), join(root, 'tests/kernels'), join(root, '../shared/corpus/ll')];
const found = folders.filter(existsSync).flatMap((folder) => readdirSync(folder).filter((name) => name.endsWith('.ll')).sort().map((name) => join(folder, name)));
const files = [...new Map(found.map((file) => [readFileSync(file, 'utf8').replace(/^;.*\n/gm, ''), file])).values()]; // equal ones once
const openAtFirst = new Map(JSON.parse(ptxscope(['knobs', '--json']).stdout).map((knob) => [knob.name, knob.default]));
const isOff = (gate) => /^(nv-)?disable-|^nvptx-disable-/.test(gate);
const passes = JSON.parse(ptxscope(['passes', '--json']).stdout).filter(({ gates, built, instance }) => built && !instance && gates.length);

// A gate that several passes share says little of one of them: a pass is switched by those of its gates that the fewest share, and
// passes that have the same ones share a row.
const sharing = (gate) => passes.filter(({ gates }) => gates.includes(gate)).length;
const ownGates = (gates) => gates.filter((gate) => sharing(gate) === Math.min(...gates.map(sharing)));
const rows = new Map(passes.map(({ gates }) => [ownGates(gates).join(' '), { ids: [], gates, own: ownGates(gates) }]));
for (const { id, gates } of passes)
	rows.get(ownGates(gates).join(' ')).ids.push(id);
const byDefault = (gates) => gates.every((gate) => openAtFirst.get(gate) !== isOff(gate));
const switches = (gates, on) => gates.map((gate) => `--${gate}=${Number(isOff(gate) ? !on : on)}`);

/** The geometric mean of on/off as a percentage of change, over all kernels that have both. */
function change(pairs, what) {
	const both = pairs.filter(({ off, on }) => off[what] && on[what]);
	const mean = both.reduce((sum, { off, on }) => sum + Math.log(on[what] / off[what]), 0) / both.length;
	return both.length ? `${((Math.exp(mean) - 1) * 100).toFixed(2)} %` : '-';
}

async function row({ ids, gates, own }) {
	const pairs = [];
	await each(files, async (file) => {
		const on = compile(file, switches(gates, true));
		const off = compile(file, [...switches(gates.filter((gate) => !own.includes(gate)), true), ...switches(own, false)]);
		if (off === null || on === null)
			return;
		const a = await measure(off), b = off === on ? a : await measure(on);
		pairs.push({ file, differs: off !== on, off: a, on: b });
	});
	const differing = pairs.filter(({ differs }) => differs), spills = (which) => pairs.reduce((n, pair) => n + (pair[which].spills ?? 0), 0);
	console.log(['', ids.join(', '), byDefault(gates) ? 'on' : 'off', `${differing.length} of ${pairs.length}`, change(pairs, 'ptx'), change(pairs, 'sass'), change(pairs, 'registers'),
		ptxas ? `${spills('off')} → ${spills('on')}` : '-', ''].join(' | ').trim());
	if (values.list)
		for (const { file, off, on } of differing.sort((a, b) => a.file < b.file ? -1 : 1))
			if (off.sass !== on.sass || off.registers !== on.registers)
				console.log(`    ${basename(file)}: SASS ${off.sass} → ${on.sass}, registers ${off.registers} → ${on.registers}, spilled ${off.spills} → ${on.spills}`);
}

if (!existsSync(native))
	throw new Error('no native build');
console.log('| pass | default | kernels changed | PTX instructions | SASS instructions | registers | spilled bytes |');
console.log('| --- | --- | --- | --- | --- | --- | --- |');
for (const each of rows.values())
	if (positionals.length === 0 || each.ids.some((id) => positionals.includes(id)))
		await row(each);
