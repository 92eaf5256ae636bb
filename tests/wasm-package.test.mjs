// The npm package: the same module in Node as in the page, its typed API and its command line.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compileArguments, CompilerTrap, compileModule, load } from '../wasm/index.js';
import { root } from './tools/setup.mjs';

const file = join(root, 'build/wasm/ptxscope.wasm');
const needsModule = existsSync(file) ? {} : { skip: 'build/wasm missing' };
const saxpy = readFileSync(join(root, 'examples/saxpy.ll'), 'utf8');

test('the module imports its host and nothing else', needsModule, async () => {
	const module = await compileModule(file);
	const names = WebAssembly.Module.imports(module).map((i) => `${i.module}.${i.name}`).sort();
	assert.deepEqual(names, [
		'env.emscripten_notify_memory_growth', 'env.getTempRet0', 'env.setTempRet0', 'host.dropCode', 'host.makeCode', 'host.now', 'host.print', 'host.progress',
		'host.read', 'host.write', 'wasi_snapshot_preview1.proc_exit',
	]);
});

test('compile answers as --trace does', needsModule, async () => {
	const compiler = await load();
	const result = compiler.compile({ source: saxpy, target: 'sm_80', level: 3 });
	assert.equal(result.status, 0, result.stderr);
	assert.match(result.ptx, /\.target sm_80\n[^]*\.visible \.entry saxpy\(/);
	assert.equal(result.target, 'sm_80');
	assert.equal(result.ptxLines.length, result.ptx.split('\n').length - 1);
	for (const run of result.passes) {
		assert.ok(run.text === null || run.text in result.texts, run.id);
		if (run.text !== null && result.texts[run.text])
			assert.equal(run.lines.length, result.texts[run.text].split('\n').length - 1, run.id);
	}
	assert.deepEqual(compiler.compile({ source: saxpy, target: 'sm_80', level: 3 }).ptx, result.ptx);
});

test('errors in the input are diagnostics with places', needsModule, async () => {
	const compiler = await load();
	const { status, ptx, diagnostics } = compiler.compile({ source: 'define void @f() {\n  %x = frobnicate i32 1\n  ret void\n}\n' });
	assert.equal(status, 1);
	assert.equal(ptx, '');
	assert.equal(diagnostics[0].severity, 'error');
	assert.equal(diagnostics[0].line, 2);
	assert.equal(compiler.alive, true);
});

test('usage errors are diagnostics without a place', needsModule, async () => {
	const compiler = await load();
	const { status, diagnostics } = compiler.compile({ source: saxpy, knobs: { 'no-such-knob': 1 } });
	assert.equal(status, 2);
	assert.match(diagnostics[0].message, /no-such-knob/);
	assert.equal(diagnostics[0].line, 0);
});

test('passes, knobs and opcodes are lists', needsModule, async () => {
	const compiler = await load();
	for (const list of [compiler.passes(), compiler.knobs(), compiler.opcodes()])
		assert.ok(list.length > 5);
	for (const knob of compiler.knobs())
		assert.ok(knob.name && knob.type && knob.kind && knob.summary, JSON.stringify(knob));
});

test('a request becomes the command line that does the same', () => {
	const argv = compileArguments({ source: '', name: 'k.ll', target: 'sm_90a', ptx: 'ptx85', level: 2, bisect: 7, knobs: { a: true, b: 4, c: 'x y' } });
	assert.deepEqual(argv, [
		'compile', 'k.ll', '-o', '-', '-mcpu=sm_90a', '-mattr=+ptx85', '-O2', '-a=1', '-b=4', '-c=x y', '-opt-bisect-limit=7', '--trace=trace.json',
	]);
});

test('after a trap the instance refuses and says so', needsModule, async () => {
	const compiler = await load();
	const trap = () => compiler.command(['compile', 'x.ll'], {
		read() { return new Uint8Array(2 ** 31); }, write() {}, print() {},
	});
	assert.throws(trap, CompilerTrap);
	assert.equal(compiler.alive, false);
	assert.throws(() => compiler.compile({ source: saxpy }), CompilerTrap);
});

test('a host that fails is an error of the command, not of the instance', needsModule, async () => {
	const compiler = await load();
	const { status, stderr } = compiler.run(['compile', 'missing.ll']);
	assert.notEqual(status, 0);
	assert.match(stderr, /missing\.ll.*no such file/);
	assert.equal(compiler.alive, true);
	assert.equal(compiler.compile({ source: saxpy }).status, 0);
});

test('execute and check: a kernel and its launch in one call', needsModule, async () => {
	const compiler = await load();
	const launch = JSON.parse(readFileSync(join(root, 'examples/saxpy.launch.json'), 'utf8'));
	const request = { source: saxpy, target: 'sm_90', launch };
	const { status, result } = compiler.execute({ ...request, options: { profile: true } });
	assert.equal(status, 0);
	assert.equal(result.buffers.y.values.length, launch.buffers.y.count);
	assert.ok(result.profile.length > 5);
	const ir = compiler.execute({ ...request, at: 'ir' }).result;
	assert.deepEqual(ir.buffers, result.buffers);
	assert.equal(compiler.execute({ ...request, source: 'nonsense' }).diagnostics[0].line, 1);
	assert.match(compiler.execute({ ...request, launch: { ...launch, kernel: 'nobody' } }).stderr, /nobody/);
	const wild = compiler.execute({ ...request, launch: { ...launch, buffers: { ...launch.buffers, y: { type: 'f32', count: 1 } } } });
	assert.deepEqual([wild.status, wild.result.faults.length], [1, 1]);
	const seen = [];
	const good = compiler.check(request, (part, what) => seen.push(what) > 0);
	assert.deepEqual([good.ok, good.status], [true, 0]);
	assert.ok(good.stages > 3 && seen.length > good.stages);
	const bad = compiler.check({ ...request, knobs: { 'break-after': 'instsimplify' } });
	assert.deepEqual([bad.ok, bad.pass, bad.status], [false, 'instsimplify', 1]);
	assert.equal(compiler.check({ ...request, source: 'nonsense' }).status, 1);
});

test('long commands tell how far they are, and end when the host says so', needsModule, async () => {
	const compiler = await load();
	const files = { 'k.ll': saxpy, 'l.json': readFileSync(join(root, 'examples/saxpy.launch.json'), 'utf8') };
	const check = (enough) => {
		const told = [], err = [];
		const status = compiler.command(['check', 'k.ll', '--launch', 'l.json'], {
			read: (path) => new TextEncoder().encode(files[path]), write() {},
			print: (stream, bytes) => { err.push(new TextDecoder().decode(bytes)); },
			progress: (part, what) => { told.push([part, what]); return told.length < enough; },
		});
		return { status, told, text: err.join('') };
	};
	const whole = check(Infinity);
	assert.equal(whole.status, 0);
	assert.match(whole.text, /stages agree/);
	assert.ok(whole.told.length > 10);
	assert.ok(whole.told.every(([part], i) => part > 0 && part <= 1 && (i === 0 || part >= whole.told[i - 1][0])));
	assert.ok(whole.told.some(([, what]) => what === 'nvptx-isel'));
	const cut = check(3);
	assert.equal(cut.told.length, 3);
	assert.equal(cut.status, 1);
	assert.match(cut.text, /stopped before the end/);
});

test('the command line over WASM: output, status and standard input', needsModule, () => {
	const cli = (argv, input) => spawnSync(process.execPath, [join(root, 'wasm/cli.mjs'), ...argv], { encoding: 'utf8', input });
	const compiled = cli(['compile', '-', '-o', '-', '-mcpu=sm_75'], saxpy);
	assert.equal(compiled.status, 0, compiled.stderr);
	assert.match(compiled.stdout, /\.target sm_75/);
	assert.equal(cli(['compile', '-', '-o', '-'], 'nonsense').status, 1);
	assert.equal(cli(['compile', '--no-such-option', '-']).status, 2);
	const missing = cli(['compile', '/nowhere/at/all.ll']);
	assert.notEqual(missing.status, 0);
	assert.match(missing.stderr, /No such file or directory/);
});
