// Tensor maps: copies between tensors and boxes in shared memory, against copies made here element by element. The swizzles are
// the tables of the PTX manual.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { hosts, temporaryFolder } from './tools/ptxscope.mjs';

const work = temporaryFolder();
const SHARED = 16384; // bytes that a kernel of these tests shows

/** Bytes of an element (of the packed types, of 16) in global and in shared memory. */
const types = { u8: [1, 1], u16: [2, 2], s32: [4, 4], u32: [4, 4], u64: [8, 8], f16: [2, 2], bf16: [2, 2], f32: [4, 4], f64: [8, 8], b4x16: [8, 8], b4x16_p64: [8, 16], b6x16_p32: [12, 16] };
const packed = (type) => (type.startsWith('b4') || type.startsWith('b6') ? 16 : 1);

/** The manual's tables: row r of 128 bytes has at place i the 16 bytes that came as number table[r % rows][i]. */
const tables = {
	none: [[0, 1, 2, 3, 4, 5, 6, 7]],
	'32B': [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6]],
	'96B': [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6]],
	'64B': [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6], [2, 3, 0, 1, 6, 7, 4, 5], [3, 2, 1, 0, 7, 6, 5, 4]],
	'128B': [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6], [2, 3, 0, 1, 6, 7, 4, 5], [3, 2, 1, 0, 7, 6, 5, 4],
		[4, 5, 6, 7, 0, 1, 2, 3], [5, 4, 7, 6, 1, 0, 3, 2], [6, 7, 4, 5, 2, 3, 0, 1], [7, 6, 5, 4, 3, 2, 1, 0]],
	'128B_ATOM_32B': [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 0, 1, 6, 7, 4, 5], [4, 5, 6, 7, 0, 1, 2, 3], [6, 7, 4, 5, 2, 3, 0, 1]],
	'128B_ATOM_64B': [[0, 1, 2, 3, 4, 5, 6, 7], [4, 5, 6, 7, 0, 1, 2, 3]],
};
tables['128B_ATOM_32B_FLIP_8B'] = tables['128B_ATOM_32B'];

/** Where byte `at` of the unswizzled box is; the box begins at a multiple of 1024. */
function swizzled(swizzle, at) {
	const row = at >> 7, table = tables[swizzle], place = table[row % table.length].indexOf(at >> 4 & 7);
	const flip = swizzle.endsWith('FLIP_8B') && row % 2 ? 8 : 0;
	return row * 128 + place * 16 + (at & 15 ^ flip);
}

const product = (list) => list.reduce((a, b) => a * b, 1);
const strides = (map) => map.strides ?? map.dims.slice(0, -1).map((_, i) => product(map.dims.slice(0, i + 1)) / packed(map.type) * types[map.type][0]);

/** Calls visit(coordinates of a unit, its byte in the unswizzled box) for all units of a copy. */
function units(map, coord, visit, mode = {}) {
	const each = packed(map.type), [, width] = types[map.type], step = map.elementStrides ?? map.dims.map(() => 1);
	if (mode.rows) {
		mode.rows.forEach((row, n) => { for (let i = 0; i < map.box[0] / each; i++) visit([coord[0] + i * each, row], (n * map.box[0] / each + i) * width); });
		return;
	}
	if (map.mode) {
		const at = [...coord], rank = map.dims.length;
		let place = 0;
		const pixel = (p) => { for (let i = 0; i < map.channels / each; i++, place += width) visit([p[0] + i * each, ...p.slice(1)], place); };
		const wide = map.mode !== 'im2col', count = map.mode === 'im2col::w::128' ? 128 : map.pixels;
		for (let n = 0; n < count; n++) {
			const there = at.map((v, i) => (i === 0 || i === rank - 1 ? v : wide ? v + (i === 1 ? mode.offset[1] : 0) : v + mode.offset[i - 1]));
			pixel(there);
			if (wide && (n === count - 1 || (map.mode === 'im2col::w::128' && n % 32 === 31)))
				for (let h = 1; h <= mode.offset[0]; h++)
					pixel(there.map((v, i) => (i === 1 ? v + h * step[1] : v)));
			let i = 1;
			for (; i < rank - 1; i = wide ? rank - 1 : i + 1) {
				at[i] += step[i];
				if (at[i] <= map.dims[i] - 1 + map.upper[i - 1])
					break;
				at[i] = map.lower[i - 1];
			}
			if (i === rank - 1)
				at[i]++;
		}
		return;
	}
	const counts = map.box.map((b, i) => (i === 0 ? b / each : Math.ceil(b / step[i])));
	for (let n = 0; n < product(counts); n++) {
		let rest = n;
		const c = counts.map((count, i) => {
			const k = rest % count;
			rest = (rest - k) / count;
			return coord[i] + k * (i === 0 ? each : step[i]);
		});
		visit(c, n * width);
	}
}

/** Where a unit is in global memory; -1: outside of the tensor. */
const place = (map, c) => (c.some((v, i) => v < 0 || v >= map.dims[i]) ? -1 : c.reduce((sum, v, i) => sum + (i === 0 ? v / packed(map.type) * types[map.type][0] : v * strides(map)[i - 1]), 0));

function loaded(map, memory, coord, mode) {
	const shared = Buffer.alloc(SHARED, 0xcd), [bytes] = types[map.type];
	const nan = { f16: [0xff, 0x7f], bf16: [0xff, 0x7f], f32: [0xff, 0xff, 0xff, 0x7f] }[map.type];
	let end = 0;
	units(map, coord, (c, at) => {
		const from = place(map, c);
		end = Math.max(end, at + types[map.type][1]);
		for (let b = 0; b < bytes; b++)
			shared[swizzled(map.swizzle ?? 'none', at + b)] = from < 0 ? (map.fill === 'nan' ? nan[b] : 0) : memory[from + b];
	}, mode);
	return { shared, bytes: end };
}

const bytes = (n, seed) => Buffer.from(Array.from({ length: n }, (_, i) => (i * 37 + seed * 11 + (i >> 8) * 101 + (i >> 5)) & 255));
const size = (map) => (map.dims.length > 1 ? strides(map).at(-1) * map.dims.at(-1) : map.dims[0] / packed(map.type) * types[map.type][0]);

/** Runs statements of one thread; afterwards the shared memory goes to `out`. */
function execute(run, { map, body, memory, bytes: tx = 0, load = true, options = [] }) {
	const file = join(work, 'a.ptx'), launch = join(work, 'a.json');
	writeFileSync(file, `.version 8.8\n.target sm_100a\n.address_size 64\n.visible .entry k(.param .align 64 .b8 map[128], .param .u64 p_out, .param .u64 p_in)\n{
.reg .pred %p<4>; .reg .b32 %r<16>; .reg .b64 %rd<10>; .reg .b16 %h<4>;
.shared .align 1024 .b8 sh[${SHARED}]; .shared .align 8 .b64 bar;
mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [p_out]; ld.param.u64 %rd3, [p_in];
mov.u32 %r1, sh; mov.u32 %r2, bar;
mbarrier.init.shared.b64 [bar], 1;
${load ? `mbarrier.arrive.expect_tx.shared.b64 %rd4, [bar], ${tx};` : 'cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [sh], [%rd3], 16384, [bar];\nmbarrier.arrive.expect_tx.shared.b64 %rd4, [bar], 16384;'}
${load ? body : ''}
$W: mbarrier.try_wait.parity.shared.b64 %p1, [bar], 0; @!%p1 bra $W;
${load ? `cp.async.bulk.global.shared::cta.bulk_group [%rd2], [sh], ${SHARED};` : body}
cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;
ret;\n}\n`);
	writeFileSync(launch, JSON.stringify({
		kernel: 'k', grid: [1, 1, 1], block: [1, 1, 1], args: [{ tensorMap: { ...map, buffer: 'tensor' } }, { buffer: 'out' }, { buffer: 'in' }],
		buffers: {
			tensor: { type: 'u8', count: memory.length, init: { kind: 'values', values: [...memory] } }, out: { type: 'u8', count: SHARED },
			in: { type: 'u8', count: SHARED, init: { kind: 'values', values: load ? [] : [...bytes(SHARED, 7)] } },
		},
	}));
	const r = run(['run', file, `--launch=${launch}`, '--json', '--max-steps=20000', ...options]);
	const of = (name) => (r.stdout ? Buffer.from(JSON.parse(r.stdout).buffers[name].values) : null);
	return { ...r, report: r.stderr.replaceAll(file, 'F').replaceAll(launch, 'L'), out: of('out'), tensor: of('tensor') };
}

const vector = (list) => `{${list.join(', ')}}`;

function checkLoad(run, name, map, coord, { mode = {}, qualifier = 'tile', info = '' } = {}) {
	const memory = bytes(size(map), coord.length), want = loaded(map, memory, coord, mode), coords = mode.rows ? [coord[0], ...mode.rows] : coord;
	const r = execute(run, {
		map, memory, bytes: want.bytes,
		body: `cp.async.bulk.tensor.${map.dims.length}d.shared::cta.global.${qualifier}.mbarrier::complete_tx::bytes [%r1], [%rd1, ${vector(coords)}], [%r2]${info};`,
	});
	assert.equal(r.status, 0, `${name}: ${r.report}`);
	assert.deepEqual(r.out, want.shared, name);
}

for (const { host, run, skip } of hosts)
	describe(`tensor copies (${host})`, { skip }, () => {
		test('tiles of one to five dimensions, inside and across every edge', () => {
			checkLoad(run, '1d', { type: 'u32', dims: [100], box: [64] }, [8]);
			checkLoad(run, '1d, past the end', { type: 'u8', dims: [200], box: [64] }, [160]);
			checkLoad(run, '2d', { type: 'f16', dims: [48, 10], box: [32, 6] }, [16, 2]);
			checkLoad(run, '2d, corner', { type: 'f16', dims: [48, 10], box: [32, 6], fill: 'nan' }, [-5, 7]);
			checkLoad(run, '2d, wide rows', { type: 'f32', dims: [12, 9], strides: [64], box: [8, 4], fill: 'nan' }, [7, -2]);
			checkLoad(run, '3d', { type: 'u64', dims: [6, 5, 4], box: [4, 3, 2] }, [1, 3, 3]);
			checkLoad(run, '4d', { type: 's32', dims: [8, 4, 3, 5], box: [4, 2, 2, 2] }, [6, -1, 2, 3]);
			checkLoad(run, '5d', { type: 'u16', dims: [16, 3, 4, 2, 3], box: [8, 2, 2, 2, 2] }, [9, 1, 3, -1, 2]);
		});

		test('steps over elements', () => {
			checkLoad(run, 'every second row, every third slice', { type: 'u16', dims: [16, 9, 10], box: [8, 6, 8], elementStrides: [1, 2, 3] }, [4, 2, 1]);
		});

		test('swizzles', () => {
			for (const [swizzle, width] of [['32B', 32], ['64B', 64], ['96B', 96], ['128B', 128], ['128B_ATOM_32B', 128], ['128B_ATOM_32B_FLIP_8B', 128], ['128B_ATOM_64B', 128]])
				checkLoad(run, swizzle, { type: 'f16', dims: [80, 24], box: [width / 2, 20], swizzle }, [8, 6]);
			checkLoad(run, 'rows narrower than the swizzle', { type: 'u8', dims: [128, 24], box: [64, 16], swizzle: '128B' }, [16, 0]);
		});

		test('packed elements of four and six bits', () => {
			checkLoad(run, 'b4', { type: 'b4x16', dims: [256, 6], box: [128, 4] }, [64, 1]);
			checkLoad(run, 'b4 with padding', { type: 'b4x16_p64', dims: [256, 6], box: [128, 4], swizzle: '128B' }, [128, 3]);
			checkLoad(run, 'b6 with padding', { type: 'b6x16_p32', dims: [512, 4], strides: [384], box: [128, 3] }, [384, 2]);
		});

		test('four rows', () => {
			checkLoad(run, 'gather4', { type: 'f32', dims: [32, 12], box: [16, 1], swizzle: '64B', fill: 'nan' }, [4], { mode: { rows: [3, 11, 12, 0] }, qualifier: 'tile::gather4' });
		});

		test('im2col: the bounding box, offsets, steps, and pixels of the next image', () => {
			const base = { mode: 'im2col', type: 'f16', channels: 8, fill: 'nan' };
			checkLoad(run, '4d', { ...base, dims: [16, 9, 7, 3], lower: [-1, -1], upper: [-1, -1], pixels: 64 }, [8, 7, 4, 0], { mode: { offset: [0, 0] }, qualifier: 'im2col', info: ', {0, 0}' });
			checkLoad(run, 'the filter\'s last place', { ...base, dims: [16, 9, 7, 3], lower: [0, 0], upper: [-2, -2], pixels: 80 }, [0, 6, 4, 1], { mode: { offset: [2, 1] }, qualifier: 'im2col', info: ', {2, 1}' });
			checkLoad(run, 'steps', { ...base, dims: [16, 8, 7, 3], lower: [-1, -1], upper: [-1, -1], pixels: 24, elementStrides: [1, 2, 2, 1] }, [0, 1, 1, 0], { mode: { offset: [1, 1] }, qualifier: 'im2col', info: ', {1, 1}' });
			checkLoad(run, '3d', { ...base, dims: [8, 20, 4], lower: [-2], upper: [1], pixels: 50 }, [0, -2, 0], { mode: { offset: [1] }, qualifier: 'im2col', info: ', {1}' });
			checkLoad(run, '5d', { ...base, dims: [8, 4, 3, 3, 2], lower: [0, -1, 0], upper: [-1, 0, -1], pixels: 40, swizzle: '32B' }, [0, 1, 0, 1, 0], { mode: { offset: [1, 1, 1] }, qualifier: 'im2col', info: ', {1, 1, 1}' });
			const wide = { ...base, dims: [8, 9, 7, 40], lower: [0], upper: [0] };
			checkLoad(run, 'along W, two halo pixels', { ...wide, lower: [0, 0], upper: [0, 0], mode: 'im2col::w', pixels: 64 }, [0, 2, 3, 0], { mode: { offset: [2, 1] }, qualifier: 'im2col::w', info: ', {2, 1}' });
			checkLoad(run, '128 along W, one halo pixel behind 32', { ...wide, lower: [-1, 0], upper: [-1, 0], mode: 'im2col::w::128', pixels: 1 }, [0, 2, 3, 0], { mode: { offset: [1, 2] }, qualifier: 'im2col::w::128', info: ', {1, 2}' });
		});

		test('stores leave alone what lies outside; scatter4, im2col, reductions', () => {
			const source = bytes(SHARED, 7);
			const check = (name, map, coord, body, change, mode) => {
				const memory = bytes(size(map), 3), want = Buffer.from(memory), [width] = types[map.type];
				units(map, coord, (c, at) => {
					const to = place(map, c);
					if (to >= 0)
						change(want, to, Buffer.from(Array.from({ length: width }, (_, b) => source[swizzled(map.swizzle ?? 'none', at + b)])));
				}, mode);
				const r = execute(run, { map, memory, load: false, body });
				assert.equal(r.status, 0, `${name}: ${r.report}`);
				assert.deepEqual(r.tensor, want, name);
			};
			const write = (want, to, from) => from.copy(want, to);
			check('tile', { type: 'f16', dims: [48, 12], box: [64, 8], swizzle: '128B' }, [-3, 6], 'cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {-3, 6}], [%r1];', write);
			check('scatter4', { type: 'f32', dims: [32, 12], box: [16, 1] }, [20], 'cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%rd1, {20, 1, 5, 12, 0}], [%r1];', write, { rows: [1, 5, 12, 0] });
			check('im2col', { mode: 'im2col', type: 'f16', dims: [8, 6, 5, 2], lower: [-1, 0], upper: [0, -1], channels: 8, pixels: 30 }, [0, 3, 1, 0], 'cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%rd1, {0, 3, 1, 0}], [%r1];', write, { offset: [0, 0] });
			check('add', { type: 'u32', dims: [20, 6], strides: [80], box: [8, 4] }, [16, 1], 'cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {16, 1}], [%r1];',
				(want, to, from) => want.writeUInt32LE((want.readUInt32LE(to) + from.readUInt32LE()) >>> 0, to));
			check('min of signed numbers', { type: 's32', dims: [20], box: [16] }, [2], 'cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.tile.bulk_group [%rd1, {2}], [%r1];',
				(want, to, from) => want.writeInt32LE(Math.min(want.readInt32LE(to), from.readInt32LE()), to));
			check('xor', { type: 'u64', dims: [8, 3], box: [4, 2] }, [2, 2], 'cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.bulk_group [%rd1, {2, 2}], [%r1];',
				(want, to, from) => from.forEach((v, i) => { want[to + i] ^= v; }));
		});

		test('tensormap.replace, then the copy that the changed map says', () => {
			const map = { type: 'u8', dims: [64, 4], box: [16, 1] }, memory = bytes(4096, 9);
			const changed = { type: 'f16', dims: [24, 5], strides: [64], box: [16, 3], swizzle: '32B', fill: 'nan' }, want = loaded(changed, memory.subarray(64), [12, 1], {});
			const r = execute(run, {
				map, memory, bytes: want.bytes, body: `
ld.u64 %rd6, [%rd1]; add.s64 %rd6, %rd6, 64;
${[...Array(16).keys()].map((i) => `ld.u64 %rd7, [%rd1+${8 * i}]; st.shared.u64 [sh+${8192 + 8 * i}], %rd7;`).join('\n')}
mov.u32 %r5, sh+8192;
tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r5], %rd6;
tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r5], 6;
tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r5], 0, 24;
tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r5], 1, 5;
tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r5], 0, 64;
tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r5], 1, 3;
tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r5], 1, 1;
tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r5], 1;
tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r5], 1;
tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%r5], 0;
tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r5], 1;
tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd3], [%r5], 128;
fence.proxy.tensormap::generic.acquire.gpu [%rd3], 128;
cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [%r1], [%rd3, {12, 1}], [%r2];`,
			});
			assert.equal(r.status, 0, r.report);
			assert.deepEqual(r.out.subarray(0, want.bytes), want.shared.subarray(0, want.bytes));
		});

		test('what is not waited for has not landed', () => {
			const map = { type: 'u32', dims: [32], box: [32] }, memory = bytes(128, 1);
			const copy = 'cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {0}], [%r2];';
			const r = execute(run, { map, memory, bytes: 128, body: `st.shared.u32 [sh], 77;\n${copy}\nld.shared.u32 %r6, [sh]; st.shared.u32 [sh+4096], %r6;` });
			assert.equal(r.out.readUInt32LE(4096), 77);
			assert.equal(r.out.readUInt32LE(0), memory.readUInt32LE(0));
		});

		test('faults', () => {
			const map = { type: 'u32', dims: [32, 4], box: [32, 2] }, memory = bytes(512, 1);
			const copy = (operands) => `cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes ${operands};`;
			const message = (options) => execute(run, { map, memory, ...options }).report.split('\n')[0].replace(/^F:\d+: error: /, '');
			assert.match(message({ bytes: 256, body: copy('[%r1+64], [%rd1, {0, 0}], [%r2]') }), /^bad-tensor-map in thread .*the address in shared memory is no multiple of 128/);
			assert.match(message({ bytes: 256, body: copy('[%r1], [%rd3, {0, 0}], [%r2]') }), /bad-tensor-map .*these 128 bytes are no tensor map/);
			assert.match(message({ bytes: 256, body: copy('[%r1+16384], [%rd1, {0, 0}], [%r2]') }), /out-of-bounds .*shared memory/);
			assert.match(message({ bytes: 256, memory: bytes(400, 1), body: copy('[%r1], [%rd1, {0, 2}], [%r2]') }), /out-of-bounds .*16-byte read .*past the end of tensor/);
			assert.match(message({ bytes: 256, body: 'cp.async.bulk.tensor.1d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {0}], [%r2];' }), /another number of dimensions/);
			for (const [change, want] of [[{ type: 'q' }, /knows no such word/], [{ box: [33, 2] }, /row of its box is no multiple of 16/], [{ strides: [100] }, /stride is no multiple of 16/], [{ swizzle: '64B' }, /longer than the swizzle/],
				[{ dims: [] }, /needs dims/], [{ box: [32] }, /one number for each dimension/], [{ fill: 'nan' }, /only floats/], [{ dims: [32, 0] }, /whole number/]])
				assert.match(message({ map: { ...map, ...change }, body: '' }), want);
		});
	});
