// The debugger's interface of the npm package: stepping, state, and that a run in steps is the run at once.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from '../wasm/index.js';
import { native, ptxscope } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const needsModule = existsSync(join(root, 'build/wasm/ptxscope.wasm')) ? {} : { skip: 'build/wasm missing' };
const example = (name) => readFileSync(join(root, 'examples', name), 'utf8');
const compiler = needsModule.skip ? null : await load();
const emulators = [];
after(() => emulators.forEach((emulator) => emulator.free()));

function loaded(name, { options, ...program } = {}) {
	const emulator = compiler.emulator();
	emulators.push(emulator);
	const result = emulator.load({ source: example(`${name}.ll`), name: `${name}.ll`, target: 'sm_80', ...program });
	assert.equal(result.status, 0, result.stderr);
	assert.equal(emulator.launch(example(`${name}.launch.json`), options).status, 0);
	return { emulator, ...result, lines: result.text.split('\n') };
}

const small = `.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .pred %q; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<2>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	cvt.rn.f32.u32 %f1, %r1;
	setp.lt.u32 %q, %r1, 4;
	@%q bra L;
	add.u32 %r1, %r1, 100;
	bar.sync 0;
L:
	mul.wide.u32 %rd2, %r1, 4;
	st.global.u32 [%rd1], %r1;
	ret;
}
`;
const oneWarp = { kernel: 'k', grid: [1, 1, 1], block: [8, 1, 1], args: [{ buffer: 'o' }], buffers: { o: { type: 'u32', count: 1 } } };

test('a step is one instruction of the text for the lanes that are there', needsModule, () => {
	const emulator = compiler.emulator();
	const { status, kernels, text } = emulator.load({ source: small, name: 'k.ptx' });
	assert.equal(status, 0);
	assert.deepEqual(kernels, ['k']);
	assert.equal(text, small);
	assert.equal(emulator.launch(oneWarp).status, 0);
	assert.deepEqual([emulator.place().line, emulator.place().mask], [7, 0xff]);
	const walk = [];
	for (let i = 0; i < 6; i++) {
		const { state, at } = emulator.step();
		walk.push([state, at.line, at.mask]);
	}
	// The branch parts the warp: four lanes wait at the meeting point, four go through the addition.
	assert.deepEqual(walk, [['stopped', 8, 0xff], ['stopped', 9, 0xff], ['stopped', 10, 0xff], ['stopped', 11, 0xff], ['stopped', 12, 0xf0], ['stopped', 13, 0xf0]]);
	const [warp] = emulator.warps();
	assert.deepEqual(warp.paths.map(({ line, mask, running }) => [line, mask, running]), [[15, 0x0f, false], [13, 0xf0, true]]);
	const registers = Object.fromEntries(emulator.registers(0, 0).map((r) => [r.name, r]));
	assert.deepEqual(registers['%r1'].values.slice(0, 8), [0, 1, 2, 3, 104, 105, 106, 107]);
	assert.deepEqual(registers['%q'].values.slice(0, 8), [true, true, true, true, false, false, false, false]);
	assert.deepEqual(registers['%f1'].values.slice(0, 4), [0, 1, 2, 3]);
	assert.equal(typeof registers['%rd1'].values[0], 'bigint');
	const fault = emulator.step();
	assert.equal(fault.state, 'faulted');
	assert.equal(fault.fault.line, 13);
	assert.match(fault.fault.message, /4 of the warp's 8 threads/);
	assert.ok(emulator.registers(0, 0).length > 0, 'a faulted machine can be read');
	emulator.free();
});

for (const at of ['ptx', 'mir', 'ir'])
	test(`stepping does not change the run: ${at}`, needsModule, () => {
		for (const name of ['reduce_shared', 'irreducible', 'vm_interp', 'histogram']) {
			const whole = loaded(name, { at, options: { profile: true } }).emulator;
			assert.equal(whole.step({ to: 'end' }, Infinity).state, 'done');
			const pieces = loaded(name, { at, options: { profile: true } }).emulator;
			const steps = [[{ to: 'instruction', count: 100 }], [{ to: 'line', warp: 1 }], [{ to: 'line', block: 1, warp: 0 }], [{ to: 'barrier' }], [{ to: 'end' }, 333]];
			for (const step of steps)
				pieces.step(...step);
			for (let budget = 1; pieces.resume(budget).state === 'running';)
				budget = budget * 2 % 1023;
			assert.deepEqual(pieces.result(), whole.result(), `${name} at ${at}`);
			whole.free();
			pieces.free();
		}
	});

test('diverged threads that are scheduled independently run the same in steps', needsModule, () => {
	const options = { independent: true };
	const whole = loaded('vm_interp', { options }).emulator, pieces = loaded('vm_interp', { options }).emulator;
	whole.step({ to: 'end' }, Infinity);
	pieces.step({ to: 'end' }, 1);
	while (pieces.resume(7).state === 'running')
		;
	assert.deepEqual(pieces.result(), whole.result());
});

test('native and WASM give the same result', existsSync(native) ? needsModule : { skip: 'no native build' }, () => {
	for (const name of ['mandelbrot', 'spmv_csr', 'reduce_shfl']) {
		const { emulator } = loaded(name, { options: { profile: true } });
		emulator.step({ to: 'end' }, Infinity);
		const printed = ptxscope(['run', join(root, `examples/${name}.ll`), '--launch', join(root, `examples/${name}.launch.json`), '-mcpu=sm_80', '--json', '--profile']);
		assert.equal(printed.status, 0, printed.stderr);
		assert.deepEqual(emulator.result(), JSON.parse(printed.stdout), name);
	}
});

test('a warp alone can be followed to its next line and to its end', needsModule, () => {
	const { emulator } = loaded('reduce_shared');
	let last = 0, n = 0;
	for (let run; (run = emulator.step({ to: 'line', block: 0, warp: 1 })).at?.block === 0 && run.at.warp === 1; n++) {
		assert.equal(run.state, 'stopped');
		assert.notEqual(run.at.line, last);
		last = run.at.line;
	}
	assert.ok(n > 30, `${n} lines`);
	assert.equal(emulator.warps().find(({ warp }) => warp === 1)?.state ?? 'done', 'done');
});

test('breakpoints stop every warp that comes to them, once', needsModule, () => {
	const { emulator, lines } = loaded('reduce_shared');
	const line = lines.findIndex((text) => /\bbar\.sync/.test(text)) + 1;
	const launch = JSON.parse(example('reduce_shared.launch.json'));
	const warps = launch.grid[0] * Math.ceil(launch.block[0] / 32);
	const stops = [];
	for (let run; (run = emulator.step({ to: 'line', lines: [line] })).state === 'stopped';) {
		assert.equal(run.at.line, line);
		stops.push(`${run.at.block}.${run.at.warp}`);
	}
	assert.equal(stops.length, warps);
	assert.equal(new Set(stops).size, warps);
	const focused = loaded('reduce_shared').emulator;
	const { at } = focused.step({ to: 'line', lines: [line], block: 1, warp: 1 });
	assert.deepEqual([at.block, at.warp, at.line], [1, 1, line]);
});

test('lines of the input are goals too', needsModule, () => {
	const { emulator, origins } = loaded('reduce_shared');
	const { at } = emulator.step({ to: 'line', of: 'input' });
	assert.notEqual(at.origin, 0);
	assert.equal(origins[at.line - 1], at.origin);
	const target = origins.at(-3) || origins.findLast((origin) => origin);
	assert.equal(emulator.step({ to: 'line', lines: [target], of: 'input' }).at.origin, target);
});

test('to a barrier: about to arrive at it', needsModule, () => {
	const { emulator, lines } = loaded('reduce_shared', { options: { quantum: 1 } });
	for (let warp = 0; warp < 3; warp++) {
		const { at } = emulator.step({ to: 'barrier' });
		assert.match(lines[at.line - 1], /bar\.sync/);
		assert.equal(at.warp, warp);
		assert.deepEqual(emulator.warps().map(({ state }) => state === 'barrier').slice(0, 3), [0, 1, 2].map((w) => w < warp), 'those before it wait');
	}
});

test('a budget interrupts any goal; leaving it is cancelling', needsModule, () => {
	const { emulator } = loaded('mandelbrot');
	const first = emulator.step({ to: 'end' }, 1000);
	assert.deepEqual([first.state, first.steps], ['running', 1000]);
	const second = emulator.resume(500);
	assert.deepEqual([second.state, second.steps], ['running', 1500]);
	assert.ok(emulator.result().stats.warpInstructions === 1500);
	assert.equal(emulator.step().steps, 1501, 'another goal takes its place');
});

test('memory: buffers, shared variables, parameters, local memory', needsModule, () => {
	const { emulator } = loaded('reduce_shared');
	emulator.step({ to: 'barrier' });
	const { buffers } = JSON.parse(example('reduce_shared.launch.json'));
	const [name, buffer] = Object.entries(buffers)[0];
	assert.equal(emulator.memory({ buffer: name }).length, buffer.count * { f32: 4, i32: 4, u32: 4, f64: 8 }[buffer.type]);
	assert.ok(emulator.memory({ shared: 0 }).length > 0);
	assert.ok(emulator.memory({ param: true }).length >= 16);
	assert.equal(emulator.memory({ buffer: 'no such buffer' }), null);
	assert.equal(emulator.memory({ shared: 1e6 }), null);
	const stack = loaded('local_array').emulator;
	stack.step({ to: 'instruction', count: 50 });
	assert.ok(stack.memory({ local: { block: 0, thread: 5 } }).length > 0);
});

test('calls: depth and the callee\'s registers', needsModule, () => {
	const { emulator } = loaded('recursion');
	let deepest = 0;
	for (let i = 0; i < 400; i++)
		deepest = Math.max(deepest, emulator.step().at?.depth ?? 0);
	assert.ok(deepest >= 2, `depth ${deepest}`);
});

test('what is wrong is said: in the source, in the launch, in the order of calls', needsModule, () => {
	const emulator = compiler.emulator();
	assert.throws(() => emulator.step(), /launch a kernel first/);
	assert.equal(emulator.launch(oneWarp).status, 2);
	const bad = emulator.load({ source: small.replace('bar.sync 0', 'frob 0'), name: 'k.ptx' });
	assert.equal(bad.status, 1);
	assert.equal(bad.diagnostics[0].line, 13);
	assert.match(bad.stderr, /k\.ptx:13:/);
	assert.equal(emulator.load({ source: small, name: 'k.ptx', at: 'ir' }).status, 2);
	assert.equal(emulator.load({ source: small, name: 'k.ptx', knobs: { 'no-such-knob': 1 } }).status, 2);
	assert.equal(emulator.load({ source: small, name: 'k.ptx' }).status, 0);
	const launch = emulator.launch({ ...oneWarp, kernel: 'nobody' });
	assert.equal(launch.status, 1);
	assert.match(launch.stderr, /nobody/);
	assert.match(emulator.launch('{').stderr, /launch/);
	assert.match(emulator.launch({ ...oneWarp, args: [] }).stderr, /1/);
	assert.equal(emulator.launch(oneWarp, { sanitize: ['nothing'] }).status, 2);
	assert.equal(emulator.launch(oneWarp).status, 0);
	emulator.free();
	assert.throws(() => emulator.place(), /freed/);
});

test('emulators stand side by side, beside commands', needsModule, () => {
	const one = loaded('saxpy').emulator, two = loaded('saxpy').emulator;
	one.step({ to: 'instruction', count: 10 });
	assert.equal(compiler.run(['--version']).status, 0);
	assert.equal(two.step({ to: 'instruction', count: 3 }).steps, 3);
	assert.equal(one.step().steps, 11);
});

test('launching again starts from the beginning', needsModule, () => {
	const { emulator } = loaded('histogram');
	emulator.step({ to: 'end' }, Infinity);
	const first = emulator.result();
	emulator.launch(example('histogram.launch.json'));
	emulator.step({ to: 'end' }, Infinity);
	assert.deepEqual(emulator.result(), first);
});

// An instance's memory never shrinks, so its size is the most that was ever held at once. 64 KiB that a launch kept would be 64 MiB.
const wide = { ...oneWarp, buffers: { o: { type: 'u32', count: 1 << 14 } } };
const ending = {
	'that end': (emulator) => assert.equal(emulator.step({ to: 'end' }, Infinity).state, 'faulted'),
	'that are left before their end': (emulator) => emulator.step(),
	'whose state and result are read': (emulator) => {
		emulator.step({ to: 'line', lines: [12] });
		assert.ok(emulator.registers(0, 0).length > 0);
		assert.equal(emulator.memory({ buffer: 'o' }).length, 1 << 16);
		assert.equal(emulator.warps().length, 1);
		assert.equal(emulator.result().buffers.o.values.length, 1 << 14);
	},
};
for (const [which, end] of Object.entries(ending))
	test(`launches ${which} leave the module's memory as it was after the first`, needsModule, async () => {
		const instance = await load(), emulator = instance.emulator();
		assert.equal(emulator.load({ source: small, name: 'k.ptx' }).status, 0);
		const launch = (i) => {
			assert.equal(emulator.launch(wide, i % 2 ? { profile: true, sanitize: ['init', 'race'] } : {}).status, 0);
			end(emulator);
		};
		for (let i = 0; i < 4; i++)
			launch(i);
		const before = instance.heapBytes;
		for (let i = 0; i < 1000; i++)
			launch(i);
		assert.equal(instance.heapBytes, before);
	});

test('programs, each with its launch, leave it so too', needsModule, async () => {
	const instance = await load(), emulator = instance.emulator();
	const programs = [
		() => assert.equal(emulator.load({ source: small, name: 'k.ptx' }).status, 0),
		() => assert.equal(instance.execute({ source: small, name: 'k.ptx', launch: wide }).status, 1),
		() => assert.equal(emulator.launch({ ...wide, kernel: 'nobody' }).status, 1),
		() => assert.equal(emulator.launch(wide).status, 0),
	];
	programs.forEach((program) => program());
	const before = instance.heapBytes;
	for (let i = 0; i < 1000; i++)
		programs[i % programs.length]();
	assert.equal(instance.heapBytes, before);
});
