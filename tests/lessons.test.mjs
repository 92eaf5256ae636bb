// The lessons: what they quote is what the compiler says, what they point at is there, and their kernels compute what is expected.
//
// A fence names where its lines come from: ```ir pass=cssa knobs=do-cssa=0```: the module after a pass; mir: machine code after a
// pass; ptx; remarks: of a pass; dump: what a knob prints. Lines stand together, but for "…"; registers may have other numbers.

import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { complaints } from './tools/launch.mjs';
import { native, ptxscope } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const skip = existsSync(native) ? false : 'no native build';
const folder = join(root, 'examples/lessons');
const names = (extension) => readdirSync(folder).filter((f) => f.endsWith(extension)).sort();
const example = (name) => join(root, 'examples', `${name}.ll`);

const read = (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const front = Object.fromEntries([...(/^---\n([^]*?)\n---/.exec(text)?.[1] ?? '').matchAll(/^(\w+): *(.*)$/gm)].map(([, k, v]) => [k, v]));
	const fences = [...text.matchAll(/^```(\w*) ?(.*)\n([^]*?)^```$/gm)]
		.map(([, kind, options, body]) => ({ kind, options: Object.fromEntries(options.split(' ').filter(Boolean).map((o) => [o.slice(0, o.indexOf('=')), o.slice(o.indexOf('=') + 1)])), body }));
	// Questions are the page's to check (puzzles.test.mjs).
	const quoted = fences.filter(({ kind }) => kind !== 'question' && kind !== 'goals');
	const prose = text.replace(/^---\n[^]*?\n---/, '').replace(/^```[^]*?^```$/gm, '');
	return { front, fences: quoted, prose };
};

function compile(lesson, options, args) {
	const knobs = (options.knobs ?? '').split(',').filter(Boolean).map((k) => `-${k}`);
	const { status, stdout, stderr } = ptxscope(['compile', example(lesson.front.example ?? 'saxpy'), `-mcpu=${options.target ?? lesson.front.target ?? 'sm_90'}`, '-o', '-', ...knobs, ...args]);
	assert.equal(status, 0, stderr);
	return { stdout, stderr };
}

/** The text that a fence quotes from. */
function source(lesson, { kind, options }) {
	switch (kind) {
	case 'ir': return compile(lesson, options, [`-stop-after=${options.pass}`]).stdout;
	case 'mir': return compile(lesson, options, [`-stop-after=${options.pass}`]).stdout.replace(/^[^]*\nbody:/, '');
	case 'ptx': return compile(lesson, options, []).stdout;
	case 'remarks': return compile(lesson, options, [`-pass-remarks=${options.pass}`]).stderr.replace(/^.*?: (?:remark|missed|analysis): (.*?) \[-pass.*$/gm, '$1');
	case 'dump': return compile(lesson, options, []).stderr;
	default: return assert.fail(`what is a fence of kind "${kind}"?`);
	}
}

/** Does `text` have the lines of `quote`? Each register of the quote stands for one register of the text. */
function quotes(text, quote) {
	const seen = new Map();
	const pattern = quote.trim().split('\n').map((line) => line.trim() === '…' ? '' : line.trim().split(/\s+/).map((word) =>
		word.split(/(%(?:r|rd|rs|p|f|fd)?\d+\b)/).map((part, i) => {
			if (i % 2 === 0)
				return part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
			if (seen.has(part))
				return `\\k<${seen.get(part)}>`;
			seen.set(part, `r${seen.size}`);
			return `(?<${seen.get(part)}>${part.replace(/\d+$/, '')}\\d+)\\b`;
		}).join('')).join('\\s+'));
	const parts = pattern.join('\n').split('\n\n').map((p) => p.split('\n').map((l) => `^\\s*${l}\\s*(?://.*|;.*)?$`).join('\\n'));
	return new RegExp(parts.join('[^]*?'), 'm').test(text);
}

describe('lessons', { skip }, () => {
	test('the comparison tells registers apart', () => {
		assert.ok(quotes('\tadd.s32 \t%r7, %r7, %r9;\n\tret;', 'add.s32 %r1, %r1, %r2;\nret;'));
		assert.ok(!quotes('\tadd.s32 \t%r7, %r8, %r9;\n', 'add.s32 %r1, %r1, %r2;'));
		assert.ok(!quotes('a\nb\nc', 'a\nc'));
		assert.ok(quotes('a\nb\nc', 'a\n…\nc'));
		assert.ok(!quotes('c\na', 'a\n…\nc'));
	});

	for (const file of names('.md'))
		test(`${file} says what is so`, () => {
			const lesson = read(file);
			for (const fence of lesson.fences) {
				const text = source(lesson, fence);
				assert.ok(quotes(text, fence.body), `${file}: not found:\n${fence.body}\nin\n${text}`);
			}
			// What stands in backquotes is a name of the tool's or stands somewhere on the way from IR to PTX.
			const { stdout, stderr } = compile(lesson, {}, ['-print-after-all']);
			const tool = JSON.parse(ptxscope(['passes', '--json']).stdout).map((p) => p.id)
				.concat(JSON.parse(ptxscope(['knobs', '--json']).stdout).map((k) => k.name));
			for (const [, code] of lesson.prose.matchAll(/`([^`]+)`/g)) {
				const known = tool.includes(code) || tool.includes(/^-([\w-]+)=\w+$/.exec(code)?.[1]);
				assert.ok(known || `${readFileSync(example(lesson.front.example ?? 'saxpy'), 'utf8')}${stderr}${stdout}`.includes(code), `${file}: where is ${code}?`);
			}
		});

	for (const file of names('.ll')) {
		const name = file.slice(0, -3), launch = join(folder, `${name}.launch.json`);
		const settings = [[]];
		for (const { front, fences } of names('.md').map(read))
			if (front.example === `lessons/${name}`)
				settings.push(...fences.map(({ options }) => (options.knobs ?? '').split(',').filter(Boolean).map((k) => `-${k}`)));
		test(`${file} computes what its launch file expects, at every level and with each knob of its lessons`, () => {
			assert.ok(settings.length > 1, 'a lesson shows it');
			for (const args of new Set(settings.map((s) => s.join(' '))))
				for (const level of ['ir', 'mir', 'ptx']) {
					const { status, stdout, stderr } = ptxscope(['run', join(folder, file), `--launch=${launch}`, '-mcpu=sm_90', '--json', `--level=${level}`, ...args.split(' ').filter(Boolean)]);
					assert.equal(status, 0, stderr);
					assert.deepEqual(complaints(JSON.parse(readFileSync(launch, 'utf8')), JSON.parse(stdout)), []);
				}
		});
	}
});
