// Copies that nobody waits for and mbarriers; and what few kernels use: video instructions, cubes, reductions on surfaces, the stack.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const work = temporaryFolder();
const hex = (v) => `0f${new Uint32Array(new Float32Array([v]).buffer)[0].toString(16).padStart(8, '0')}`;

function execute(run, body, { threads = 32, out = 64, outside = '', buffers = {}, textures, options = [], outType = 'u32' } = {}) {
	const file = join(work, 'a.ptx'), launch = join(work, 'a.json'), names = ['out', ...Object.keys(buffers)];
	const args = [...names.map((buffer) => ({ buffer })), ...Object.keys(textures ?? {}).map((texture) => ({ texture }))];
	writeFileSync(file, `.version 8.6\n.target sm_100\n.address_size 64\n${outside}\n.visible .entry k(${args.map((_, i) => `.param .u64 p${i}`).join(', ')})\n{
.reg .pred %p<8>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<20>;
.shared .align 128 .b8 sh[1024]; .shared .align 8 .b64 bar; .shared .align 8 .b64 bar2;
${args.map((_, i) => `.reg .b64 %a${i};\nld.param.u64 %a${i}, [p${i}];`).join('\n')}
mov.u32 %r0, %tid.x;\nmul.wide.u32 %rd0, %r0, 4;\nadd.s64 %rd1, %a0, %rd0;
${body}\nret;\n}\n`);
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], args, textures,
		buffers: { out: { type: outType, count: out }, ...buffers },
	}));
	const r = run(['run', file, `--launch=${launch}`, '--json', ...options]);
	return { ...r, report: r.stderr.replaceAll(file, 'F'), values: r.stdout ? JSON.parse(r.stdout).buffers.out.values : null };
}

/** What a fault says was wrong, without place, thread and excerpt. */
const message = (...args) => execute(...args).report.split('\n')[0].split('): ')[1];

const numbers = { type: 'u32', count: 64, init: { kind: 'linear', start: 100, step: 1 } };

for (const { host, run, skip } of hosts)
	describe(`asynchronous copies and mbarriers (${host})`, { skip }, () => {
		test('cp.async: all of it, a part with zeros behind, nothing', () => {
			const r = execute(run, [
				'mul.wide.u32 %rd2, %r0, 16;', 'add.s64 %rd3, %a1, %rd2;', 'mov.u32 %r1, sh;', 'shl.b32 %r2, %r0, 4;', 'add.s32 %r1, %r1, %r2;',
				'setp.eq.u32 %p1, %r0, 2;', 'cp.async.ca.shared.global [%r1], [%rd3], 16;', 'mov.u32 %r3, 4;',
				'setp.eq.u32 %p2, %r0, 1;', '@%p2 cp.async.cg.shared.global [%r1], [%rd3], 16, %r3;', 'cp.async.commit_group;', 'cp.async.wait_group 0;',
				'bar.sync 0;', 'mov.u32 %r4, sh;', 'shl.b32 %r5, %r0, 2;', 'add.s32 %r4, %r4, %r5;', 'ld.shared.u32 %r6, [%r4];', 'st.global.u32 [%rd1], %r6;',
			].join('\n'), { threads: 16, out: 16, buffers: { in: numbers } });
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values, [100, 101, 102, 103, 104, 0, 0, 0, 108, 109, 110, 111, 112, 113, 114, 115]);
		});

		test('a producer and a consumer: the phase turns when all have arrived', () => {
			const r = execute(run, [
				'setp.eq.u32 %p1, %r0, 0;', '@%p1 mbarrier.init.shared.b64 [bar], 32;', 'bar.sync 0;', 'setp.lt.u32 %p2, %r0, 32;', '@%p2 bra $PRODUCE;',
				'$WAIT:', 'mbarrier.try_wait.parity.shared.b64 %p3, [bar], 0;', '@!%p3 bra $WAIT;', 'sub.s32 %r1, %r0, 32;', 'bra $READ;',
				'$PRODUCE:', 'mov.u32 %r2, sh;', 'mad.lo.s32 %r2, %r0, 4, %r2;', 'mul.lo.s32 %r3, %r0, %r0;', 'st.shared.u32 [%r2], %r3;',
				'mbarrier.arrive.shared.b64 %rd5, [bar];', 'ret;',
				'$READ:', 'mov.u32 %r2, sh;', 'mad.lo.s32 %r2, %r1, 4, %r2;', 'ld.shared.u32 %r3, [%r2];', 'st.global.u32 [%rd1], %r3;',
			].join('\n'), { threads: 64, options: ['--sanitize=race,init'] });
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values.slice(32), [...Array(32).keys()].map((i) => i * i));
		});

		test('a bulk copy is waited for by its bytes; the way back, and a reduction', () => {
			const r = execute(run, [
				'setp.ne.u32 %p1, %r0, 0;', '@%p1 bra $END;', 'mov.u32 %r1, bar;', 'mbarrier.init.shared.b64 [bar], 1;',
				'mbarrier.arrive.expect_tx.shared.b64 %rd5, [bar], 128;', 'mbarrier.test_wait.shared.b64 %p2, [bar], %rd5;', 'selp.u32 %r2, 1, 0, %p2;', 'st.global.u32 [%a0+252], %r2;',
				'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sh], [%a1], 128, [%r1];',
				'mbarrier.test_wait.shared.b64 %p2, [bar], %rd5;', 'selp.u32 %r2, 1, 0, %p2;', 'st.global.u32 [%a0+248], %r2;',
				'cp.async.bulk.global.shared::cta.bulk_group [%a0], [sh], 64;', 'cp.async.bulk.commit_group;', 'cp.async.bulk.wait_group 0;',
				'cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%a0], [sh], 32;', 'cp.async.bulk.commit_group;', 'cp.async.bulk.wait_group 0;', '$END:',
			].join('\n'), { buffers: { in: numbers } });
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values.slice(0, 18), [200, 202, 204, 206, 208, 210, 212, 214, 108, 109, 110, 111, 112, 113, 114, 115, 0, 0]);
			assert.deepEqual(r.values.slice(62), [1, 0]);
		});

		test('pending arrivals, arrive_drop, and st.async', () => {
			const r = execute(run, [
				'setp.ne.u32 %p1, %r0, 0;', '@%p1 bra $END;', 'mov.u32 %r9, bar2;', 'mov.u32 %r8, sh;', 'mbarrier.init.shared.b64 [bar], 3;', 'mbarrier.init.shared.b64 [bar2], 1;',
				'mbarrier.arrive_drop.shared.b64 %rd5, [bar];', 'mbarrier.arrive.shared.b64 %rd6, [bar], 2;', 'mbarrier.arrive.shared.b64 %rd7, [bar];',
				'mbarrier.pending_count.b64 %r1, %rd5;', 'mbarrier.pending_count.b64 %r2, %rd6;', 'mbarrier.pending_count.b64 %r3, %rd7;',
				'st.global.v2.u32 [%a0], {%r1, %r2};', 'st.global.u32 [%a0+8], %r3;',
				'mbarrier.expect_tx.relaxed.cta.shared.b64 [bar2], 8;', 'mov.u32 %r4, 77;', 'mov.u32 %r5, 78;',
				'st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r8], {%r4, %r5}, [%r9];', 'mbarrier.arrive.shared.b64 %rd5, [bar2];',
				'mbarrier.test_wait.parity.shared.b64 %p2, [bar2], 0;', 'selp.u32 %r6, 1, 0, %p2;', 'ld.shared.u32 %r7, [sh+4];', 'st.global.u32 [%a0+12], %r6;', 'st.global.u32 [%a0+16], %r7;', '$END:',
			].join('\n'));
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values.slice(0, 5), [3, 2, 2, 1, 78]);
		});

		test('masks of bytes, a mask that names no block, and bytes outside', () => {
			const r = execute(run, [
				'setp.ne.u32 %p1, %r0, 0;', '@%p1 bra $END;', 'mov.u32 %r1, bar;', 'mov.u32 %r2, sh;', 'mbarrier.init.shared.b64 [bar], 1;', 'st.shared.u32 [sh+64], 7;', '.reg .b16 %h<3>;', 'mov.b16 %h1, 0x00f0;', 'mov.b16 %h2, 0;',
				'mbarrier.arrive.expect_tx.shared.b64 %rd5, [bar], 64;', 'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sh], [%a1], 64, [%r1];',
				'cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sh+64], [%a1], 64, [%r1], %h2;',
				'$W:', 'mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;', '@!%p2 bra $W;',
				'cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%a0], [sh], 32, %h1;', 'cp.async.bulk.commit_group;', 'cp.async.bulk.wait_group.read 0;', 'ld.shared.u32 %r3, [sh+64];', 'st.global.u32 [%a0+128], %r3;', '$END:',
			].join('\n'), { buffers: { in: numbers } });
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual([...r.values.slice(0, 8), r.values[32]], [0, 101, 0, 0, 0, 105, 0, 0, 7]);
		});

		test('what is not waited for has not landed: groups in their order', () => {
			const r = execute(run, [
				'mov.u32 %r1, sh;', 'shl.b32 %r2, %r0, 5;', 'add.s32 %r1, %r1, %r2;', 'mul.wide.u32 %rd2, %r0, 8;', 'add.s64 %rd3, %a1, %rd2;', 'st.shared.v2.u32 [%r1], {1, 2};', 'st.shared.u32 [%r1+8], 3;',
				'cp.async.ca.shared.global [%r1], [%rd3], 4;', 'cp.async.commit_group;', 'cp.async.ca.shared.global [%r1+4], [%rd3+4], 4;', 'cp.async.commit_group;', 'cp.async.ca.shared.global [%r1+8], [%rd3], 4;',
				'ld.shared.u32 %r3, [%r1];', 'cp.async.wait_group 1;', 'ld.shared.v2.u32 {%r4, %r5}, [%r1];', 'cp.async.wait_group 0;', 'ld.shared.u32 %r6, [%r1+4];', 'ld.shared.u32 %r7, [%r1+8];', 'cp.async.wait_all;', 'ld.shared.u32 %r8, [%r1+8];',
				'mul.wide.u32 %rd4, %r0, 24;', 'add.s64 %rd4, %a0, %rd4;', 'st.global.v2.u32 [%rd4], {%r3, %r4};', 'st.global.v2.u32 [%rd4+8], {%r5, %r6};', 'st.global.v2.u32 [%rd4+16], {%r7, %r8};',
			].join('\n'), { threads: 4, buffers: { in: numbers } });
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values.slice(0, 24), [0, 1, 2, 3].flatMap((i) => [1, 100 + 2 * i, 2, 101 + 2 * i, 3, 100 + 2 * i]));
		});

		test('cp.async.mbarrier.arrive: with and without an arrival more', () => {
			for (const [flag, count] of [['', 1], ['.noinc', 2]]) {
				const r = execute(run, [
					`mbarrier.init.shared.b64 [bar], ${count};`, 'st.shared.u32 [sh], 9;', 'cp.async.ca.shared.global [sh], [%a1], 4;', `cp.async.mbarrier.arrive${flag}.shared.b64 [bar];`, 'ld.shared.u32 %r1, [sh];',
					'mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;', 'selp.u32 %r2, 1, 0, %p1;', 'mbarrier.arrive.shared.b64 %rd5, [bar];', 'mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;', 'selp.u32 %r3, 1, 0, %p1;', 'ld.shared.u32 %r4, [sh];',
					'st.global.v4.u32 [%a0], {%r1, %r2, %r3, %r4};',
				].join('\n'), { threads: 1, buffers: { in: numbers } });
				assert.equal(r.status, 0, r.stderr);
				assert.deepEqual(r.values.slice(0, 4), [9, 0, 1, 100]);
			}
		});

		test('work stealing: a block takes those that were not started', () => {
			const file = join(work, 'clc.ptx'), launch = join(work, 'clc.json');
			writeFileSync(file, `.version 8.7\n.target sm_100\n.address_size 64\n.visible .entry k(.param .u64 p)\n{
.reg .pred %p<3>; .reg .b32 %r<12>; .reg .b64 %rd<6>; .reg .b128 %q<2>; .shared .align 16 .b8 answer[16]; .shared .align 8 .b64 bar;
ld.param.u64 %rd1, [p]; mov.u32 %r1, answer; mov.u32 %r2, bar; mbarrier.init.shared.b64 [bar], 1; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r5, 0;
$NEXT: mad.lo.u32 %r6, %r4, 3, %r3; mul.wide.u32 %rd2, %r6, 4; add.u64 %rd2, %rd1, %rd2; mov.u32 %r7, %ctaid.x; mad.lo.u32 %r7, %r5, 100, %r7; add.u32 %r7, %r7, 1; atom.global.add.u32 %r8, [%rd2], %r7;
clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%r1], [%r2]; mbarrier.arrive.expect_tx.shared.b64 %rd3, [bar], 16; and.b32 %r9, %r5, 1;
$WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [bar], %r9; @!%p1 bra $WAIT;
ld.shared.b128 %q1, [%r1]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p2, %q1; @!%p2 bra $END;
clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r3, %r10, %r10, %r10}, %q1; clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %r4, %q1; add.u32 %r5, %r5, 1; bra $NEXT;
$END: ret;\n}\n`);
			writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [3, 2, 1], block: [1, 1, 1], args: [{ buffer: 'out' }], buffers: { out: { type: 'u32', count: 6 } } }));
			const { status, stdout, stderr } = run(['run', file, `--launch=${launch}`, '--json']);
			assert.equal(status, 0, stderr);
			assert.deepEqual(JSON.parse(stdout).buffers.out.values, [1, 101, 201, 301, 401, 501]);
		});

		test('one device: multimem loads, stores and reductions', () => {
			const r = execute(run, [
				'multimem.ld_reduce.relaxed.gpu.global.add.u32 %r1, [%a1];', 'multimem.st.relaxed.sys.global.u32 [%rd1], %r1;', 'multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r0;',
				'multimem.ld_reduce.weak.global.add.v4.f32 {%f1, %f2, %f3, %f4}, [%a1];', 'multimem.red.relaxed.gpu.global.max.s32 [%a1+64], %r0;', 'bar.sync 0;', 'ld.global.u32 %r2, [%a1+64];', 'st.global.u32 [%a0+128], %r2;',
			].join('\n'), { buffers: { in: { type: 'u32', count: 32, init: { kind: 'linear', start: 5, step: 0 } } } });
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values.slice(0, 33), [...Array(32).keys()].map((i) => 5 + i).concat(31));
		});

		test('faults: no mbarrier, too many arrivals, a bad address', () => {
			assert.equal(message(run, 'mbarrier.arrive.shared.b64 %rd5, [sh];'), 'the 8 bytes at 0x400 are no mbarrier: mbarrier.init has not set them up');
			assert.equal(message(run, 'mbarrier.init.shared.b64 [bar], 0;'), 'an mbarrier for 0 arrivals: 1 to 1048575 are possible');
			assert.equal(message(run, 'mbarrier.init.shared.b64 [bar], 8;\nmbarrier.arrive.noComplete.shared.b64 %rd5, [bar], 9;', { threads: 1 }),
				'9 arrivals at an mbarrier that waits for 8 more in this phase');
			assert.match(execute(run, 'cp.async.ca.shared.global [sh+4], [%a0], 16;').report, /misaligned in thread \(0,0,0\).*copy of 16 bytes from 0x7f0000001000 to 0x404: not all are multiples of 16/);
			assert.match(execute(run, 'mbarrier.init.shared.b64 [bar], 1;\n$L:\nmbarrier.try_wait.parity.shared.b64 %p1, [bar], 0;\n@!%p1 bra $L;', { options: ['--max-steps=5000'] }).report, /step-limit/);
		});
	});

for (const { host, run, skip } of hosts)
	describe(`rare instructions (${host})`, { skip }, () => {
		test('video instructions', () => {
			const rows = [
				['vadd.s32.s32.s32.sat %r9, %r1, %r2;', 0x7fffffff], ['vsub.s32.u32.u32 %r9, %r3, %r4;', 0xfffffffe], ['vabsdiff.u32.s32.s32 %r9, %r3, %r5;', 6],
				['vadd.s32.s32.s32 %r9, %r6.b0, %r6.h1;', 0x12 - 128] /* 0x80 as a signed byte */, ['vmin.s32.s32.s32.add %r9, %r3, %r5, %r4;', 2], ['vmad.s32.s32.s32.shr7 %r9, %r6, %r3, %r4;', ((0x123480 | 0) * 3 + 5) >> 7],
				['vset.s32.s32.lt %r9, %r5, %r3;', 1], ['vshl.u32.u32.u32.clamp %r9, %r3, %r7;', 0], ['vshl.u32.u32.u32.wrap %r9, %r3, %r7;', 12], ['vshr.s32.s32.u32.clamp %r9, %r5, %r3;', 0xffffffff],
				['vadd4.u32.u32.u32.sat %r9, %r10, %r11, %r12;', 0xff04ff08], ['vadd4.s32.s32.s32 %r9, %r10, %r11, %r12;', 0x00040008], ['vabsdiff4.u32.u32.u32.add %r9, %r10, %r11, %r4;', 0xfe + 0 + 0xfe + 2 + 5],
				['vavrg2.s32.s32.s32 %r9, %r13, %r14, %r4;', 0xfffe0003], ['vset2.s32.s32.ge %r9, %r13, %r14, %r4;', 0x00000000], ['vmax2.s32.s32.s32 %r9, %r13, %r14, %r4;', 0xffff0003],
			];
			const r = execute(run, [
				'mov.u32 %r1, 0x7ffffff0;', 'mov.u32 %r2, 100;', 'mov.u32 %r3, 3;', 'mov.u32 %r4, 5;', 'mov.s32 %r5, -3;', 'mov.u32 %r6, 0x123480;', 'mov.u32 %r7, 34;',
				'mov.u32 %r10, 0xff02ff05;', 'mov.u32 %r11, 0x01020103;', 'mov.u32 %r12, 0;', 'mov.u32 %r13, 0xfffd0002;', 'mov.u32 %r14, 0xffff0003;',
				...rows.flatMap(([text], i) => [text, `st.global.u32 [%a0+${4 * i}], %r9;`]),
			].join('\n'), { threads: 1 });
			assert.equal(r.status, 0, r.stderr);
			rows.forEach(([text, want], i) => assert.equal(r.values[i], want >>> 0, text));
		});

		test('cvt.pack', () => {
			const r = execute(run, 'mov.s32 %r1, 70000;\nmov.s32 %r2, -5;\nmov.u32 %r3, 0x12;\ncvt.pack.sat.s16.s32 %r4, %r1, %r2;\ncvt.pack.sat.u8.s32.b32 %r5, %r1, %r2, %r3;\nst.global.v2.u32 [%a0], {%r4, %r5};', { threads: 1 });
			assert.deepEqual(r.values.slice(0, 2), [0x7ffffffb, 0x0012ff00]);
		});

		test('a cube: the face of the largest component, and the place on it', () => {
			const texels = { type: 'f32', count: 24, init: { kind: 'linear', start: 0, step: 1 } };
			const directions = [[1, 0.5, -0.5], [-1, 0.5, -0.5], [0.5, 1, 0.5], [0.5, -1, 0.5], [0.5, 0.5, 1], [0.5, 0.5, -1], [0, 0, 0]];
			const r = execute(run, directions.map(([x, y, z], i) => [
				`mov.f32 %f1, ${hex(x)};`, `mov.f32 %f2, ${hex(y)};`, `mov.f32 %f3, ${hex(z)};`, `tex.cube.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%a2, {%f1, %f2, %f3, %f3}];`, `st.global.f32 [%a0+${4 * i}], %f5;`,
			].join('\n')).join('\n'), {
				threads: 1, outType: 'f32', out: 8, buffers: { faces: texels },
				textures: { T: { object: 'texture', dim: 2, type: 'f32', channels: 1, width: 2, height: 2, depth: 6, buffer: 'faces' } },
			});
			assert.equal(r.status, 0, r.stderr);
			// each face has four texels, row by row; by hand from the table of faces
			assert.deepEqual(r.values.slice(0, 6), [1, 4, 11, 13, 17, 20]);
		});

		const samples = { texels: { type: 'u32', count: 2 * 3 * 2 * 4, init: { kind: 'linear', start: 0, step: 1 } } };
		const T = { object: 'texture', dim: 2, type: 'u32', channels: 1, width: 3, height: 2, depth: 2, samples: 4, buffer: 'texels' };
		const fetch = ([form, ...at], i) => [
			...at.map((v, k) => `mov.b32 %r${k + 1}, ${v};`), `tex.${form}.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%a2, {%r1, %r2, %r3, %r4}];`, `st.global.u32 [%a0+${4 * i}], %r5;`,
		].join('\n');

		test('an image with several samples: of a texel one behind the other; sample, layer, x, y', () => {
			const cases = [['2dms', 0, 0, 0, 9], ['2dms', 3, 0, 0, 9], ['2dms', 2, 1, 0, 9], ['base.2dms', 1, 2, 1, 9], ['2dms', 7, 0, 0, 9], ['2dms', 1, -4, 5, 9],
				['a2dms', 2, 0, 1, 1], ['a2dms', 2, 1, 1, 1], ['base.a2dms', 3, 9, 2, 1]];
			const at = (sample, layer, x, y) => ((layer * 2 + y) * 3 + x) * 4 + sample;
			const r = execute(run, `${cases.map(fetch).join('\n')}\ntxq.num_samples.b32 %r9, [%a2];\nst.global.u32 [%a0+60], %r9;\ntex.2d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%a2, {%r3, %r4}];\nst.global.u32 [%a0+56], %r5;`,
				{ threads: 1, buffers: samples, textures: { T } });
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values.slice(0, 9), [at(0, 0, 0, 0), at(3, 0, 0, 0), at(2, 0, 1, 0), at(1, 0, 2, 1), at(3, 0, 0, 0), at(1, 0, 0, 1),
				at(2, 0, 1, 1), at(2, 1, 1, 1), at(3, 1, 2, 1)]);
			assert.deepEqual(r.values.slice(14, 16), [at(0, 0, 2, 1), 4]);
		});

		test('several samples are of textures of two dimensions, unfiltered, and in the buffer', () => {
			for (const [change, says] of [[{ dim: 3 }, /of several samples are textures with dim 2, without a filter/], [{ object: 'surface' }, /of several samples/], [{ filter: 'linear' }, /of several samples/],
				[{ samples: 5 }, /the texture is larger than its buffer/], [{ samples: 0 }, /a whole number is wanted/]]) {
				const r = execute(run, 'ret;', { buffers: samples, textures: { T: { ...T, ...change } } });
				assert.equal(r.status, 1, JSON.stringify(change));
				assert.match(r.stderr, says);
			}
		});

		test('levels: by number, by how the coordinates change, between two', () => {
			const buffers = { texels: { type: 'f32', count: 42, init: { kind: 'linear', start: 0, step: 1 } } };
			const image = { object: 'texture', dim: 2, type: 'f32', channels: 1, width: 4, height: 4, levels: 3, normalized: true, buffer: 'texels' };
			// at the middle: texels 10 of the first level, 19 of the second, 20 of the third
			const fetch = (form, operands, change) => execute(run, `mov.f32 %f1, 0f3f000000;\nmov.u32 %r1, 0;
				tex${form}.f32 {%f5, %f6, %f7, %f8}, [%a2, ${form.includes('a2d') ? '{%r1, %f1, %f1, %f1}' : form.includes('cube') ? '{0f3F800000, 0f00000000, 0f00000000, 0f00000000}' : '{%f1, %f1}'}]${operands};
				st.global.f32 [%a0], %f5;`, { threads: 1, out: 1, outType: 'f32', buffers, textures: { T: { ...image, ...change } } });
			const value = (form, operands, change) => fetch(form, operands, change).values[0];
			const level = (lod, change) => value('.level.2d.v4.f32', `, ${hex(lod)}`, change);
			assert.deepEqual([0, 1, 2, 7, -3, 0.25, 0.75, NaN].map((lod) => level(lod)), [10, 19, 20, 20, 10, 10, 19, 10]);
			assert.deepEqual([0, 0.25, 1, 1.5, 2].map((lod) => level(lod, { levelFilter: 'linear' })), [10, 12.25, 19, 19.5, 20]);
			assert.equal(level(0.5, { filter: 'linear', levelFilter: 'linear' }), (7.5 + 17.5) / 2);
			assert.equal(value('.2d.v4.f32', ''), 10);
			assert.equal(value('.base.2d.v4.f32', ''), 10);
			const grad = (x, y) => value('.grad.2d.v4.f32', `, {${x.map(hex).join()}}, {${y.map(hex).join()}}`);
			assert.deepEqual([grad([0.25, 0], [0, 0]), grad([0, 0.5], [0.25, 0]), grad([0, 0], [0, 1]), grad([0, 0], [0, 0])], [10, 19, 20, 10]);
			// all layers of a level come before the next level
			assert.equal(value('.level.a2d.v4.f32', `, ${hex(1)}`, { depth: 2 }), 35);
			// the face of +x, from the middle: a quarter of a turn is more than its width
			const faces = { width: 2, height: 2, depth: 6, levels: 2 };
			const turn = (z) => value('.grad.cube.v4.f32', `, {${[0, 0, z, 0].map(hex).join()}}, {${[0, 0, 0, 0].map(hex).join()}}`, faces);
			assert.deepEqual([turn(0.1), turn(2)], [3, 24]);
			const asked = execute(run, `txq.num_mipmap_levels.b32 %r1, [%a2];\nmov.u32 %r3, 1;\ntxq.level.width.b32 %r2, [%a2], %r3;\nst.global.v2.u32 [%a0], {%r1, %r2};`, { threads: 1, out: 2, buffers, textures: { T: image } });
			assert.deepEqual(asked.values, [3, 2]);
			for (const [change, says] of [[{ levels: 4 }, /levels end with one of a texel/], [{ normalized: false }, /levels end/], [{ levels: 0 }, /a whole number/], [{ depth: 3 }, /larger than its buffer/]])
				assert.match(fetch('.2d.v4.f32', '', change).stderr, says);
		});

		test('a fetch at an offset, with a depth, and whether its texels are there', () => {
			const depths = { texels: { type: 'f32', count: 12, init: { kind: 'linear', start: 0, step: 0.1 } } };
			const image = { object: 'texture', dim: 2, type: 'f32', channels: 1, width: 4, height: 3, buffer: 'texels' };
			const body = (form, more) => `mov.f32 %f1, 0f3f800000;\nmov.f32 %f2, 0f40000000;\nmov.u32 %r1, 1;\nmov.u32 %r2, -1;\nmov.f32 %f9, 0f3f000000;\ntex.2d.v4.f32.${form === 'int' ? 's32' : 'f32'} {%f5, %f6, %f7, %f8}${form === 'there' ? '|%p1' : ''}, [%a2, {${form === 'int' ? '%r1, %r1' : '%f1, %f2'}}]${more};
				selp.f32 %f6, 0f3f800000, 0f00000000, %p1;\nst.global.v2.f32 [%a0], {%f5, %f6};`;
			const fetched = (form, more, change) => execute(run, body(form, more), { threads: 1, out: 2, outType: 'f32', buffers: depths, textures: { T: { ...image, ...change } } });
			const value = (...args) => { const r = fetched(...args); assert.equal(r.status, 0, r.stderr); return r.values.map((v) => Math.round(v * 1000) / 1000); };
			assert.deepEqual(value('there', ''), [0.9, 1]);
			assert.equal(value('real', ', {%r1, %r2}')[0], 0.6);
			assert.equal(value('int', ', {2, 1}')[0], 1.1);
			assert.equal(value('real', ', {-8, 0}')[0], 0.8);
			for (const [depthTest, passes] of [['less', 1], ['greater', 0], ['never', 0], ['always', 1], ['lessEqual', 1], ['notEqual', 1], ['equal', 0], ['greaterEqual', 0]])
				assert.equal(value('real', ', %f9', { depthTest })[0], passes, depthTest);
			assert.equal(value('real', ', {%r1, %r2}, %f9', { depthTest: 'equal' })[0], 0);
			// three of the four texels around the point lie behind the depth
			assert.equal(value('real', ', {1, 0}, %f9', { depthTest: 'less', filter: 'linear' })[0], 0.75);
			assert.match(fetched('real', ', %f9').stderr, /bad-texture .*a fetch with a depth from T, which has no depth test/);
		});

		test('reductions on a surface', () => {
			const r = execute(run, 'sured.b.add.1d.u32.trap [%a2, {4}], %r0;\nsured.p.max.1d.u32.trap [%a2, {3}], %r0;\nbar.sync 0;\nsuld.b.1d.v4.b32.trap {%r1, %r2, %r3, %r4}, [%a2, {0}];\nst.global.v4.u32 [%a0], {%r1, %r2, %r3, %r4};', {
				buffers: { data: { type: 'u32', count: 8 } }, textures: { S: { object: 'surface', dim: 1, type: 'u32', channels: 1, width: 8, buffer: 'data' } },
			});
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values.slice(0, 4), [0, 496, 0, 31]);
		});

		test('alloca, stacksave, stackrestore', () => {
			const r = execute(run, [
				'stacksave.u64 %rd2;', 'cvt.u64.u32 %rd3, 64;', 'alloca.u64 %rd4, %rd3, 16;', 'cvta.local.u64 %rd5, %rd4;', 'st.u32 [%rd5+60], %r0;', 'ld.local.u32 %r1, [%rd4+60];',
				'stackrestore.u64 %rd2;', 'alloca.u64 %rd6, %rd3;', 'setp.eq.u64 %p1, %rd4, %rd6;', 'selp.u32 %r2, 1000, 0, %p1;', 'add.s32 %r1, %r1, %r2;', 'st.global.u32 [%rd1], %r1;',
			].join('\n'));
			assert.equal(r.status, 0, r.stderr);
			assert.deepEqual(r.values.slice(0, 3), [1000, 1001, 1002]);
		});
	});
