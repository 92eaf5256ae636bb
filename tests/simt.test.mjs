// The emulator: kernels with known results at every level, faults with their exact reports, the profile.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { complaints } from './tools/launch.mjs';
import { hosts as programs, temporaryFolder, wasmHere } from './tools/ptxscope.mjs';
import { root } from './tools/setup.mjs';

const folder = join(root, 'tests/kernels');
const kernels = readdirSync(folder).filter((f) => f.endsWith('.ll')).map((f) => f.slice(0, -3)).sort();
const launchOf = (kernel) => join(folder, `${kernel.replace(/\.O0$/, '')}.launch.json`);
const work = temporaryFolder();
const hosts = await Promise.all(programs.map(async (one) => (one.host === 'wasm' && !one.skip ? { ...one, run: await wasmHere() } : one)));

for (const { host, run, skip } of hosts)
	describe(`kernels (${host})`, { skip }, () => {
		for (const kernel of kernels)
			for (const level of host === 'native' ? ['ir', 'mir', 'ptx'] : ['ir'])
				test(`${kernel} at level ${level}`, () => {
					const launch = JSON.parse(readFileSync(launchOf(kernel), 'utf8'));
					const r = run(['run', join(folder, `${kernel}.ll`), `--launch=${launchOf(kernel)}`, `--level=${level}`, '-mcpu=sm_90', '--json']);
					assert.equal(r.status, 0, r.stderr);
					assert.deepEqual(complaints(launch, JSON.parse(r.stdout)), []);
				});
	});

const header = '.version 7.8\n.target sm_90\n.address_size 64\n';
const entry = (body, outside = '') => `${header}${outside}
.visible .entry k(.param .u64 k_param_0)
{
.reg .pred %p<4>;
.reg .b32 %r<16>;
.reg .b64 %rd<16>;
.shared .align 4 .b8 sh[256];
ld.param.u64 %rd1, [k_param_0];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x;
${body}
ret;
}
`;
const block = (threads) => ({ kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], args: [{ buffer: 'out' }], buffers: { out: { type: 'u32', count: 32 } } });

function execute(run, name, text, { threads = 32, launch = block(threads), options = [], extension = 'ptx' } = {}) {
	const file = join(work, `${name}.${extension}`), launchFile = join(work, `${name}.json`);
	writeFileSync(file, text);
	writeFileSync(launchFile, JSON.stringify(launch));
	const r = run(['run', file, `--launch=${launchFile}`, '--json', ...options]);
	return { ...r, report: r.stderr.replaceAll(file, 'F'), json: r.stdout ? JSON.parse(r.stdout) : null };
}

/** [name, body, what is reported, options] */
const faults = [
	['out-of-bounds', 'mul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd4, %rd2, %rd3;\nst.global.u32 [%rd4], %r1;',
		'F:16: error: out-of-bounds in thread (16,0,0) of block (0,0,0): 4-byte write at 0x7f0000001080: 0 bytes past the end of out (128 bytes)'],
	['null pointer', 'mov.u64 %rd3, 8;\nld.global.u32 %r2, [%rd3];',
		'F:15: error: out-of-bounds in thread (0,0,0) of block (0,0,0): 4-byte read at 0x8: a null pointer'],
	['misaligned', 'st.global.u32 [%rd2+2], %r1;',
		'F:14: error: misaligned in thread (0,0,0) of block (0,0,0): 4-byte write at 0x7f0000001002, which is no multiple of 4'],
	['constant memory', 'mov.u64 %rd3, table;\ncvta.const.u64 %rd4, %rd3;\nst.u32 [%rd4], %r1;',
		'F:16: error: read-only in thread (0,0,0) of block (0,0,0): 4-byte write at 0x6000100 in table, which is constant',
		{ outside: '.const .align 4 .b8 table[16];' }],
	['shared bounds', 'ld.shared.u32 %r2, [sh+4096];',
		'F:14: error: out-of-bounds in thread (0,0,0) of block (0,0,0): 4-byte read at 0x1400 of shared memory, which ends at 0x500'],
	['uninitialised', 'ld.shared.u32 %r2, [sh+16];\nst.global.u32 [%rd2], %r2;',
		'F:15: error: uninitialised in thread (0,0,0) of block (0,0,0): the value that is stored to global memory depends on bits that nobody has written',
		{ options: ['--sanitize=init'] }],
	['race', 'shl.b32 %r2, %r1, 2;\nmov.u32 %r3, sh;\nadd.s32 %r4, %r3, %r2;\nst.shared.u32 [%r4], %r1;\nxor.b32 %r5, %r2, 4;\nadd.s32 %r6, %r3, %r5;\nld.shared.u32 %r7, [%r6];',
		/^F:20: error: race in thread \(0,0,0\) of block \(0,0,0\): 4-byte read of shared memory at 0x404 \(sh \+ 4\): nothing orders it and the write by thread \(1,0,0\) of block \(0,0,0\) at line 17\n.*\nF:17: note: the other access\n.*\n$/,
		{ options: ['--sanitize=race'] }],
	['barrier in divergent code', 'setp.lt.u32 %p1, %r1, 16;\n@%p1 bra $L1;\nbra $L2;\n$L1:\nbar.sync 0;\n$L2:',
		'F:18: error: divergent-barrier in thread (0,0,0) of block (0,0,0): barrier reached by 16 of the warp\'s 32 threads'],
	['mask without the thread', 'vote.sync.ballot.b32 %r2, 1, 0xffff0000;',
		'F:14: error: sync-mask in thread (0,0,0) of block (0,0,0): the thread is not in the mask 0xffff0000 that it gives'],
	['lanes that never come', 'setp.lt.u32 %p1, %r1, 16;\n@%p1 bra $L1;\nbar.warp.sync 0xffffffff;\nbra $L2;\n$L1:\nbar.warp.sync 0xffffffff;\n$L2:',
		'F:16: error: sync-mask in thread (16,0,0) of block (0,0,0): lanes 0xffff0000 wait for lanes 0x0000ffff, which never come here'],
	['missing warp', 'bar.sync 1, 64;',
		'F:14: error: deadlock in thread (0,0,0) of block (0,0,0): 32 of 64 threads have come to barrier 1; nobody is left to come (32 threads wait, 0 of the block have ended)'],
	['endless loop', '$L1:\nadd.s32 %r2, %r2, 1;\nbra $L1;',
		'F:16: error: step-limit in thread (0,0,0) of block (0,0,0): stopped after 1000 warp instructions', { options: ['--max-steps=1000'] }],
	['endless printing', 'mov.u64 %rd3, fmt;\ncvta.global.u64 %rd4, %rd3;\n$L1:\n{\n.param .b64 a;\n.param .b64 b;\n.param .b32 c;\nst.param.b64 [a], %rd4;\nst.param.b64 [b], 0;\ncall.uni (c), vprintf, (a, b);\n}\nbra $L1;',
		'F:24: error: memory-limit in thread (25,0,0) of block (0,0,0): printf wrote more than 1 MiB',
		{ outside: `.global .align 1 .b8 fmt[1001] = {${'120, '.repeat(1000)}0};\n.extern .func (.param .b32 c) vprintf(.param .b64 a, .param .b64 b);` }],
	['unknown function', '{\ncall.uni nowhere, ();\n}',
		'F:15: error: unknown-function in thread (0,0,0) of block (0,0,0): call of nowhere, which has no body here', { outside: '.extern .func nowhere();' }],
	['endless recursion', 'call.uni deep, ();',
		/^F:6: error: stack-overflow in thread \(0,0,0\) of block \(0,0,0\): entering deep needs more than 524288 bytes of local memory for a thread\n  .*\n$/,
		{ outside: '.func deep()\n{\n.local .align 4 .b8 big[4096];call.uni deep, ();\nret;\n}' }],
	['call of no function', 'mov.u64 %rd3, 1234;\ncall.uni %rd3, (), proto;\nproto: .callprototype ()_ ();',
		'F:15: error: bad-call in thread (0,0,0) of block (0,0,0): indirect call of 0x4d2, where no function is'],
	['free twice', 'mov.u64 %rd3, 0;\n{\n.param .b64 a;\n.param .b64 b;\nst.param.b64 [a], 24;\ncall.uni (b), malloc, (a);\nld.param.b64 %rd3, [b];\nst.param.b64 [a], %rd3;\ncall.uni free, (a);\ncall.uni free, (a);\n}',
		'F:24: error: bad-free in thread (0,0,0) of block (0,0,0): free of 0x7f8000000000, which malloc has not given or free has taken',
		{ outside: '.extern .func (.param .b64 b) malloc(.param .b64 a);\n.extern .func free(.param .b64 a);' }],
	['past an allocation', '{\n.param .b64 a;\n.param .b64 b;\nst.param.b64 [a], 24;\ncall.uni (b), malloc, (a);\nld.param.b64 %rd3, [b];\nst.u32 [%rd3+20], 1;\nst.u32 [%rd3+24], 1;\n}',
		'F:21: error: out-of-bounds in thread (0,0,0) of block (0,0,0): 4-byte write at 0x7f8000000018: 0 bytes past the end of memory of malloc (24 bytes)',
		{ outside: '.extern .func (.param .b64 b) malloc(.param .b64 a);' }],
	['trap', 'setp.eq.u32 %p1, %r1, 7;\n@%p1 trap;',
		'F:15: error: trap in thread (7,0,0) of block (0,0,0): the kernel stopped itself (trap)'],
	['no texture', 'mov.u64 %rd3, 0x5000080;\nsuld.b.1d.b32.trap {%r2}, [%rd3, {%r1}];',
		'F:15: error: bad-texture in thread (0,0,0) of block (0,0,0): 0x5000080 is no texture or surface of the launch'],
];

for (const { host, run, skip } of hosts)
	describe(`faults (${host})`, { skip }, () => {
		for (const [name, body, want, { outside = '', options = [] } = {}] of faults)
			test(name, () => {
				const text = entry(body, outside);
				const r = execute(run, name.replaceAll(' ', '-'), text, { options });
				const line = text.split('\n')[/F:(\d+):/.exec(r.report)[1] - 1];
				assert.equal(r.status, 1, r.stderr);
				if (want instanceof RegExp) assert.match(r.report, want);
				else assert.equal(r.report, `${want}\n  ${line}\n`);
				assert.equal(r.json.faults.length, 1);
				assert.ok(r.report.includes(r.json.faults[0].message));
				assert.equal(r.json.buffers.out.values.length, 32, 'the state can still be read');
			});

		// 64 bytes of local memory: what lies above them is nobody's, though a warp's frames share an allocation that is larger.
		const nextToFrame = (body, declare = '') => `target triple = "nvptx64-nvidia-cuda"\n${declare}declare ptr @llvm.stacksave()\ndeclare void @llvm.stackrestore(ptr)\n` +
			`define ptx_kernel void @k(ptr %o, i64 %i) {\n${body}\nret void\n}\n`;
		const touch = (p) => `%e = getelementptr i8, ptr ${p}, i64 %i\nstore volatile i32 7, ptr %e, align 4\n%v = load volatile i32, ptr %e, align 4\nstore i32 %v, ptr %o, align 4`;
		const frames = {
			'a variable': nextToFrame(`%a = alloca [16 x i32], align 4\n${touch('%a')}`),
			'a frame that has returned': nextToFrame(`%a = call ptr @f()\n${touch('%a')}`,
				'define internal ptr @f() noinline {\n%a = alloca [16 x i32], align 4\nstore volatile i32 1, ptr %a, align 4\nret ptr %a\n}\n'),
			'memory that stackrestore gave back': nextToFrame(`%s = call ptr @llvm.stacksave()\n%n = add i64 %i, 64\n%a = alloca i8, i64 %n, align 4\ncall void @llvm.stackrestore(ptr %s)\n${touch('%a')}`),
		};
		for (const [what, ll] of Object.entries(frames))
			for (const level of ['ir', 'mir', 'ptx'])
				test(`an access above the frame is out of bounds: ${what}, level ${level}`, () => {
					const at = (offset) => execute(run, 'frame', ll, {
						launch: { ...block(1), args: [{ buffer: 'out' }, { i64: offset }] }, options: [`--level=${level}`, '-mcpu=sm_90'], extension: 'll',
					});
					if (what === 'a variable') {
						const last = at(60);
						assert.equal(last.status, 0, last.stderr);
						assert.equal(last.json.buffers.out.values[0], 7);
					}
					for (const offset of [64, 160, 4096])
						assert.match(at(offset).report, /error: out-of-bounds in .*4-byte write at 0x[0-9a-f]+ of local memory, which ends at 0x/, `offset ${offset}`);
				});

		test('a .local variable of PTX ends where it is declared to', () => {
			const text = (offset) => entry(`.local .align 4 .b8 lo[64];\nst.local.u32 [lo+${offset}], %r1;`);
			assert.equal(execute(run, 'local', text(60)).status, 0);
			for (const offset of [64, 128])
				assert.match(execute(run, 'local', text(offset)).report, /^F:15: error: out-of-bounds in thread \(0,0,0\) .*: 4-byte write at 0x1[0-9a-f]+ of local memory, which ends at 0x140/);
		});

		test('stackrestore takes what stacksave of the frame gave', () => {
			const restore = (value) => execute(run, 'restore', nextToFrame(`%a = alloca [16 x i32], align 4\n%q = inttoptr i64 ${value} to ptr\ncall void @llvm.stackrestore(ptr %q)\n${touch('%a')}`), {
				launch: { ...block(1), args: [{ buffer: 'out' }, { i64: 0 }] }, options: ['--level=ir'], extension: 'll',
			});
			for (const value of ['0', '1048576', '-16'])
				assert.match(restore(value).report, /error: stack-overflow in .*: stackrestore of 0x[0-9a-f]+: what alloca gave in this call is 0x140 to 0x140/, value);
		});

		test('a fault in compiled code is reported where the input has it, with the line of PTX', () => {
			const ll = 'target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k(ptr %o) {\n  store i32 1, ptr null, align 4\n  ret void\n}\n';
			const r = execute(run, 'compiled', ll, { threads: 1, extension: 'll' });
			assert.match(r.report, /^F:3: error: out-of-bounds in .*: a null pointer\n  store i32 1, ptr null, align 4\nline \d+ of the PTX:\n  st\.b32 .*\n$/);
			const { line, origin } = r.json.faults[0];
			assert.equal(origin, 3);
			assert.match(r.report, new RegExp(`line ${line} of the PTX`));
		});

		test('run stops the pipeline where it is told to, and executes what is there', () => {
			const whole = execute(run, 'stop', readFileSync(join(root, 'examples/reduce_shared.ll'), 'utf8'), {
				launch: JSON.parse(readFileSync(join(root, 'examples/reduce_shared.launch.json'), 'utf8')), extension: 'll',
			});
			for (const [options, level] of [[['-stop-after=early-cse'], 'ir'], [['--stop-after=nvptx-isel'], 'mir'], [['-stop-before=asm-printer'], 'mir']]) {
				const r = run(['run', join(work, 'stop.ll'), `--launch=${join(work, 'stop.json')}`, '--json', ...options]);
				assert.equal(r.status, 0, r.stderr);
				assert.deepEqual(JSON.parse(r.stdout).buffers, whole.json.buffers, level);
				const short = run(['run', join(work, 'stop.ll'), `--launch=${join(work, 'stop.json')}`, '--json', '--max-steps=1', ...options]);
				assert.equal(JSON.parse(short.stdout).faults[0].level, level);
			}
			assert.match(run(['run', join(work, 'stop.ll'), `--launch=${join(work, 'stop.json')}`, '-stop-after=erly-cse']).stderr, /did you mean 'early-cse'/);
		});

		test('unreachable code and assertions, from IR', () => {
			const ll = (body, declare = '') => `target triple = "nvptx64-nvidia-cuda"\n${declare}define ptx_kernel void @k(ptr %o) {\n${body}\n}\n`;
			const one = execute(run, 'unreachable', ll('unreachable'), { options: ['--level=ir'], extension: 'll' });
			assert.equal(one.report, 'F:3: error: unreachable in thread (0,0,0) of block (0,0,0): control reached a place marked unreachable\n  unreachable\n');
			const two = execute(run, 'assert', ll(
				'call void @__assertfail(ptr @m, ptr @f, i32 42, ptr @g, i64 1)\nret void',
				'@m = constant [6 x i8] c"x > 0\\00"\n@f = constant [5 x i8] c"a.cu\\00"\n@g = constant [2 x i8] c"k\\00"\ndeclare void @__assertfail(ptr, ptr, i32, ptr, i64)\n',
			), { options: ['--level=ir'], extension: 'll' });
			assert.equal(two.report, "F:7: error: assert in thread (0,0,0) of block (0,0,0): a.cu:42: k: assertion `x > 0' failed\n  call void @__assertfail(ptr @m, ptr @f, i32 42, ptr @g, i64 1)\n");
		});
	});

for (const { host, run, skip } of hosts)
	describe(`machine (${host})`, { skip }, () => {
		test('counts sectors, conflicts, divergence by line', () => {
			const r = execute(run, 'profile', entry([
				'mul.lo.s32 %r2, %r1, 128;', 'mov.u32 %r3, sh;', 'and.b32 %r4, %r1, 1;', 'shl.b32 %r5, %r4, 7;', 'add.s32 %r6, %r3, %r5;',
				'st.shared.u32 [%r6], %r1;', 'mul.wide.u32 %rd3, %r1, 4;', 'add.s64 %rd4, %rd2, %rd3;', 'st.global.u32 [%rd4], %r1;',
				'setp.lt.u32 %p1, %r1, 8;', '@%p1 bra $L1;', 'add.s32 %r7, %r7, 1;', '$L1:',
			].join('\n')), { options: ['--profile'] });
			assert.equal(r.status, 0, r.stderr);
			const line = (n) => r.json.profile.find((p) => p.line === n);
			assert.equal(line(19).bankConflicts, 1, 'two words of one bank');
			assert.equal(line(22).sectors, 4, '128 bytes are four sectors');
			assert.equal(line(24).divergent, 1);
			assert.equal(line(25).lanes, 24);
			assert.equal(r.json.stats.divergentBranches, 1);
			assert.equal(r.json.stats.globalSectors, 4);
			assert.equal(r.json.stats.sharedBankConflicts, 1);
		});

		test('profile costs nothing else: the same result and counts without it', () => {
			const args = ['run', join(folder, 'matmul_tiled.ll'), `--launch=${launchOf('matmul_tiled')}`, '--level=ir', '--json'];
			const plain = JSON.parse(run(args).stdout), profiled = JSON.parse(run([...args, '--profile']).stdout);
			assert.deepEqual(plain.buffers, profiled.buffers);
			assert.equal(plain.stats.threadInstructions, profiled.stats.threadInstructions);
		});

		test('a spin lock inside a warp makes progress', () => {
			const r = execute(run, 'lock', entry([
				'$L1:', 'atom.global.cas.b32 %r2, [%rd2], 0, 1;', 'setp.ne.u32 %p1, %r2, 0;', '@%p1 bra $L1;',
				'ld.global.u32 %r3, [%rd2+4];', 'add.s32 %r3, %r3, 1;', 'st.global.u32 [%rd2+4], %r3;', 'atom.global.exch.b32 %r4, [%rd2], 0;',
			].join('\n')));
			assert.equal(r.status, 0, r.stderr);
			assert.equal(r.json.buffers.out.values[1], 32);
			const fair = execute(run, 'lock', entry([
				'$L1:', 'atom.global.cas.b32 %r2, [%rd2], 0, 1;', 'setp.ne.u32 %p1, %r2, 0;', '@%p1 bra $L1;',
				'ld.global.u32 %r3, [%rd2+4];', 'add.s32 %r3, %r3, 1;', 'st.global.u32 [%rd2+4], %r3;', 'atom.global.exch.b32 %r4, [%rd2], 0;',
			].join('\n')), { options: ['--independent'] });
			assert.equal(fair.json.buffers.out.values[1], 32);
		});

		test('--registers=warp: one register for the warp, so that a branch that not all take is seen by all', () => {
			const text = entry('mov.u32 %r2, 5;\nsetp.lt.u32 %p1, %r1, 16;\n@%p1 bra $L1;\nmov.u32 %r2, 7;\n$L1:\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\nst.global.u32 [%rd4], %r2;');
			const values = (...options) => execute(run, 'warp-registers', text, { options }).json.buffers.out.values;
			assert.deepEqual(values(), [...Array(32).keys()].map((i) => i < 16 ? 5 : 7));
			assert.deepEqual(values('--registers=warp'), new Array(32).fill(7));
		});

		test('threads on their own wait for each other at a barrier; one that never comes is a fault', () => {
			const halves = (second) => entry(['setp.lt.u32 %p1, %r1, 16;', '@%p1 bra $L1;', 'add.s32 %r2, %r2, 1;', '$L1:', 'bar.sync 0;', second, 'st.global.u32 [%rd2], %r1;'].join('\n'));
			const r = execute(run, 'meet', halves(''), { options: ['--independent'] });
			assert.equal(r.status, 0, r.stderr);
			const away = entry('setp.lt.u32 %p1, %r1, 16;\n@%p1 bra $L1;\nbar.sync 0;\nbra $L2;\n$L1:\nbar.sync 0;\n$L2:');
			assert.equal(execute(run, 'away', away, { options: ['--independent'] }).report,
				'F:16: error: divergent-barrier in thread (16,0,0) of block (0,0,0): barrier reached by 16 of the warp\'s 32 threads\n  bar.sync 0;\n');
		});

		test('tiles of a warp that meet at one instruction, each with its mask, operate by themselves', () => {
			/* 8 lanes a tile: the sum of its lanes, whether one of them is lane 9, who has lane 3's parity, and the lane behind. */
			const body = [
				'and.b32 %r2, %r1, 24;', 'mov.u32 %r3, 255;', 'shl.b32 %r3, %r3, %r2;', 'redux.sync.add.s32 %r4, %r1, %r3;', 'setp.eq.u32 %p1, %r1, 9;',
				'vote.sync.any.pred %p2, %p1, %r3;', 'selp.u32 %r5, 1000, 0, %p2;', 'and.b32 %r6, %r1, 1;', 'match.any.sync.b32 %r7, %r6, %r3;', 'popc.b32 %r7, %r7;',
				'shfl.sync.down.b32 %r8, %r1, 1, 6175, %r3;', 'add.u32 %r4, %r4, %r5;', 'mad.lo.u32 %r4, %r7, 10000, %r4;', 'mad.lo.u32 %r4, %r8, 100000, %r4;',
				'mul.wide.u32 %rd3, %r1, 4;', 'add.s64 %rd4, %rd2, %rd3;', 'st.global.u32 [%rd4], %r4;',
			].join('\n');
			const r = execute(run, 'tiles', entry(body));
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.json.buffers.out.values, [...Array(32).keys()].map((l) => (l >> 3 << 6) + 28 + (l >> 3 === 1 ? 1000 : 0) + 40000 + (l % 8 === 7 ? l : l + 1) * 100000));
		});

		test('integers of 65 to 127 bits, and constants of them', () => {
			const operations = [
				['ashr', (x, bits) => BigInt.asIntN(bits, x) >> 5n], ['lshr', (x) => x >> 5n], ['sdiv', (x, bits) => BigInt.asIntN(bits, x) / 7n],
				['srem', (x, bits) => BigInt.asIntN(bits, x) % 7n], ['add', (x) => x + 5n], ['mul', (x) => x * 7n],
			];
			const by = { ashr: 5, lshr: 5, add: 5, sdiv: 7, srem: 7, mul: 7 };
			for (const bits of [65, 72, 96, 100, 127]) {
				const value = (1n << BigInt(bits - 1)) + 123456789012345678901n % (1n << BigInt(bits - 2)), text = `define ptx_kernel void @k(ptr %o, i128 %x) {
  %v = trunc i128 %x to i${bits}
${operations.map(([op], i) => `  %r${i} = ${op} i${bits} %v, ${by[op]}
  %h${i} = sext i${bits} %r${i} to i128
  %p${i} = getelementptr i128, ptr %o, i32 ${i}
  store i128 %h${i}, ptr %p${i}`).join('\n')}
  %c = icmp slt i${bits} %v, 1073741824
  %d = icmp sgt i${bits} 0, 1073741824
  %s = select i1 %d, i${bits} 1, i${bits} -2
  %e = xor i1 %c, %d
  %w = sext i${bits} %s to i128
  %z = zext i1 %e to i128
  %q = sub i128 %w, %z
  %p = getelementptr i128, ptr %o, i32 ${operations.length}
  store i128 %q, ptr %p
  ret void
}
`;
				const want = [...operations.map(([, f]) => BigInt.asIntN(bits, f(value, bits))), -3n].flatMap((v) => [BigInt.asUintN(64, v), BigInt.asUintN(64, v >> 64n)]).map(String);
				const launch = { kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], buffers: { out: { type: 'u64', count: want.length } },
					args: [{ buffer: 'out' }, { bytes: [...Array(16).keys()].map((i) => Number(value >> BigInt(8 * i) & 255n).toString(16).padStart(2, '0')).join(''), align: 16 }] };
				for (const level of ['ir', 'mir', 'ptx']) {
					const r = execute(run, 'wide', text, { launch, options: [`--level=${level}`], extension: 'll' });
					assert.equal(r.status, 0, r.stderr);
					assert.deepEqual(r.json.buffers.out.values.map(String), want, `i${bits} at ${level}`);
				}
			}
		});

		test('a reduction of floats by an operation of integers is reported', () => {
			const text = `declare double @llvm.vector.reduce.or.v2f64(<2 x double>)
define ptx_kernel void @k(ptr %o) {
  %v = load <2 x double>, ptr %o
  %r = call double @llvm.vector.reduce.or.v2f64(<2 x double> %v)
  store double %r, ptr %o
  ret void
}
`;
			const { status, report } = execute(run, 'reduce-or', text, { threads: 1, options: ['--level=ir'], extension: 'll' });
			assert.equal(status, 1);
			assert.match(report, /^F:4.*vector\.reduce\.or/m);
		});

		test('atomics of 128 bits', () => {
			const top = 1n << 127n, wrap = (x) => BigInt.asUintN(128, x), signed = (x) => BigInt.asIntN(128, x);
			const operations = {
				add: (o, v) => o + v, sub: (o, v) => o - v, and: (o, v) => o & v, nand: (o, v) => ~(o & v), or: (o, v) => o | v, xor: (o, v) => o ^ v, xchg: (o, v) => v,
				max: (o, v) => (signed(o) > signed(v) ? o : v), min: (o, v) => (signed(o) < signed(v) ? o : v), umax: (o, v) => (o > v ? o : v), umin: (o, v) => (o < v ? o : v),
				uinc_wrap: (o, v) => (o >= v ? 0n : o + 1n), udec_wrap: (o, v) => (o === 0n || o > v ? v : o - 1n),
				usub_cond: (o, v) => (o >= v ? o - v : o), usub_sat: (o, v) => (o >= v ? o - v : 0n),
			};
			const names = Object.keys(operations), start = top + 123456789012345678901234567n, by = (1n << 64n) + 5n;
			const halves = (x) => [BigInt.asUintN(64, x), x >> 64n].map(String);
			const text = `define ptx_kernel void @k(ptr %o, i128 %v) {
${names.map((op, i) => `  %p${i} = getelementptr i128, ptr %o, i32 ${i}
  %q${i} = getelementptr i128, ptr %o, i32 ${names.length + i}
  %r${i} = atomicrmw ${op} ptr %p${i}, i128 %v monotonic
  store i128 %r${i}, ptr %q${i}`).join('\n')}
  ret void
}
`;
			const launch = { kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'out' }, { bytes: '05000000000000000100000000000000', align: 16 }],
				buffers: { out: { type: 'u64', count: 4 * names.length, init: { kind: 'values', values: names.flatMap(() => halves(start)).concat(names.flatMap(() => ['0', '0'])) } } } };
			for (const level of ['ir', 'mir', 'ptx']) {
				const r = execute(run, 'wide-atomics', text, { launch, options: [`--level=${level}`, '-mcpu=sm_90', '-mattr=+ptx84'], extension: 'll' });
				assert.equal(r.status, 0, r.stderr);
				assert.deepEqual(r.json.buffers.out.values.map(String), [...names.flatMap((op) => halves(wrap(operations[op](start, by)))), ...names.flatMap(() => halves(start))], level);
			}
		});

		test('vectors of integers of odd widths lie in memory bit by bit, however many there are', () => {
			for (const [lanes, bits] of [[5, 33], [3, 7], [9, 31], [40, 1], [3, 65]]) {
				const v = `<${lanes} x i${bits}>`, bytes = Math.ceil(lanes * bits / 8), words = Math.ceil(bytes / 8) + 1;
				const text = `define ptx_kernel void @k(ptr %o, ptr %x) {
  %v = load ${v}, ptr %x, align 1
  %w = insertelement ${v} %v, i${bits} ${bits === 1 ? 'true' : 1}, i32 ${lanes - 1}
  store ${v} %w, ptr %o, align 1
  ret void
}
`;
				const x = BigInt(`0x${'9e3779b97f4a7c15f39cc0605cedc834'.repeat(3)}`) & (1n << BigInt(lanes * bits)) - 1n;
				const want = BigInt.asUintN((lanes - 1) * bits, x) | 1n << BigInt((lanes - 1) * bits);
				const u64s = (value) => [...Array(words).keys()].map((i) => String(BigInt.asUintN(64, value >> BigInt(64 * i))));
				const launch = { kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ buffer: 'out' }, { buffer: 'in' }],
					buffers: { out: { type: 'u64', count: words }, in: { type: 'u64', count: words, init: { kind: 'values', values: u64s(x) } } } };
				for (const level of ['ir', 'mir', 'ptx']) {
					const r = execute(run, 'odd', text, { launch, options: [`--level=${level}`], extension: 'll' });
					assert.equal(r.status, 0, r.stderr);
					assert.deepEqual(r.json.buffers.out.values.map(String), u64s(want), `${v} at ${level}`);
				}
			}
		});

		test('printf prints in the order of lanes, with the conversions of C', () => {
			const text = `target triple = "nvptx64-nvidia-cuda"
@f = constant [36 x i8] c"%d %5.2f|%-4u|%04x|%s|%c|%lld|%%%g\\0A\\00"
@s = constant [3 x i8] c"ab\\00"
define ptx_kernel void @k(ptr %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = alloca { i32, double, i32, i32, ptr, i32, i64, double }, align 8
  %n = sub i32 0, %t
  store i32 %n, ptr %a, align 4
  %p1 = getelementptr i8, ptr %a, i64 8
  store double 3.14159, ptr %p1, align 8
  %p2 = getelementptr i8, ptr %a, i64 16
  store i32 7, ptr %p2, align 4
  %p3 = getelementptr i8, ptr %a, i64 20
  store i32 255, ptr %p3, align 4
  %p4 = getelementptr i8, ptr %a, i64 24
  store ptr @s, ptr %p4, align 8
  %p5 = getelementptr i8, ptr %a, i64 32
  store i32 90, ptr %p5, align 4
  %p6 = getelementptr i8, ptr %a, i64 40
  store i64 -5000000000, ptr %p6, align 8
  %p7 = getelementptr i8, ptr %a, i64 48
  store double 0.0001, ptr %p7, align 8
  %r = call i32 @vprintf(ptr @f, ptr %a)
  %g = getelementptr i32, ptr %o, i32 %t
  store i32 %r, ptr %g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @vprintf(ptr, ptr)
`;
			for (const level of ['ir', 'ptx']) {
				const r = execute(run, 'printf', text, { threads: 2, options: [`--level=${level}`], extension: 'll' });
				assert.equal(r.status, 0, r.stderr);
				assert.equal(r.json.printf, '0  3.14|7   |00ff|ab|Z|-5000000000|%0.0001\n-1  3.14|7   |00ff|ab|Z|-5000000000|%0.0001\n');
			}
		});

		test('a warp multiplies matrices: mma.sync of halves, fed by ldmatrix', () => {
			// A[i][k] = i + k, B[k][j] = k - j, both exact in halves; A row by row and B column by column in shared memory.
			const text = `${header}
.visible .entry k(.param .u64 k_param_0)
{
.reg .pred %p<2>; .reg .b16 %h<4>; .reg .b32 %r<40>; .reg .f32 %f<12>; .reg .b64 %rd<6>;
.shared .align 16 .b8 as[512];
.shared .align 16 .b8 bs[256];
ld.param.u64 %rd1, [k_param_0];
cvta.to.global.u64 %rd2, %rd1;
mov.u32 %r1, %tid.x;
mov.u32 %r2, 0;
$fill:
shl.b32 %r3, %r2, 5;
add.s32 %r3, %r3, %r1;
shr.u32 %r4, %r3, 4;
and.b32 %r5, %r3, 15;
add.s32 %r6, %r4, %r5;
cvt.rn.f16.s32 %h1, %r6;
shl.b32 %r7, %r3, 1;
mov.u32 %r8, as;
add.s32 %r8, %r8, %r7;
st.shared.b16 [%r8], %h1;
setp.ge.u32 %p1, %r2, 4;
@%p1 bra $next;
sub.s32 %r6, %r5, %r4;
cvt.rn.f16.s32 %h2, %r6;
mov.u32 %r9, bs;
add.s32 %r9, %r9, %r7;
st.shared.b16 [%r9], %h2;
$next:
add.s32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 8;
@%p1 bra $fill;
bar.sync 0;
and.b32 %r10, %r1, 15;
shl.b32 %r10, %r10, 5;
shr.u32 %r11, %r1, 4;
shl.b32 %r11, %r11, 4;
mov.u32 %r12, as;
add.s32 %r12, %r12, %r10;
add.s32 %r12, %r12, %r11;
ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r20, %r21, %r22, %r23}, [%r12];
and.b32 %r13, %r1, 7;
shl.b32 %r13, %r13, 5;
shr.u32 %r14, %r1, 3;
and.b32 %r14, %r14, 1;
shl.b32 %r14, %r14, 4;
mov.u32 %r15, bs;
add.s32 %r15, %r15, %r13;
add.s32 %r15, %r15, %r14;
ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r24, %r25}, [%r15];
mov.f32 %f5, 0f3F800000;
mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r20, %r21, %r22, %r23}, {%r24, %r25}, {%f5, %f5, %f5, %f5};
shr.u32 %r16, %r1, 2;
and.b32 %r17, %r1, 3;
shl.b32 %r16, %r16, 3;
shl.b32 %r17, %r17, 1;
add.s32 %r16, %r16, %r17;
mul.wide.u32 %rd3, %r16, 4;
add.s64 %rd4, %rd2, %rd3;
st.global.v2.f32 [%rd4], {%f1, %f2};
st.global.v2.f32 [%rd4+256], {%f3, %f4};
ret;
}
`;
			const want = [];
			for (let i = 0; i < 16; i++)
				for (let j = 0; j < 8; j++) {
					let sum = 1;
					for (let k = 0; k < 16; k++)
						sum += (i + k) * (k - j);
					want.push(sum);
				}
			const r = execute(run, 'mma', text, { launch: { ...block(32), buffers: { out: { type: 'f32', count: 128 } } } });
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.json.buffers.out.values, want);
		});

		test('a launch that does not fit is refused with its place', () => {
			const bad = (launch, want) => assert.match(execute(run, 'bad', entry(''), { launch }).stderr, want);
			bad({ ...block(32), kernel: 'nowhere' }, /there is no kernel 'nowhere' to run/);
			bad({ ...block(32), kernel: 'kk' }, /there is no kernel 'kk' to run\nhint: the program's kernels: k\n/);
			bad({ ...block(32), args: [] }, /'k' takes 1 arguments; the launch gives 0/);
			bad({ ...block(32), block: [2048, 1, 1] }, /block wants more than 1024 threads for a block/);
			bad({ ...block(32), block: [1, 1, 65] }, /block wants more than 64 threads for a block in z/);
			bad({ ...block(32), grid: [1, 65536, 1] }, /grid wants more than 65535 blocks for a grid in y or in z/);
			bad({ ...block(32), grid: [1, 1, 65536] }, /grid wants more than 65535 blocks for a grid in y or in z/);
			bad({ ...block(32), args: [{ buffer: 'nope' }] }, /there is no buffer of this name/);
			bad({ ...block(32), buffers: { out: { type: 'u33', count: 1 } } }, /a buffer needs a type/);
		});
	});
