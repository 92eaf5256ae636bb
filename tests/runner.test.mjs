// The runner's executor on the emulator behind CUDA's driver API: it has to give what `run` gives, bit by bit; what kernels do wrong ends
// their process and nothing else.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { findDevices } from '../runner/src/devices.js';
import { BadLaunch, TooLarge, jobBytes, readLaunch } from '../runner/src/launch.js';
import { numbersOf, ptxasError } from '../runner/src/ptxas.js';
import { sandboxed } from '../runner/src/sandbox.js';
import { valuesOf } from '../wasm/buffers.js';
import { doJob } from '../runner/src/work.js';
import { native, ptxas, temporaryFolder } from './tools/ptxscope.mjs';
import { ensureTools, root, which } from './tools/setup.mjs';

const skip = which('cc') && existsSync(native) && process.platform === 'linux' ? false : 'no C compiler, no native build, or not Linux';
let device;
before(async () => {
	if (skip)
		return;
	const { status, stderr } = spawnSync('make', ['-s', 'cuda'], { cwd: root, encoding: 'utf8' });
	assert.equal(status, 0, stderr);
	[device] = await findDevices({ device: 'emulated' });
});

const run = (args, input) => spawnSync(native, args, { cwd: root, encoding: 'utf8', input, maxBuffer: 1 << 28 });
const json = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const ptxOf = (file) => run(['compile', file, '--libdevice', '-mcpu=sm_90', '-o', '-']).stdout;
const bytesOf = (buffer) => Buffer.from(buffer.base64, 'base64');
const decoded = ({ buffers }) => Object.fromEntries(Object.entries(buffers).map(([name, b]) => [name, { type: b.type, values: valuesOf(b.type, bytesOf(b)) }]));

/** What `run --json` says of the same PTX and launch. */
function emulated(ptx, launch) {
	const at = temporaryFolder(), [code, file] = [join(at, 'k.ptx'), join(at, 'l.json')];
	writeFileSync(code, ptx);
	writeFileSync(file, JSON.stringify(launch));
	const { stdout, stderr } = run(['run', code, '--launch', file, '--json']);
	assert.ok(stdout, stderr);
	return JSON.parse(stdout);
}

const job = (ptx, launch, options = {}) => doJob({ ptx, launch, options: { launches: 0, warmup: 0, ...options } }, device, { limits: { wallMs: 5000 } });

/** PTX of one kernel that takes the address of a buffer. */
const kernel = (body, name = 'k', before = '') => `.version 7.8\n.target sm_90\n.address_size 64\n${before}.visible .entry ${name}(.param .u64 p) {
	.reg .pred %p<4>;\n	.reg .b32 %r<8>;\n	.reg .b64 %rd<8>;\n	ld.param.u64 %rd1, [p];\n${body}\n	ret;\n}\n`;
const launchOf = (more = {}) => ({ kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], args: [{ buffer: 'x' }], buffers: { x: { type: 'u32', count: 32 } }, ...more });

// Each has something of its own: symbols, structures by value, printf, dynamic shared memory, halves, device heap, atomics, textures and surfaces.
const kernels = ['saxpy', 'conv_const', 'struct_param', 'half_axpy', 'device_heap', 'matmul_tiled', 'warp_vote', 'libdevice_math', 'tex_surf'];
test('runner: buffers are those of `run`, bit by bit', { skip }, async () => {
	for (const name of kernels) {
		const { expect, ...launch } = json(`tests/kernels/${name}.launch.json`), ptx = ptxOf(`tests/kernels/${name}.ll`), want = emulated(ptx, launch);
		const { result, error } = await job(ptx, launch);
		assert.ok(result && !result.fault, `${name}: ${JSON.stringify(error ?? result.fault)}`);
		assert.deepEqual(decoded(result), want.buffers, name);
		assert.equal(result.printf, want.printf ?? '', name);
		assert.ok(expect, name);
	}
});

test('runner: initial contents of every type and kind are those of `run`', { skip }, async () => {
	const init = {
		i: [{ kind: 'linear', start: -5, step: 3 }, { kind: 'random', seed: '18446744073709551615' }, { kind: 'random', seed: 3, min: -20, max: 99 }, { kind: 'constant', value: -2 }, { kind: 'values', values: [1, '-3', 127] }],
		f: [{ kind: 'linear', start: 0.1, step: 1.7e-3 }, { kind: 'linear', start: 2049, step: 1 }, { kind: 'random', seed: 9 }, { kind: 'random', seed: 3, min: -1e5, max: 1e5 }, { kind: 'random', seed: 4, min: -7e-8, max: 7e-5 },
			{ kind: 'constant', value: 65519.999 }, { kind: 'values', values: ['nan', '-inf', 'inf', 5e-324, '-0', 65520, 2.98e-8, 0.1] }],
	};
	const buffers = {};
	for (const type of ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64']) {
		buffers[`${type}_zero`] = { type, count: 3 };
		init[type[0] === 'f' ? 'f' : 'i'].forEach((how, i) => { buffers[`${type}_${i}`] = { type, count: 200, init: how }; });
	}
	const ptx = kernel('\tst.global.u32 [%rd1], 77;'), launch = launchOf({ args: [{ buffer: 'u32_zero', offset: 4 }], buffers }), want = emulated(ptx, launch);
	assert.deepEqual(want.buffers.u32_zero.values, [0, 77, 0]);
	const { result, error } = await job(ptx, launch);
	assert.ok(result, JSON.stringify(error));
	assert.deepEqual(decoded(result), want.buffers);
});

test('runner: time is the median of the launches that were asked for, each from the same memory', { skip }, async () => {
	// A launch that finds what another has left traps.
	const body = '\tld.global.u32 %r1, [%rd1];\n\tsetp.ne.u32 %p1, %r1, 0;\n\t@%p1 trap;\n\tadd.u32 %r1, %r1, 1;\n\tst.global.u32 [%rd1], %r1;';
	const { result } = await job(kernel(body), launchOf({ block: [1, 1, 1] }), { launches: 3, warmup: 1 });
	assert.equal(result.fault, null);
	assert.equal(bytesOf(result.buffers.x).readUInt32LE(0), 1);
	assert.equal(result.time.launches, 3);
	assert.equal(result.time.medianMs, [...result.time.ms].sort((a, b) => a - b)[1]);
	assert.ok(result.device.clockMHz > 0 && result.function.registers > 0 && result.function.occupancy > 0);
});

test('runner: refused PTX, faults and endless loops are answers, and the next job runs', { skip }, async () => {
	const refused = await job(kernel('\tld.globl.u32 %r1, [%rd1];'), launchOf());
	assert.equal(refused.error.code, 'refused');
	assert.equal(refused.error.line, 9);
	assert.match((await job(kernel(''), launchOf({ kernel: 'other' }))).error.message, /CUDA_ERROR_NOT_FOUND/);
	const wild = await job(kernel('\tmov.u64 %rd2, 81985529216486895;\n\tst.global.u32 [%rd2], %r1;'), launchOf());
	assert.match(wild.result.fault.result, /^CUDA_ERROR_(ILLEGAL|MISALIGNED)_ADDRESS$/);
	assert.deepEqual([wild.result.fault.line, wild.result.fault.thread, wild.result.buffers], [10, [0, 0, 0], {}]);
	const began = Date.now();
	const endless = await job(kernel('L:\n\tst.volatile.global.u32 [%rd1], %r1;\n\tbra L;'), launchOf(), { timeoutMs: 700 });
	assert.deepEqual([endless.error?.code, endless.error?.status], ['timed-out', 504]);
	assert.ok(Date.now() - began < 4000);
	assert.equal((await job(kernel(''), launchOf())).result.fault, null);
});

test('runner: a cancelled job ends its process', { skip }, async () => {
	const cancel = new AbortController(), options = { launches: 0, warmup: 0 };
	let pid;
	const answer = await doJob({ ptx: kernel('L:\n\tst.volatile.global.u32 [%rd1], %r1;\n\tbra L;'), launch: launchOf(), options }, device,
		{ signal: cancel.signal, started: (n) => { pid = n; setTimeout(() => cancel.abort(), 200); } });
	assert.equal(answer.error.code, 'cancelled');
	assert.throws(() => process.kill(pid, 0));
});

test('runner: floods of printf and huge grids stay within their limits', { skip }, async () => {
	const flood = kernel(`	mov.u64 %rd2, text;\n	cvta.global.u64 %rd2, %rd2;\n	mov.u32 %r1, 0;\nL:\n	{\n	.param .b64 a;\n	.param .b64 b;\n	.param .b32 c;\n	st.param.b64 [a], %rd2;
	st.param.b64 [b], 0;\n	call.uni (c), vprintf, (a, b);\n	}\n	add.u32 %r1, %r1, 1;\n	setp.lt.u32 %p1, %r1, 3000;\n	@%p1 bra L;`,
	'k', '.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.global .align 1 .b8 text[64] = {' + Array(63).fill(65).join(', ') + ', 0};\n');
	const printed = await job(flood, launchOf());
	assert.ok(printed.result, JSON.stringify(printed));
	assert.ok(printed.result.printf.length <= 1 << 20);
	assert.ok(printed.result.printfCut || printed.result.fault);
	const huge = await job(kernel(''), launchOf({ grid: [2 ** 31 - 1, 65535, 65535] }), { timeoutMs: 500 });
	assert.ok(huge.error?.code === 'timed-out' || huge.result?.fault, JSON.stringify(huge));
});

const boxless = skip || (ensureTools(['bubblewrap'], () => undefined).length ? 'no bubblewrap' : sandboxed() ? false : 'bubblewrap may not make namespaces here');
test('runner: inside the sandbox there is no network and nothing can be written', { skip: boxless }, async () => {
	const { runConfined } = await import('../runner/src/executor.js');
	const sh = async (script, sandbox) => (await runConfined(['sh', '-c', script], { sandbox })).stdout.bytes.toString('utf8').trim();
	assert.match(await sh('grep : /proc/net/dev'), /^lo:[^\n]*$/);
	assert.match(await sh('ls /proc | grep -c "^[0-9]"'), /^[1-9]$/);
	assert.equal(await sh(`touch ${root}/x 2>/dev/null || touch /etc/x 2>/dev/null || touch /usr/x 2>/dev/null || echo no`), 'no');
	assert.equal(await sh(`cat ${root}/tests/README.md | wc -c; ls ${root}/tests | wc -l`, { hidden: [join(root, 'tests')] }), '0\n0');
	assert.match(await sh('ulimit -t; ulimit -c'), /^\d+\n0$/);
});

test('runner: what is wrong with a launch is named with its place', () => {
	const wrong = (more) => {
		try {
			readLaunch(launchOf(more), { mostBytes: 1 << 20 });
		} catch (error) {
			assert.ok(error instanceof BadLaunch || error instanceof TooLarge, error.stack);
			return error.message;
		}
		return 'nothing';
	};
	assert.equal(wrong({}), 'nothing');
	assert.match(wrong({ args: [{ buffer: 'y' }] }), /^args\[0\]\.buffer: no buffer is called "y"/);
	assert.match(wrong({ args: [{ struct: [{ f32: 'much' }] }] }), /^args\[0\]\.struct\[0\]\.f32: "much" is no value of type f32/);
	assert.match(wrong({ block: [33, 32, 1] }), /^block: a block has at most 1024 threads/);
	assert.match(wrong({ kernel: 'a b\nend' }), /^kernel: /);
	assert.match(wrong({ symbols: { 'a b': { type: 'u8', count: 1 } } }), /^symbols\.a b: the name of a variable/);
	assert.match(wrong({ buffers: { x: { type: 'f32', count: 2 ** 40 } } }), /^the buffers of a launch have at most 1048576 bytes together/);
	assert.match(wrong({ buffers: { x: { type: 'f32', count: 2, init: { kind: 'linear', start: 0 } } } }), /^buffers\.x\.init\.step: /);
	assert.match(wrong({ textures: { t: { object: 'texture', dim: 1, type: 'u32', channels: 1, width: 33, buffer: 'x' } } }), /^textures\.t: the texels are more/);
	let nested = { f32: 1 };
	for (let i = 0; i < 1000; i++)
		nested = { struct: [nested] };
	assert.match(wrong({ args: [nested] }), /nested too deeply/);
});

test('runner: structures have the layout of C, and addresses their places', () => {
	const launch = readLaunch(launchOf({ args: [{ u8: 1 }, { struct: [{ u8: 2 }, { buffer: 'x', offset: 12 }, { u16: 3 }] }, { bytes: '0a0b', align: 2 }] }));
	const text = jobBytes({ ptx: '', launch }).toString('latin1');
	assert.deepEqual(launch.params, [{ bytes: 1, align: 1 }, { bytes: 24, align: 8 }, { bytes: 2, align: 2 }]);
	assert.match(text, /\npatch 16 buffer 0 12\nend\n$/);
	assert.equal(/params 34\n([\s\S]{34})\n/.exec(text)[1], '\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\x0a\x0b');
});

test('runner: a malformed job ends the executor with a message', { skip }, async () => {
	const { executor } = await import('../runner/src/executor.js');
	const good = jobBytes({ ptx: kernel(''), launch: readLaunch(launchOf()) }).toString('latin1');
	const say = (input) => spawnSync(executor(), ['run', device.driverFile], { input: Buffer.from(input, 'latin1'), stdio: ['pipe', 'pipe', 'pipe', 'ignore'], encoding: 'utf8' });
	for (const [from, to, message] of [['ptx ', 'ptx 9', /fewer bytes follow/], ['buffer u32', 'buffer u33', /unknown type/], ['patch 0', 'patch 1', /outside of the parameters/],
		['buffer 0 0', 'buffer 7 0', /outside of the parameters, or is of nothing/], ['shared 0', 'shared 9999999999', /too large/], ['\nend\n', '\n', /word|unknown record/], ['ptxscope-job 1', 'job', /not a job/]]) {
		assert.ok(good.includes(from), from);
		const { status, stderr } = say(good.replace(from, to));
		assert.equal(status, 2, from);
		assert.match(stderr, message);
	}
});

test('runner: what ptxas prints is understood, its errors have their line', () => {
	const text = 'ptxas info    : Compiling entry function \'a\' for \'sm_90\'\nptxas info    : Function properties for a\n    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\nptxas info    : Used 32 registers, used 1 barriers, 16 bytes cumulative stack size, 1024 bytes smem, 560 bytes cmem[0]\n'
		+ 'ptxas info    : Compiling entry function \'b\' for \'sm_90\'\nptxas info    : Used 8 registers\n';
	assert.deepEqual(numbersOf(text, 'a'), { registers: 32, stackBytes: 16, spillStoreBytes: 8, spillLoadBytes: 12, sharedBytes: 1024, constBytes: 560 });
	assert.equal(numbersOf(text, 'b').registers, 8);
	assert.deepEqual(ptxasError('ptxas /tmp/k.1, line 9; error   : Unexpected instruction\nptxas fatal : …'), { line: 9, message: 'Unexpected instruction' });
});

test('runner: ptxas assembles beside the run', { skip: skip || (ptxas ? false : 'no ptxas') }, async () => {
	const ptx = ptxOf('examples/saxpy.ll'), { expect, ...launch } = json('examples/saxpy.launch.json');
	const { result } = await job(ptx, launch, { ptxas: true });
	assert.ok(result.ptxas.ok && result.ptxas.registers > 4 && result.ptxas.sassInstructions > 10 && result.ptxas.sassBytes % 128 === 0, JSON.stringify(result.ptxas));
	const only = (await findDevices({ device: 'ptxas' }))[0];
	assert.equal(only.class, 'ptxas');
	const alone = await doJob({ ptx, launch, options: { target: 'sm_100' } }, only);
	assert.equal(alone.result.ptxas.target, 'sm_100');
	const bad = await doJob({ ptx: ptx.replace('ld.param', 'ld.parm'), launch, options: {} }, only);
	assert.deepEqual([bad.error.code, bad.error.line > 5], ['refused', true]);
});
