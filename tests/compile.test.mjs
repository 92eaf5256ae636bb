// `ptxscope compile` and its options, on the example kernels.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { examples, hosts, native, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';
const folder = temporaryFolder();
const saxpy = 'examples/saxpy.ll';
const reduce = 'examples/reduce_shared.ll';

/** The output of a compilation that must succeed. */
function compile(args, options) {
	const { status, stdout, stderr, signal } = ptxscope(['compile', '-o', '-', ...args], options);
	assert.equal(status, 0, `compile ${args.join(' ')}: ${signal ?? `status ${status}`}\n${stderr}`);
	return { stdout, stderr };
}

const ptx = (...args) => compile(args).stdout;
const passes = skip ? [] : JSON.parse(ptxscope(['passes', '--json']).stdout).filter(({ built, within, level, id }) => built && !within && level !== 'analysis' && id !== 'isel-dag-printer' && id !== 'machine-verifier');
const knobs = skip ? [] : JSON.parse(ptxscope(['knobs', '--json']).stdout);

/** Runs when a knob asks for it that is off by default. */
const onRequest = ({ gates }) => gates.some((gate) => !/disable-/.test(gate) && knobs.some(({ name, default: value }) => name === gate && !value));
/** Those that run at -O3 and whose result can be printed and read again: IR passes, and machine passes. */
const stages = passes.filter((pass) => pass.at.O3 && (pass.level === 'ir' || pass.level === 'mir') && pass.group !== 'emission' && !onRequest(pass));

for (const { host, run, skip: absent } of hosts)
	describe(`compile: files (${host})`, { skip: absent }, () => {
		test('an unreadable file', () => {
			const { status, stderr } = run(['compile', 'nosuch.ll', '-o', '-']);
			assert.equal(stderr, 'ptxscope: nosuch.ll: No such file or directory\n');
			assert.equal(status, 2);
		});

		test('a folder', () => {
			const { status, stderr } = run(['compile', 'examples', '-o', '-']);
			assert.equal(stderr, 'ptxscope: examples: Is a directory\n');
			assert.equal(status, 2);
		});

		test('-o FILE writes the same bytes as -o -', () => {
			const file = join(folder, `${host}.ptx`);
			const { status, stdout } = run(['compile', saxpy, '-o', file]);
			assert.equal(status, 0);
			assert.equal(stdout, '');
			assert.equal(readFileSync(file, 'utf8'), ptx(saxpy));
		});

		test('- reads standard input', () => {
			const { status, stdout } = run(['compile', '-', '-o', '-'], { input: readFileSync(join(root, saxpy)) });
			assert.equal(status, 0);
			assert.equal(stdout, ptx(saxpy));
		});

		test('a file that cannot be written', () => {
			const { status, stderr } = run(['compile', saxpy, '-o', join(folder, 'no/such/folder.ptx')]);
			assert.equal(status, 2);
			assert.match(stderr, /^ptxscope: .*folder\.ptx: No such file or directory\n$/);
		});
	});

describe('compile: targets', { skip }, () => {
	const directive = (text) => ({ version: /^\.version (\S+)$/m.exec(text)?.[1], target: /^\.target (\S+)$/m.exec(text)?.[1] });

	test('sm_75 is the default', () => {
		assert.equal(directive(ptx(saxpy)).target, 'sm_75');
		assert.equal(ptx(saxpy), ptx(saxpy, '-mcpu=sm_75'));
	});

	test('-mcpu and -mattr, with one dash or two, joined or apart', () => {
		assert.equal(directive(ptx(saxpy, '-mcpu=sm_90')).target, 'sm_90');
		assert.equal(directive(ptx(saxpy, '--mcpu=sm_90a')).target, 'sm_90a');
		assert.equal(directive(ptx(saxpy, '-mcpu', 'sm_80')).target, 'sm_80');
		assert.deepEqual(directive(ptx(saxpy, '-mcpu=sm_90', '-mattr=+ptx85')), { version: '8.5', target: 'sm_90' });
		assert.equal(directive(ptx(saxpy, '-mattr=+sm_80,+ptx81')).version, '8.1');
	});

	test('-march=nvptx has 32-bit addresses', () => {
		assert.match(ptx(saxpy), /^\.address_size 64$/m);
		assert.match(ptx(saxpy, '-march=nvptx', '-mtriple=nvptx-nvidia-cuda'), /^\.address_size 32$/m);
	});

	test('what llc accepts and has no meaning here is ignored', () => {
		assert.equal(ptx(saxpy, '-asm-verbose=0', '-filetype=asm', '-fatal-warnings'), ptx(saxpy));
	});
});

describe('compile: every knob is an option', { skip }, () => {
	for (const { name, type, default: value } of knobs)
		test(name, () => {
			// A bool that goes by the level has the level's word for its default.
			const text = Array.isArray(value) ? value.join(',') : type === 'bool' && typeof value !== 'boolean' ? '1' : String(value);
			compile([saxpy, `-${name}=${text}`]);
			compile([saxpy, `--${name}=${text}`]);
			compile([saxpy, '-opt', `-${name}=${text}`]);
			if (type === 'bool')
				compile([saxpy, `-${name}`]);
		});
});

describe('compile: the pipeline in parts', { skip }, () => {
	const whole = ptx(reduce, '-mcpu=sm_80');
	for (const { id, level } of stages) {
		const extension = level === 'ir' ? 'll' : 'mir';
		test(`-stop-after=${id}, then -start-after=${id}, is the whole`, () => {
			const file = join(folder, `after-${id}.${extension}`);
			writeFileSync(file, ptx(reduce, '-mcpu=sm_80', `-stop-after=${id}`));
			assert.equal(ptx(file, '-mcpu=sm_80', `-start-after=${id}`), whole);
		});

		test(`-stop-before=${id}, then -run-pass=${id}, is -stop-after=${id}`, () => {
			const before = passes[passes.findIndex((pass) => pass.id === id) - 1];
			if (before && before.level !== level)
				return; // the text before it is of another kind
			const file = join(folder, `before-${id}.${extension}`);
			writeFileSync(file, ptx(reduce, '-mcpu=sm_80', `-stop-before=${id}`));
			assert.equal(ptx(file, '-mcpu=sm_80', `-run-pass=${id}`), ptx(reduce, '-mcpu=sm_80', `-stop-after=${id}`));
		});
	}

	test('an unknown pass is a usage error with the nearest name', () => {
		for (const option of ['stop-after', 'stop-before', 'start-after', 'start-before', 'run-pass', 'print-after', 'print-before']) {
			const { status, stderr, stdout } = ptxscope(['compile', saxpy, '-o', '-', `-${option}=dead-mi-eliminatoin`]);
			assert.equal(status, 2, option);
			assert.match(stderr, /'dead-mi-eliminatoin'.*did you mean 'dead-mi-elimination'\?/, option);
			assert.equal(stdout, '');
		}
	});

	test('--emit=ir|mir|ptx', () => {
		assert.match(ptx(saxpy, '--emit=ir'), /^define /m);
		assert.match(ptx(saxpy, '--emit=mir'), /^body:/m);
		assert.equal(ptx(saxpy, '--emit=ptx'), ptx(saxpy));
		assert.equal(ptxscope(['compile', saxpy, '--emit=obj', '-o', '-']).status, 2);
	});
});

describe('compile: dumps', { skip }, () => {
	const headings = (text) => [...text.matchAll(/^# \*\*\* IR Dump (Before|After) (.*) \(([\w:-]+)\)(?: on (.*))? \*\*\*:$/gm)]
		.map(([, when, title, id]) => ({ when, title, id }));
	const title = new Map(passes.map((pass) => [pass.id, pass.title]));

	test('-print-after-all names every pass by title and id', () => {
		const list = headings(compile([saxpy, '-print-after-all']).stderr);
		assert.ok(list.length > 0);
		for (const heading of list)
			assert.equal(heading.title, title.get(heading.id));
		const seen = new Set(list.map(({ id }) => id));
		assert.deepEqual(stages.map(({ id }) => id).filter((id) => !seen.has(id)), []);
		assert.ok(list.every(({ when }) => when === 'After'));
	});

	test('-print-before-all', () => {
		assert.ok(headings(compile([saxpy, '-print-before-all']).stderr).every(({ when }) => when === 'Before'));
	});

	test('-print-after and -print-before take lists', () => {
		const [first, second] = stages.slice(-2).map(({ id }) => id);
		const list = headings(compile([saxpy, `-print-after=${first},${second}`, `-print-before=${second}`]).stderr);
		assert.deepEqual(list.map(({ when, id }) => `${when} ${id}`), [`After ${first}`, `Before ${second}`, `After ${second}`]);
	});

	test('-print-changed prints a subset of -print-after-all', () => {
		const all = headings(compile([saxpy, '-print-after-all']).stderr).length;
		const changed = headings(compile([saxpy, '-print-changed']).stderr).length;
		assert.ok(changed > 0 && changed <= all, `${changed} of ${all}`);
	});

	test('-filter-print-funcs', () => {
		const { stderr } = compile([saxpy, '-print-after-all', '-filter-print-funcs=nosuch']);
		assert.ok(!stderr.includes('saxpy('));
	});

	test('dumps do not change the result', () => {
		assert.equal(ptx(saxpy, '-print-after-all', '-print-before-all', '-verify-machineinstrs', '-time-passes', '-stats'), ptx(saxpy));
	});
});

describe('compile: bisecting, times, statistics', { skip }, () => {
	test('-opt-bisect-limit=N runs the first N', () => {
		const lines = (n) => compile([saxpy, `-opt-bisect-limit=${n}`]).stderr.split('\n').filter((line) => line.startsWith('BISECT:'));
		const all = lines(100000);
		assert.ok(all.length > 2);
		all.forEach((line, i) => assert.match(line, new RegExp(`^BISECT: running pass \\(${i + 1}\\) [\\w:-]+ on `)));
		const two = lines(2);
		assert.equal(two.filter((line) => line.startsWith('BISECT: running')).length, 2);
		assert.ok(two.slice(2).every((line) => line.startsWith('BISECT: NOT running pass (')));
		assert.equal(ptx(saxpy, '-opt-bisect-limit=100000'), ptx(saxpy));
		compile([saxpy, '-opt-bisect-limit=0']);
	});

	test('-time-passes and -stats report every pass that ran', () => {
		const { stderr } = compile([saxpy, '-time-passes', '-stats']);
		assert.match(stderr, /Pass execution timing report/);
		assert.match(stderr, /Statistics/);
		for (const { id } of stages)
			assert.ok(stderr.includes(id), id);
	});
});

describe('compile: --trace', { skip }, () => {
	const file = join(folder, 'trace.json');
	const run = (...args) => {
		const { stdout } = compile([...args, `--trace=${file}`]);
		return { ptx: stdout, trace: JSON.parse(readFileSync(file, 'utf8')) };
	};

	for (const { name, file: input, text } of examples)
		test(`${name}: every line knows where it came from`, () => {
			const { ptx: out, trace } = run(input, '-mcpu=sm_90');
			const count = text.split('\n').length;
			assert.equal(trace.version, 1);
			assert.equal(trace.target, 'sm_90');
			assert.equal(trace.ptx, out);
			assert.deepEqual(trace.diagnostics, []);
			assert.equal(trace.ptxLines.length, out.split('\n').length - 1);
			assert.ok(trace.ptxLines.every((line) => Number.isInteger(line) && line >= 0 && line <= count));
			const origins = trace.ptxLines.filter((line) => line > 0);
			assert.ok(new Set(origins).size >= 3, 'instructions name their lines');
			trace.passes.forEach((entry, i) => {
				assert.equal(entry.i, i);
				assert.equal(typeof entry.changed, 'boolean');
				assert.ok(entry.ms >= 0 && entry.insts >= 0);
				assert.ok(entry.text === null || entry.text < trace.texts.length);
				if (entry.text !== null)
					assert.equal(entry.lines.length, trace.texts[entry.text].split('\n').length - 1, entry.id);
				assert.ok(entry.lines.every((line) => line >= 0 && line <= count), entry.id);
			});
			const ids = new Set([...passes.map(({ id }) => id), 'input']);
			assert.deepEqual(trace.passes.map(({ id }) => id).filter((id) => !ids.has(id)), []);
		});

	test('the lines of the PTX are of the instructions they came from', () => {
		const { ptx: out, trace } = run(saxpy);
		const source = readFileSync(join(root, saxpy), 'utf8').split('\n');
		const at = out.split('\n').findIndex((line) => /\bfma\.rn\.f32|\bst\.global\.(f32|b32)/.test(line));
		assert.ok(at >= 0);
		assert.match(source[trace.ptxLines[at] - 1], /fma|fmuladd|fadd|store float/);
	});

	test('a compilation that fails leaves its diagnostics in the trace', () => {
		const bad = join(folder, 'bad.ll');
		writeFileSync(bad, 'define void @f() {\n  ret i32 %x\n}\n');
		const { status } = ptxscope(['compile', bad, '-o', '-', `--trace=${file}`]);
		assert.equal(status, 1);
		const { diagnostics } = JSON.parse(readFileSync(file, 'utf8'));
		assert.ok(diagnostics.length > 0);
		for (const field of ['severity', 'line', 'col', 'endLine', 'endCol', 'code', 'message', 'hint'])
			assert.ok(field in diagnostics[0], field);
		assert.equal(diagnostics[0].line, 2);
	});
});
