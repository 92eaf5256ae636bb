// Accesses of whole warps: equal addresses, addresses in a row, halves of both, and scattered ones, in every width. With
// --sanitize=init each lane is done by itself, which must give the same.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const work = temporaryFolder();

/** Byte offset of lane l, for accesses of w bytes. */
const patterns = {
	same: () => 32, row: (l, w) => l * w, halves: (l, w) => (l >> 4) * 64 + (l & 15) * w, 'one and one': (l) => (l >> 4) * 128, 'row and one': (l, w) => (l < 16 ? l * w : 512),
	'every second': (l, w) => 2 * l * w, backwards: (l, w) => (31 - l) * w, eights: (l, w) => (l & 7) * w + (l >> 3) * 256,
};
const loads = [['u8', 1, 'r'], ['s8', 1, 'r'], ['u16', 2, 'rs'], ['s16', 2, 'r'], ['u32', 4, 'r'], ['s32', 4, 'rd'], ['f32', 4, 'f'], ['u64', 8, 'rd'], ['v2.u32', 8, 'r'], ['v4.f32', 16, 'f'], ['v2.u64', 16, 'rd'], ['v4.u8', 4, 'r']];
const spaces = ['global', 'shared', ''];

/** What lane l reads, as 64-bit words of its registers. */
function read(memory, type, at) {
	const [, vec, kind, bits] = /^(?:v(\d)\.)?([usf])(\d+)$/.exec(type), bytes = bits / 8;
	return Array.from({ length: Number(vec ?? 1) }, (_, i) => {
		const v = BigInt(`0x${[...memory.subarray(at + i * bytes, at + (i + 1) * bytes)].reverse().map((b) => b.toString(16).padStart(2, '0')).join('')}`);
		return kind === 's' ? BigInt.asUintN(64, BigInt.asIntN(Number(bits), v)) : v;
	});
}

const run64 = { r: (i) => `cvt.u64.u32 %v, %r${i};`, rs: (i) => `cvt.u64.u16 %v, %rs${i};`, f: (i) => `mov.b32 %r9, %f${i}; cvt.u64.u32 %v, %r9;`, rd: (i) => `mov.b64 %v, %rd${i};` };

function program(body, options, run) {
	const file = join(work, 'm.ptx'), launch = join(work, 'm.json'), memory = Buffer.from(Array.from({ length: 2048 }, (_, i) => (i * 73 + (i >> 3) * 41) & 255));
	writeFileSync(file, `.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p_in, .param .u64 p_out, .param .u64 p_at)\n{
.reg .b32 %r<10>; .reg .b16 %rs<8>; .reg .f32 %f<8>; .reg .b64 %rd<8>; .reg .b64 %v; .reg .b64 %a<8>; .reg .b32 %t; .reg .pred %p;
.shared .align 16 .b8 sh[2048];
ld.param.u64 %a0, [p_in]; ld.param.u64 %a1, [p_out]; ld.param.u64 %a2, [p_at]; mov.u32 %t, %tid.x; mul.wide.u32 %a3, %t, 4; add.u64 %a2, %a2, %a3; mul.wide.u32 %a3, %t, 8; add.u64 %a1, %a1, %a3;
mov.u64 %a4, sh; mul.wide.u32 %a3, %t, 4; add.u64 %a5, %a0, %a3; add.u64 %a6, %a4, %a3; mov.u32 %r0, 0;
$L: ld.global.u32 %r1, [%a5]; st.shared.u32 [%a6], %r1; add.u64 %a5, %a5, 128; add.u64 %a6, %a6, 128; add.u32 %r0, %r0, 1; setp.lt.u32 %p, %r0, 16; @%p bra $L; bar.sync 0;
${body}
ret;\n}\n`);
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], args: ['in', 'out', 'at'].map((buffer) => ({ buffer })),
		buffers: {
			in: { type: 'u8', count: 2048, init: { kind: 'values', values: [...memory] } }, out: { type: 'u64', count: 65536 },
			at: { type: 'u32', count: 8192, init: { kind: 'values', values: Object.values(patterns).flatMap((p) => [1, 2, 4, 8, 16].flatMap((w) => Array.from({ length: 32 }, (_, l) => p(l, w)))) } },
		},
	}));
	const r = run(['run', file, `--launch=${launch}`, '--json', ...options]);
	return { ...r, memory, out: r.stdout ? JSON.parse(r.stdout).buffers.out.values : null, report: r.stderr.replaceAll(file, 'M') };
}

/** %a5: base plus the lane's offset. */
const address = (space, pattern, w) => `ld.global.u32 %r0, [%a2+${(Object.keys(patterns).indexOf(pattern) * 5 + Math.log2(w)) * 128}]; cvt.u64.u32 %a5, %r0; ${{ global: 'add.u64 %a5, %a5, %a0;', shared: 'add.u64 %a5, %a5, %a4;', '': 'cvta.shared.u64 %a6, %a4; add.u64 %a5, %a5, %a6;' }[space]}`;

for (const { host, run, skip } of hosts)
	describe(`accesses of whole warps (${host})`, { skip }, () => {
		test('loads', () => {
			const cases = Object.keys(patterns).flatMap((pattern) => loads.flatMap((load) => spaces.map((space) => [pattern, load, space])));
			let out = 0;
			const body = cases.map(([pattern, [type, w, reg], space]) => {
				const n = Number(/^v(\d)/.exec(type)?.[1] ?? 1), list = Array.from({ length: n }, (_, i) => `%${reg}${i + 1}`);
				return [address(space, pattern, w), `ld${space && `.${space}`}.${type} ${n > 1 ? `{${list.join(', ')}}` : list[0]}, [%a5];`, ...list.map((_, i) => `${run64[reg](i + 1)} st.global.u64 [%a1+${256 * out++}], %v;`)].join('\n');
			}).join('\n');
			const fast = program(body, [], run), slow = program(body, ['--sanitize=init'], run);
			assert.equal(fast.status, 0, fast.report);
			out = 0;
			const want = cases.flatMap(([pattern, [type, w, reg]]) => {
				const lanes = Array.from({ length: 32 }, (_, l) => read(fast.memory, type, patterns[pattern](l, w)));
				return lanes[0].map((_, i) => lanes.map((v) => (reg === 'rd' ? v[i] : BigInt.asUintN(reg === 'rs' ? 16 : 32, v[i]))));
			}).flat();
			assert.deepEqual(fast.out.slice(0, want.length).map(BigInt), want);
			assert.deepEqual(slow.out, fast.out);
		});

		test('stores: of lanes with one address the last one stays', () => {
			const body = Object.keys(patterns).flatMap((pattern, p) => [['u8', 1, 'r'], ['u16', 2, 'rs'], ['u32', 4, 'r'], ['u64', 8, 'rd'], ['v2.u32', 8, 'r'], ['v4.u32', 16, 'r']].map(([type, w, reg], k) => {
				const n = Number(/^v(\d)/.exec(type)?.[1] ?? 1), list = Array.from({ length: n }, (_, i) => `%${reg}${i + 1}`);
				return `${address('shared', pattern, w)} mad.lo.u32 %r5, %t, 7, ${p * 16 + k}; ${list.map((r, i) => (reg === 'r' ? `add.u32 ${r}, %r5, ${i};` : reg === 'rs' ? `cvt.u16.u32 ${r}, %r5;` : `cvt.u64.u32 ${r}, %r5; shl.b64 ${r}, ${r}, 9;`)).join(' ')}
st.shared.${type} [%a5], ${n > 1 ? `{${list.join(', ')}}` : list[0]}; ${Array.from({ length: 8 }, (_, i) => `add.u64 %a6, %a4, %a3; add.u64 %a6, %a6, %a3; ld.shared.u64 %v, [%a6+${256 * i}]; st.global.u64 [%a1+${((p * 6 + k) * 8 + i) * 256}], %v;`).join(' ')}`;
			})).join('\n');
			const fast = program(body, [], run), slow = program(body, ['--sanitize=init'], run);
			assert.equal(fast.status, 0, fast.report);
			assert.deepEqual(fast.out, slow.out);
			const shared = Buffer.from(fast.memory), words = [];
			Object.values(patterns).forEach((p, i) => [[1, 1, 1], [2, 2, 1], [4, 4, 1], [8, 8, 1], [8, 4, 2], [16, 4, 4]].forEach(([w, each, n], k) => {
				for (let l = 0; l < 32; l++)
					for (let e = 0; e < n; e++) {
						const v = BigInt(l * 7 + i * 16 + k + e) << (each === 8 ? 9n : 0n);
						for (let b = 0; b < each; b++)
							shared[p(l, w) + e * each + b] = Number(v >> BigInt(8 * b) & 255n);
					}
				for (let at = 0; at < 2048; at += 8)
					words.push(shared.readBigUInt64LE(at));
			}));
			assert.deepEqual(fast.out.slice(0, words.length).map(BigInt), words);
		});

		test('a row that leaves its memory names the first lane outside', () => {
			const r = program('mul.wide.u32 %a5, %t, 8; add.u64 %a5, %a5, %a0; ld.global.u64 %v, [%a5+1840];', [], run);
			assert.match(r.report, /out-of-bounds in thread \(26,0,0\).*8-byte read at 0x[0-9a-f]+: 0 bytes past the end of in \(2048 bytes\)/);
		});
	});
