// The puzzles: each has a solution that reaches every goal and wrong ones that are refused with a word of help, by the code that the page
// runs. The kernel with its hole compiles and is no solution.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { passes, solutions } from './puzzles/solutions.mjs';
import { wasm } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

// clang's lazy tier is enough for a few compilations.
setFlagsFromString('--no-wasm-tier-up');
setFlagsFromString('--no-wasm-dynamic-tiering');

const folder = join(root, 'examples/puzzles');
const names = readdirSync(folder).filter((f) => /^\d+-.*\.md$/.test(f)).map((f) => f.slice(0, -3)).sort();
const skip = existsSync(wasm) ? false : 'no WebAssembly build';

/** The lines between the marks become `text`. */
const filled = (source, text) => source.replace(/^(\s*(?:;|\/\/) >>>.*\n)[^]*?(^\s*(?:;|\/\/) <<<)/m, (_, open, close) => `${open}${text}\n${close}`);

describe('puzzles', { skip }, () => {
	let compiler, cuda, teach;
	before(async () => {
		const { load } = await import('../wasm/index.js');
		const { load: loadCuda } = await import('../wasm/cuda/node.js');
		const { importTypescript } = await import('./tools/typescript.mjs');
		[compiler, cuda, teach] = await Promise.all([load(), loadCuda(), importTypescript(new URL('../web/src/teach/index.ts', import.meta.url))]);
	});

	const ask = async (argv, files) => compiler.run(argv, files);
	const read = (name) => teach.readLesson(name, readFileSync(join(folder, `${name}.md`), 'utf8'));

	/** What the page would say to a source. */
	async function judged(lesson, source) {
		const trace = compiler.compile({ source, target: lesson.base.target });
		assert.equal(trace.status, 0, trace.stderr);
		const runs = await teach.execute(trace.ptx, lesson.launches, lesson.base.target, ask);
		const facts = { source, trace, runs: typeof runs === 'string' ? [] : runs, ...(typeof runs === 'string' && { problem: runs }) };
		return teach.tasksOf(lesson).flatMap((task) => task.goals.map((goal) => teach.judge(goal, facts)));
	}
	const missed = (list) => list.filter((j) => !j.met);
	const source = (lesson, kind) => lesson.sources.find((s) => s.kind === kind).text;

	test('there are twelve, and each has a solution', () => {
		assert.equal(names.length, 12);
		assert.deepEqual(Object.keys(solutions), names);
	});

	for (const name of names)
		test(name, async () => {
			const lesson = read(name), { ll, cu, wrong } = solutions[name];
			assert.deepEqual(lesson.problems, []);
			assert.ok(lesson.about && teach.tasksOf(lesson)[0].goals.length >= 2);
			assert.ok(missed(await judged(lesson, source(lesson, 'll'))).length > 0, 'the hole itself is no solution');
			assert.deepEqual(missed(await judged(lesson, filled(source(lesson, 'll'), ll))), [], 'LLVM IR');
			const translate = async (text) => {
				const { ir, status, stderr } = await cuda.compile({ source: text, target: lesson.base.target });
				assert.equal(status, 0, stderr);
				return ir;
			};
			assert.deepEqual(missed(await judged(lesson, await translate(filled(source(lesson, 'cu'), cu)))), [], 'CUDA C++');
			for (const w of wrong) {
				const first = missed(await judged(lesson, filled(source(lesson, 'll'), w.ll)))[0];
				assert.equal(first?.goal.text, w.goal);
				assert.match(first.said, w.says);
			}
		});

	/** What the page would say to a pass. */
	async function judgedPass(lesson, code) {
		const { target, level } = lesson.base, [{ text, kind }] = lesson.sources, name = `input.${kind}`;
		const without = compiler.compile({ source: text, name, target, level });
		assert.equal(without.status, 0, without.stderr);
		const own = new Function('console', `${code}\nreturn pass;`)({ log() {} });
		const trace = await teach.applyPass({
			trace: without, source: text, name, options: [`-mcpu=${target}`, `-O${level}`], after: lesson.pass.after, ask,
			transform: async (pieces) => pieces.map((p) => own(p.text, p.name)),
		});
		const runs = async (ptx) => teach.execute(ptx, lesson.launches, target, ask);
		const facts = typeof trace === 'string' ? { source: code, trace: without, runs: [], problem: trace }
			: { source: code, trace, runs: await runs(trace.ptx), without: { ptx: without.ptx, runs: await runs(without.ptx) } };
		return { trace, list: teach.tasksOf(lesson).flatMap((task) => task.goals.map((goal) => teach.judge(goal, facts))) };
	}

	for (const [name, { code, wrong }] of Object.entries(passes))
		test(name, async () => {
			const lesson = read(name);
			assert.deepEqual(lesson.problems, []);
			const idle = await judgedPass(lesson, lesson.pass.code);
			assert.ok(missed(idle.list).length > 0);
			assert.ok(!idle.trace.passes.find((r) => r.id === 'own-pass' && r.function === 'k').changed, 'the code to start from changes nothing');
			const { trace, list } = await judgedPass(lesson, code);
			assert.deepEqual(missed(list), []);
			const at = trace.passes.findIndex((r) => r.id === 'own-pass' && r.function === 'k');
			assert.ok(trace.passes[at].changed && trace.passes[at - 1].id === lesson.pass.after && trace.passes[at + 1].id === 'two-address-instruction');
			for (const w of wrong) {
				const first = missed((await judgedPass(lesson, w.code)).list)[0];
				assert.equal(first?.goal.text, w.goal, first?.said);
				assert.match(first.said, w.says);
			}
		});

	test('an own pass over the code of LLVM IR keeps the origins of lines, also of those that it writes', async () => {
		const source = readFileSync(join(root, 'examples/saxpy.ll'), 'utf8');
		const without = compiler.compile({ source, target: 'sm_90' });
		const of = async (after, edit) => teach.applyPass({
			trace: without, source, name: 'input.ll', options: ['-mcpu=sm_90', '-O3'], after, ask, transform: async (pieces) => pieces.map((p) => edit(p.text)),
		});
		const same = await of('nvptx-peephole', (text) => text);
		assert.equal(same.ptx, without.ptx);
		assert.deepEqual(same.ptxLines, without.ptxLines);
		const fused = await of('nvptx-peephole', (text) => text.replace(/contract FMA_rn_f32rrr (%\d+), (%\d+), (%\d+)/, 'FMA_rn_f32rrr $2, $1, $3'));
		assert.deepEqual(fused.ptxLines, without.ptxLines);
		const ptx = await of('ptx', (text) => text.replace('fma.rn.f32', 'fma.rz.f32'));
		assert.match(ptx.ptx, /fma\.rz/);
		assert.deepEqual(ptx.ptxLines, without.ptxLines);
		assert.match(await of('ptx', () => 'nonsense'), /cannot be read: line 1/);
		assert.match(await of('nvptx-peephole', (text) => text.replace('FMA_rn_f32rrr', 'FMA_x')), /refused: .*FMA_x/);
		assert.ok(teach.points(without, (r) => r.level).includes('nvptx-peephole'));
		assert.ok(!teach.points(without, (r) => r.level).includes('dead-mi-elimination'), 'it runs twice');
	});

	test('the questions of the lessons have answers, and none is so already', () => {
		const shelf = join(root, 'examples/lessons');
		let asked = 0;
		for (const file of readdirSync(shelf).filter((f) => f.endsWith('.md'))) {
			const lesson = teach.readLesson(file, readFileSync(join(shelf, file), 'utf8'));
			assert.deepEqual(lesson.problems, [], file);
			for (const task of teach.tasksOf(lesson)) {
				asked++;
				const source = readFileSync(join(root, `examples/${lesson.base.example}.ll`), 'utf8');
				const trace = compiler.compile({ source, target: lesson.base.target ?? 'sm_90' });
				if (task.pass)
					assert.equal(teach.passesThat(task.pass.adds, task.pass.text, trace).length, 1, file);
				for (const goal of task.goals.filter((g) => !teach.needsRuns(g)))
					assert.ok(!teach.judge(goal, { source, trace, runs: [] }).met, file);
			}
		}
		assert.ok(asked >= 2);
	});

	test('a lesson from anywhere is data: no script, no address but of the web, no depth that exhausts the stack', () => {
		const hostile = `# x\n<script>a()</script>\n\n<img src=x onerror=a()> [a](javascript:a()) [b](JAVASCRIPT:a()) [c](data:text/html,x) ![d](https://e/x.png) [e](https://e.org)\n\n[f](show:knobs=a=1)\n`;
		const { blocks, steps } = teach.readLesson('own', hostile), text = JSON.stringify(blocks);
		assert.deepEqual([...text.matchAll(/"href":"([^"]*)"/g)].map((m) => m[1]), ['https://e.org']);
		assert.deepEqual(steps, ['knobs=a=1']);
		assert.deepEqual([...new Set([...text.matchAll(/"kind":"(\w+)"/g)].map((m) => m[1]))].sort(), ['link', 'p', 'show', 'text']);
		for (const deep of ['>'.repeat(50_000), '- '.repeat(5000), `${'*'.repeat(30_000)}x`, '['.repeat(20_000)]) {
			const { problems, blocks: got } = teach.readLesson('own', deep);
			assert.ok(problems.length > 0 || JSON.stringify(got).length < 1e6);
		}
		for (const [bad, says] of [['goal: speed < 3', /speed < 3.*not known/], ['pass: moves x', /neither/]])
			assert.match(teach.readLesson('own', `\`\`\`goals\n${bad}\n\`\`\`\n`).problems[0], says);
		assert.match(teach.readLesson('own', '```rust source\nx\n```\n').problems[0], /not "rust"/);
	});

	test('a goal says what was seen', () => {
		const of = (text, facts) => teach.judge(teach.readGoal(text), { source: 'src', trace: { ptx: '\tadd.s32 \t%r1, %r2, 3;\n', passes: [] }, runs: [], ...facts });
		assert.ok(of('instructions = 1').met && of('ptx has add.s32').met && of('source lacks mul').met && of('registers <= 4', { registers: 4 }).met);
		assert.match(of('registers < 4 | Try maxreg.', { registers: 4 }).said, /^it has 4 registers .*Try maxreg\.$/);
		assert.match(of('result').said, /nothing was executed/);
		assert.match(of('result', { problem: 'no kernel' }).said, /no kernel/);
		assert.match(of('same').said, /no own pass/);
		assert.equal(teach.inWords(teach.readGoal('conflicts = 0')), 'No bank conflicts.');
		assert.equal(teach.inWords(teach.readGoal('sectors <= 8')), 'At most 8 sectors of global memory.');
	});
});
