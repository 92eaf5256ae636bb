// The command line's face: commands, usage errors, exit statuses, lists; natively and over WebAssembly.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { hosts, native, temporaryFolder } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const saxpy = 'examples/saxpy.ll';

/** Usage errors: nothing on standard output, status 2, one line that says what was wrong. */
const usage = [
	['no file', ['compile'], /^ptxscope: compile wants an input file; - is standard input\n$/],
	['two files', ['compile', 'a.ll', 'b.ll'], /^ptxscope: one input file, please: 'a.ll' and 'b.ll' were given\n$/],
	['unknown command', ['copmile', saxpy], /unknown command 'copmile'; did you mean 'compile'\?/],
	['unknown command, nothing near', ['frobnicate'], /unknown command 'frobnicate'\n/],
	['unknown option, one dash', ['compile', saxpy, '-print-aftr-all'], /unknown option '-print-aftr-all'; did you mean '-print-after-all'\?/],
	['unknown option, two dashes', ['compile', saxpy, '--stop-aftr=x'], /did you mean '-stop-after'\?/],
	['unknown option, nothing near', ['compile', saxpy, '-zzzzzzzzzzzzzzzz'], /unknown option '-zzzzzzzzzzzzzzzz'/],
	['unknown knob', ['compile', saxpy, '-disable-machine-dec'], /did you mean '-disable-machine-dce'\?/],
	['unknown knob within -opt', ['compile', saxpy, '-opt', '-disable-machine-dec=1'], /did you mean '-disable-machine-dce'\?/],
	['option of another command', ['compile', saxpy, '--launch=l.json'], /option -launch has no meaning for this command/],
	['value missing', ['compile', saxpy, '-stop-after'], /option -stop-after wants a value/],
	['no number', ['compile', saxpy, '-opt-bisect-limit=x'], /option -opt-bisect-limit wants a number, not 'x'/],
	['no boolean', ['compile', saxpy, '-disable-machine-dce=maybe'], /-disable-machine-dce wants true or false, not 'maybe'/],
	['no such level', ['compile', saxpy, '-O4'], /there are -O0, -O1, -O2 and -O3, no -O4/],
	['no level', ['compile', saxpy, '-O'], /there are -O0, -O1, -O2 and -O3, no -O\n/],
	['no count', ['run', saxpy, '--max-steps=0'], /option -max-steps wants a number from 1 on, not '0'/],
	['no count below zero', ['compile', saxpy, '--max-memory=-3'], /option -max-memory wants a number from 1 on, not '-3'/],
	['version misspelt', ['--verison'], /did you mean '--version'\?/],
	['help about nothing', ['help', 'complie'], /unknown command 'complie'; did you mean 'compile'\?/],
	['no launch', ['run', saxpy], /run needs --launch=FILE/],
	['one standard input for two', ['run', '-', '--launch', '-'], /the input and the launch file cannot both be standard input/],
	['unreadable launch', ['run', saxpy, '--launch', 'nosuch.json'], /^ptxscope: nosuch.json: No such file or directory\n$/],
	['unreadable launch of check', ['check', saxpy, '--launch', 'examples'], /^ptxscope: examples: Is a directory\n$/],
	['unknown target', ['compile', saxpy, '-mcpu=sm_9'], /unknown target 'sm_9'; did you mean 'sm_90'\?/],
	['unknown PTX version', ['compile', saxpy, '-mattr=+ptx999'], /unknown PTX version in -mattr: '\+ptx999'/],
	['another architecture', ['compile', saxpy, '-march=x86-64'], /-march wants nvptx64 or nvptx, not 'x86-64'/],
	['file to a list', ['passes', 'x.ll'], /passes takes no file/],
	['unreadable file', ['compile', 'nosuch.ll', '-o', '-'], /^ptxscope: nosuch.ll: No such file or directory\n$/],
	['a folder', ['compile', 'examples', '-o', '-'], /^ptxscope: examples: Is a directory\n$/],
];

for (const { host, run, skip } of hosts)
	describe(`command line (${host})`, { skip }, () => {
		for (const [name, args, message] of usage)
			test(`usage error: ${name}`, () => {
				const { status, stdout, stderr } = run(args);
				assert.match(stderr, message);
				assert.equal(stdout, '');
				assert.equal(status, 2);
			});

		for (const [words, message] of [
			[['-mcpu=sm_103a', '-mattr=+ptx87'], /PTX 8\.7 does not know sm_103a, which came with PTX 8\.8; .*\+ptx88/],
			[['-mattr=+ptx63,+sm_80'], /PTX 6\.3 does not know sm_80, which came with PTX 7\.0/],
		])
			test(`a target that is newer than the PTX version is status 1, as in llc: ${words.join(' ')}`, () => {
				const { status, stdout, stderr } = run(['compile', saxpy, ...words]);
				assert.match(stderr, message);
				assert.equal(stdout, '');
				assert.equal(status, 1);
			});

		for (const knob of ['reg-target-adjust', 'pred-target-adjust'])
			test(`MRPA-13: -${knob} outside of -10 to 10 is set to the nearest, with a warning`, () => {
				const plain = run(['compile', saxpy, '-o', '-']);
				for (const [value, set] of [['-10'], ['0'], ['10'], ['-11', '-10'], ['11', '10']]) {
					const { status, stdout, stderr } = run(['compile', saxpy, '-o', '-', `-${knob}=${value}`]);
					assert.equal(status, 0);
					assert.equal(stdout, plain.stdout);
					if (set)
						assert.equal(stderr, `ptxscope: warning: -${knob} wants a number from -10 to 10, not ${value}: it is set to ${set}\n`);
					else
						assert.equal(stderr, '');
				}
			});

		test('MRPA-15: a knob without an effect is taken, and listed as such with the reason', () => {
			const plain = run(['compile', saxpy, '-o', '-']);
			const set = run(['compile', saxpy, '-o', '-', '-cta-reconfig-aware-mrpa']);
			assert.deepEqual([set.status, set.stdout, set.stderr], [0, plain.stdout, '']);
			const knob = JSON.parse(run(['knobs', '--json']).stdout).find(({ name }) => name === 'cta-reconfig-aware-mrpa');
			assert.match(knob.summary, /^No effect here: \w/);
			assert.deepEqual(knob.passes, []);
		});

		test('no command prints the usage', () => {
			const { status, stdout, stderr } = run([]);
			assert.equal(status, 2);
			assert.equal(stdout, '');
			assert.match(stderr, /^usage: ptxscope COMMAND/);
		});

		test('--help, with one dash or two', () => {
			for (const word of ['--help', '-help', '-h']) {
				const { status, stdout, stderr } = run([word]);
				assert.equal(status, 0);
				assert.equal(stderr, '');
				for (const command of ['compile', 'run', 'check', 'fmt', 'passes', 'knobs', 'opcodes', 'intrinsics'])
					assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
			}
			assert.match(run(['compile', '--help']).stdout, /--stop-after=PASS/);
		});

		test('help COMMAND is COMMAND --help', () => {
			assert.equal(run(['help']).stdout, run(['--help']).stdout);
			assert.equal(run(['help', 'run']).stdout, run(['run', '--help']).stdout);
		});

		test('a feature that is not known is told and ignored, with or without its sign', () => {
			const { status, stdout, stderr } = run(['compile', saxpy, '-mattr=ptx80,+warp-speed', '-o', '-']);
			assert.equal(status, 0);
			assert.match(stdout, /^\.version 8\.0$/m);
			assert.match(stderr, /^ptxscope: warning: '\+warp-speed' is no feature/);
		});

		test('--version: name, version, commit', () => {
			for (const word of ['--version', '-version']) {
				const { status, stdout } = run([word]);
				assert.equal(status, 0);
				assert.match(stdout, new RegExp(`^ptxscope ${version.replaceAll('.', '\\.')} \\(([0-9a-f]{12}|unknown)\\)\\n$`));
			}
		});

		test('passes: table and JSON agree', () => {
			const rows = JSON.parse(run(['passes', '--json']).stdout);
			const table = run(['passes']).stdout;
			assert.ok(rows.length > 0);
			assert.equal(new Set(rows.map(({ id, instance }) => `${id},${instance}`)).size, rows.length);
			for (const row of rows) {
				assert.deepEqual(Object.keys(row).filter((key) => key !== 'added'), ['id', 'title', 'level', 'group', 'nvidia', 'gates', 'at', 'instance', 'built', 'within', 'summary']);
				assert.ok(['ir', 'dag', 'mir', 'emit', 'analysis'].includes(row.level), row.level);
				assert.equal(typeof row.nvidia, 'boolean');
				assert.deepEqual(Object.keys(row.at), ['O0', 'O1', 'O2', 'O3']);
				assert.ok(row.title && row.summary, row.id);
				const line = table.split('\n').find((l) => l.split(' ')[0] === (row.instance ? `${row.id},${row.instance}` : row.id));
				assert.ok(line, row.id);
				assert.equal(/ not built /.test(line), !row.built, line);
				assert.equal(row.within !== '', line.includes(` in ${row.within} `), line);
			}
		});

		test('every gate of a pass is a knob, every pass of a knob a pass', () => {
			const passes = JSON.parse(run(['passes', '--json']).stdout);
			const knobs = JSON.parse(run(['knobs', '--json']).stdout);
			const names = new Set(knobs.map(({ name }) => name)), ids = new Set(passes.map(({ id }) => id));
			assert.deepEqual(passes.flatMap(({ gates }) => gates).filter((gate) => !names.has(gate)), []);
			assert.deepEqual(knobs.flatMap((knob) => knob.passes).filter((id) => id && !ids.has(id)), []);
		});

		test('knobs: table and JSON agree', () => {
			const rows = JSON.parse(run(['knobs', '--json']).stdout);
			const table = run(['knobs']).stdout;
			assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length);
			for (const row of rows) {
				assert.deepEqual(Object.keys(row), ['name', 'type', 'default', 'min', 'max', 'values', 'group', 'passes', 'kind', 'aliases', 'inverse', 'summary']);
				assert.ok(['bool', 'int', 'enum', 'string', 'list'].includes(row.type), row.type);
				assert.ok(['exact', 'quality', 'debug'].includes(row.kind), row.kind);
				assert.ok(row.type !== 'enum' || row.values.length > 1, row.name);
				assert.ok(row.summary, row.name);
				assert.ok(table.includes(row.name));
			}
		});
	});

describe('a file that is shorter than it says', { skip: existsSync(native) ? false : 'no native build' }, () => {
	// The kernel's own files say a page and have a line.
	const short = '/sys/kernel/mm/transparent_hugepage/enabled';
	test('is an error with its name', { skip: existsSync(short) ? false : `${short} missing` }, () => {
		const { run } = hosts.find(({ host }) => host === 'native');
		for (const args of [['compile', short], ['run', saxpy, `--launch=${short}`]]) {
			const { status, stderr } = run(args);
			assert.equal(stderr, `ptxscope: ${short}: shrank while it was read\n`);
			assert.equal(status, 2);
		}
	});

	test('because it was cut at any moment of the run ends no process', async () => {
		const file = join(temporaryFolder(), 'cut.ll'), text = ';'.repeat(99).concat('\n').repeat(320000);
		for (let wait = 0; wait < 48; wait += 4) {
			writeFileSync(file, text);
			const child = spawn(native, ['compile', file, '-o', '/dev/null'], { stdio: ['ignore', 'ignore', 'pipe'] });
			const ended = new Promise((resolve) => child.on('close', (status, signal) => resolve({ status, signal })));
			let stderr = '';
			child.stderr.on('data', (data) => { stderr += data; });
			await setTimeout(wait);
			truncateSync(file, 1000);
			const { status, signal } = await ended;
			assert.equal(signal, null, `cut after ${wait} ms`);
			assert.equal(stderr, status === 0 ? '' : `ptxscope: ${file}: shrank while it was read\n`);
		}
	});
});
