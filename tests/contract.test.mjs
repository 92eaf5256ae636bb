// The JSON of the command line, field by field: other tools read it.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { declaredFields, disagreements, readDeclarations } from './tools/declarations.mjs';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const string = (v) => typeof v === 'string';
const count = (v) => Number.isSafeInteger(v) && v >= 0;
const number = (v) => Number.isFinite(v);
const boolean = (v) => typeof v === 'boolean';
const word = (...words) => (v) => words.includes(v);
const nullable = (check) => (v) => v === null || matches(v, check);
const triple = (v) => Array.isArray(v) && v.length === 3 && v.every(count);
const list = (check) => (v) => Array.isArray(v) && v.every((item, i) => matches(item, check, i));
const record = (check) => (v) => v !== null && typeof v === 'object' && Object.values(v).every((item) => matches(item, check));

/** Is `value` of the shape: a predicate, or an object with exactly these fields (in any order; those ending in ? may be absent)? */
function matches(value, shape) {
	if (typeof shape === 'function')
		return shape(value);
	const names = new Set(Object.keys(value));
	for (const [key, check] of Object.entries(shape)) {
		const name = key.replace(/\?$/, '');
		if (!names.delete(name)) {
			assert.ok(key.endsWith('?'), `no ${name} in ${JSON.stringify(value).slice(0, 200)}`);
			continue;
		}
		assert.ok(matches(value[name], check), `${name} is ${JSON.stringify(value[name])?.slice(0, 200)}`);
	}
	assert.deepEqual([...names], [], 'fields that are not described');
	return true;
}

const bufferTypes = word('i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64');
const value = (v) => number(v) || ['nan', 'inf', '-inf'].includes(v) || /^-?\d+$/.test(v);
const execution = {
	buffers: record({ type: bufferTypes, values: list(value) }),
	stats: {
		threadInstructions: count, warpInstructions: count, divergentBranches: count, simtEfficiency: (v) => v >= 0 && v <= 1,
		globalSectors: count, sharedBankConflicts: count, barriers: count,
	},
	faults: list({ kind: string, thread: triple, block: triple, line: count, origin: count, level: word('ir', 'mir', 'ptx'), message: string }),
	'printf?': string,
	'profile?': list({ line: count, executions: count, lanes: number, divergent: count, sectors: count, requests: count, bankConflicts: count }),
};
const pressure = { pred: count, r16: count, r32: count, r64: count, f32: count, f64: count, registers: count };
const trace = {
	version: count, target: string,
	passes: list({
		i: count, id: string, function: string, level: word('ir', 'dag', 'mir', 'emit'), changed: boolean, ms: number, insts: count,
		pressure: nullable(pressure), text: nullable(count), lines: list(count),
	}),
	texts: list(string), ptx: string, ptxLines: list(count),
	diagnostics: list({
		severity: word('error', 'warning', 'note', 'remark'), line: count, col: count, endLine: count, endCol: count, code: string,
		message: string, hint: nullable(string),
	}),
	remarks: list({ pass: string, function: string, line: count, kind: word('passed', 'missed', 'analysis'), message: string, 'value?': string, 'fate?': word('spilled', 'rematerialised') }),
	functions: list({
		name: string, kernel: boolean, line: count, params: list({ name: string, type: string, bytes: count, align: count, byval: boolean, 'element?': string }),
		budget: nullable({ registers: { limit: count, target: count, by: string }, predicates: { limit: count, target: count, by: string } }),
	}),
};
const level = { O0: boolean, O1: boolean, O2: boolean, O3: boolean };
const passes = list({
	id: string, title: string, level: word('ir', 'dag', 'mir', 'emit', 'analysis'), group: string, nvidia: boolean, gates: list(string), at: level,
	instance: count, built: boolean, within: string, 'added?': { by: string, at: count }, summary: string,
});
const knobs = list({
	name: string, type: word('bool', 'int', 'enum', 'string', 'list'), default: () => true, 'min?': nullable(number), 'max?': nullable(number),
	'values?': list(string), group: string, passes: list(string), kind: word('exact', 'quality', 'debug'), aliases: list(string), inverse: list(string), summary: string,
});
const checked = { ok: boolean, stages: count, 'pass?': string, 'level?': word('ir', 'mir', 'ptx'), 'message?': string };

const folder = temporaryFolder();
function file(name, text) {
	writeFileSync(join(folder, name), text);
	return join(folder, name);
}
const wild = file('wild.ll', `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @wild(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4096
  store i32 1, ptr %q, align 4
  ret void
}
`);
const wildLaunch = file('wild.json', JSON.stringify({ kernel: 'wild', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'b' }], buffers: { b: { type: 'f16', count: 2 } } }));
const bad = file('bad.ll', 'define void @f() {\n  %x = frob i32 1\n  ret void\n}\n');

for (const { host, run, skip } of hosts)
	describe(`JSON (${host})`, { skip }, () => {
		const json = (args, status = 0) => {
			const result = run(args);
			assert.equal(result.status, status, result.stderr);
			return JSON.parse(result.stdout);
		};
		const example = (name) => [`examples/${name}.ll`, '--launch', `examples/${name}.launch.json`, '--json'];

		test('run --json, at every level, with and without a profile', () => {
			for (const at of ['ir', 'mir', 'ptx']) {
				const plain = json(['run', ...example('reduce_shared'), `--level=${at}`]);
				matches(plain, execution);
				assert.equal(plain.profile, undefined);
				const profiled = json(['run', ...example('reduce_shared'), `--level=${at}`, '--profile']);
				matches(profiled, execution);
				assert.ok(profiled.profile.length > 5);
				assert.ok(profiled.stats.globalSectors > 0);
			}
		});

		test('run --json of a fault: status 1, and what there is', () => {
			for (const at of ['ir', 'mir', 'ptx']) {
				const result = json(['run', wild, '--launch', wildLaunch, '--json', `--level=${at}`], 1);
				matches(result, execution);
				assert.equal(result.faults.length, 1);
				assert.equal(result.faults[0].level, at);
				assert.equal(result.faults[0].origin, 4);
			}
		});

		test('check --json', () => {
			const good = json(['check', ...example('saxpy')]);
			matches(good, checked);
			assert.deepEqual([good.ok, good.pass], [true, undefined]);
			const wrong = json(['check', ...example('saxpy'), '--break-after=instsimplify'], 1);
			matches(wrong, checked);
			assert.deepEqual([wrong.ok, wrong.pass, wrong.level], [false, 'instsimplify', 'ir']);
		});

		test('--trace', () => {
			const at = join(folder, `${host}.trace.json`);
			for (const [input, status] of [['examples/reduce_shared.ll', 0], [bad, 1]]) {
				const result = run(['compile', input, '-o', '-', '--trace=-']);
				assert.equal(result.status, status, at);
				const text = result.stdout.slice(result.stdout.indexOf('{"version"'));
				matches(JSON.parse(text), trace);
			}
		});

		test('--trace lists kernels with what their pointers point to, of IR and of PTX', () => {
			const kernels = ({ functions }) => functions.filter((f) => f.kernel)
				.map((f) => [f.name, ...f.params.map((p) => [p.type, p.element ?? '', p.byval ? p.bytes : ''].filter(Boolean).join(' '))]);
			const compiled = run(['compile', 'examples/struct_param.ll', '-o', join(folder, 'out.ptx'), '--trace=-']).stdout;
			assert.deepEqual(kernels(JSON.parse(compiled)), [['struct_param', '%struct.Config 88', '%struct.Pair 8', 'ptr f32', 'ptr f64', 'ptr i32']]);
			const read = (path) => JSON.parse(run(['fmt', path, '--disable-output', '--trace=-']).stdout);
			const entry = file('entry.ptx', `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 k_p, .param .u64 k_n, .param .align 8 .b8 k_s[24], .param .f32 k_f)
{
	.reg .b64 %rd<6>;
	.reg .b16 %rs<2>;
	ld.param.u64 %rd1, [k_p];
	ld.param.u64 %rd2, [k_n];
	cvta.to.global.u64 %rd3, %rd1;
	mad.lo.s64 %rd4, %rd2, 2, %rd3;
	mov.u16 %rs1, 1;
	st.global.u16 [%rd4+2], %rs1;
	ret;
}
`);
			const text = read(entry);
			matches(text, trace);
			assert.deepEqual(kernels(text), [['k', 'ptr u16', 'u64', 'b8 24', 'f32']]);
			assert.equal(text.ptxLines.length, 15);
			// Loads and stores of bits: what computes with the registers tells floats; through a tile in shared memory too.
			const bits = read(file('bits.ptx', `.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u64 k_in, .param .u64 k_half, .param .u64 k_bf, .param .u64 k_out, .param .u64 k_i, .param .b32 k_f, .param .b32 k_n)
{
	.reg .b64 %rd<12>;
	.reg .b32 %r<12>;
	.reg .b16 %rs<4>;
	.shared .align 4 .b8 tile[128];
	ld.param.b64 %rd1, [k_in];
	ld.param.b64 %rd2, [k_half];
	ld.param.b64 %rd3, [k_bf];
	ld.param.b64 %rd4, [k_out];
	ld.param.b64 %rd5, [k_i];
	ld.param.b32 %r1, [k_f];
	ld.param.b32 %r2, [k_n];
	mov.b64 %rd6, tile;
	ld.global.v2.b32 {%r3, %r4}, [%rd1];
	st.shared.b32 [%rd6], %r3;
	st.shared.b32 [%rd6+4], %r4;
	ld.shared.b32 %r5, [%rd6+8];
	fma.rn.f32 %r6, %r5, %r1, %r5;
	ld.global.b32 %r7, [%rd2];
	fma.rn.f16x2 %r7, %r7, %r7, %r7;
	ld.global.b16 %rs1, [%rd3];
	fma.rn.bf16 %rs1, %rs1, %rs1, %rs1;
	st.global.b64 [%rd4], 0d3FF0000000000000;
	add.s32 %r8, %r2, 1;
	st.global.b32 [%rd5], %r8;
	ret;
}
`));
			assert.deepEqual(kernels(bits), [['k', 'ptr f32', 'ptr f16', 'ptr u16', 'ptr f64', 'ptr i32', 'f32', 'b32']]);
			const wrong = read(file('wrong.ptx', '.version 7.0\n.target sm_70\njunk\n'));
			matches(wrong, trace);
			assert.deepEqual([wrong.functions, wrong.diagnostics[0].line], [[], 3]);
			assert.equal(run(['fmt', 'examples/saxpy.ll', '--trace=-']).status, 2);
		});

		test('passes --json, knobs --json', () => {
			matches(json(['passes', '--json']), passes);
			matches(json(['knobs', '--json']), knobs);
		});
	});

// A number says nothing of its unit and range: a comment does, of the field or of those that stand together with it.
test('every number in index.d.ts and ptxscope.h is described', () => {
	for (const [file, number] of [
		['wasm/index.d.ts', /^\t(?:readonly )?\w+\??: (?:number|\[number[^;]*|number\[\])(?: \| null)?;$/],
		['core/api/ptxscope.h', /^\t(?:u?int\d+_t|size_t|double)\s[^(]*;/],
	]) {
		const lines = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split('\n');
		let described = 0;
		lines.forEach((line, i) => {
			if (!number.test(line))
				return;
			let at = i;
			while (number.test(lines[at]) && !lines[at].includes('*/'))
				at--;
			described++;
			assert.ok(lines[at].includes('*/') || (lines[at].endsWith('{') && lines[at - 1].includes('*/')), `${file}:${i + 1}: ${line.trim()}`);
		});
		assert.ok(described > 20, `${file}: ${described}`);
	}
});

// wasm/index.d.ts is written by hand; here it is compared with what is printed, both ways.
test('index.d.ts declares what is printed, and what it declares is printed', { skip: hosts[0].skip }, () => {
	const all = readDeclarations(readFileSync(new URL('../wasm/index.d.ts', import.meta.url), 'utf8'));
	const seen = new Set(), { run } = hosts[0];
	const see = (name, value) => assert.deepEqual(disagreements(all, name, value, seen), [], name);
	const json = (...args) => JSON.parse(run(args).stdout.replace(/^[^]*?(?=\{"version"|^[[{])/m, ''));
	const talks = file('talks.ll', `declare i32 @vprintf(ptr, ptr)
@s = constant [3 x i8] c"hi\\00"
define ptx_kernel void @talks(ptr %b) {
  %r = call i32 @vprintf(ptr @s, ptr null)
  ret void
}
`);
	const talksLaunch = file('talks.json', JSON.stringify({ kernel: 'talks', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'b' }], buffers: { b: { type: 'i32', count: 1 } } }));
	for (const input of ['examples/reduce_shared.ll', bad])
		see('Trace', json('compile', input, '-o', `${folder}/out`, '--trace=-'));
	see('Trace', json('compile', 'tests/mirpass/nvptx-remat-block.mir', '--run-pass=nvptx-remat-block', '-maxreg=2', '-o', `${folder}/out`, '--trace=-'));
	for (const [name, command] of [['PassInfo', 'passes'], ['KnobInfo', 'knobs'], ['OpcodeInfo', 'opcodes'], ['IntrinsicInfo', 'intrinsics']])
		for (const row of json(command, '--json'))
			see(name, row);
	see('ExecutionResult', json('run', 'examples/reduce_shared.ll', '--launch', 'examples/reduce_shared.launch.json', '--json', '--profile'));
	see('ExecutionResult', json('run', wild, '--launch', wildLaunch, '--json'));
	see('ExecutionResult', json('run', talks, '--launch', talksLaunch, '--json'));
	for (const args of [[], ['--break-after=instsimplify']]) // the package adds what is no part of the JSON
		see('CheckResult', { ...json('check', 'examples/saxpy.ll', '--launch', 'examples/saxpy.launch.json', '--json', ...args), status: 0, stderr: '' });
	const declared = declaredFields(all, ['Trace', 'PassInfo', 'KnobInfo', 'OpcodeInfo', 'IntrinsicInfo', 'ExecutionResult', 'CheckResult']);
	assert.ok(declared.size > 80, `only ${declared.size} fields are declared`);
	assert.deepEqual([...declared].filter((field) => !seen.has(field)), [], 'declared, but never printed');
});
