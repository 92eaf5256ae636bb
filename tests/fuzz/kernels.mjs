// Random kernels that are always valid and always end: integers of all widths, floats, divergence, loops, switches, calls,
// local and shared memory, shuffles and votes. Each is executed as IR, after every pass, as PTX, and as llc-19's PTX where
// that is installed; all must agree.

import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ptxscope, temporaryFolder } from '../tools/ptxscope.mjs';
import { which } from '../tools/setup.mjs';

const THREADS = 64;
const launch = {
	kernel: 'k', grid: [2, 1, 1], block: [THREADS, 1, 1],
	args: [{ buffer: 'in' }, { buffer: 'out' }, { i32: 1234567 }],
	buffers: {
		in: { type: 'u32', count: 256, init: { kind: 'random', seed: 5 } },
		out: { type: 'u64', count: 2 * THREADS },
	},
};
const ints = ['i8', 'i16', 'i32', 'i64'], odd = ['i5', 'i24', 'i33', 'i48'];
const floats = ['float', 'double'];
const bits = (t) => t === 'float' ? 32 : t === 'double' ? 64 : Number(t.slice(1));

class Kernel {
	constructor(random) {
		this.r = random;
		this.next = 0;
		this.lines = [];
		this.functions = [];
		this.declared = new Set();
		this.sharedUsed = false;
	}
	name() { return `%v${this.next++}`; }
	emit(text) { this.lines.push(`  ${text}`); }
	let(text) {
		const n = this.name();
		this.emit(`${n} = ${text}`);
		return n;
	}
	declare(text) { this.declared.add(text); }

	constant(t) {
		if (t === 'float' || t === 'double')
			return this.r.pick(['0.0', '1.0', '-1.5', '0.5', '3.0', '1024.0', '-0.0']);
		if (t === 'i1')
			return this.r.pick(['true', 'false']);
		const w = BigInt(bits(t)), v = this.r.pick([0n, 1n, -1n, 2n, 7n, 1n << (w - 1n), (1n << (w - 1n)) - 1n, BigInt(this.r.next())]);
		return String(BigInt.asIntN(Number(w), v));
	}
	/** A value of type t: one of the pool, a constant, or a conversion of another. */
	value(pool, t) {
		const same = pool.filter((v) => v.t === t);
		if (same.length && this.r.chance(0.8))
			return this.r.pick(same).n;
		if (this.r.chance(0.3))
			return this.constant(t);
		return this.convert(this.r.pick(pool.filter((v) => v.t !== 'i1')), t, pool);
	}
	convert(v, t, pool) {
		if (v.t === t)
			return v.n;
		const from = bits(v.t), to = bits(t), vf = floats.includes(v.t), tf = floats.includes(t);
		if (t === 'i1')
			return vf ? this.let(`fcmp olt ${v.t} ${v.n}, 1.0`) : this.let(`icmp ${this.r.pick(['slt', 'ult', 'eq', 'sgt'])} ${v.t} ${v.n}, ${this.constant(v.t)}`);
		if (vf && tf)
			return this.let(`${to > from ? 'fpext' : 'fptrunc'} ${v.t} ${v.n} to ${t}`);
		if (vf) {
			const narrow = ['i32', 'i64'].includes(t) ? t : 'i32', f = `llvm.fpto${this.r.pick(['s', 'u'])}i.sat.${narrow}.${v.t === 'float' ? 'f32' : 'f64'}`;
			this.declare(`declare ${narrow} @${f}(${v.t})`);
			const n = this.let(`call ${narrow} @${f}(${v.t} ${v.n})`);
			return this.convert({ t: narrow, n }, t, pool);
		}
		if (tf)
			return this.let(`${this.r.pick(['sitofp', 'uitofp'])} ${v.t} ${v.n} to ${t}`);
		return from === to ? v.n : this.let(`${to < from ? 'trunc' : this.r.pick(['zext', 'sext'])} ${v.t} ${v.n} to ${t}`);
	}

	/** One instruction that computes; its value joins the pool. */
	compute(pool) {
		const kind = this.r.below(16), t = this.r.chance(0.1) ? this.r.pick(odd) : this.r.pick(ints);
		const a = () => this.value(pool, t), add = (n, type = t) => pool.push({ n, t: type });
		if (kind < 5) {
			const op = this.r.pick(['add', 'sub', 'mul', 'and', 'or', 'xor']), x = a(), y = a();
			add(this.let(`${op} ${t} ${x}, ${y}`));
		} else if (kind === 5) {
			const x = a(), m = this.let(`and ${t} ${a()}, ${2 ** Math.floor(Math.log2(bits(t))) - 1}`);
			add(this.let(`${this.r.pick(['shl', 'lshr', 'ashr'])} ${t} ${x}, ${m}`));
		} else if (kind === 6) {
			const x = a(), p = this.let(`and ${t} ${a()}, 14`), m = this.let(`or ${t} ${p}, 1`);
			if (bits(t) > 5)
				add(this.let(`${this.r.pick(['udiv', 'urem', 'sdiv', 'srem'])} ${t} ${x}, ${m}`));
		} else if (kind === 7) {
			const x = a(), y = a();
			add(this.let(`icmp ${this.r.pick(['eq', 'ne', 'slt', 'sle', 'ult', 'uge', 'sgt', 'ugt'])} ${t} ${x}, ${y}`), 'i1');
		} else if (kind === 8) {
			const c = this.value(pool, 'i1'), x = a(), y = a();
			add(this.let(`select i1 ${c}, ${t} ${x}, ${t} ${y}`));
		} else if (kind === 9 && ints.includes(t)) {
			const one = this.r.pick(['ctpop', 'bitreverse', 'ctlz', 'cttz', 'abs']), two = this.r.pick(['smax', 'smin', 'umax', 'umin']), w = t;
			const poison = ['ctlz', 'cttz', 'abs'].includes(one), x = a(), y = a();
			if (this.r.chance(0.5)) {
				this.declare(`declare ${t} @llvm.${one}.${w}(${t}${poison ? ', i1' : ''})`);
				add(this.let(`call ${t} @llvm.${one}.${w}(${t} ${x}${poison ? ', i1 false' : ''})`));
			} else {
				this.declare(`declare ${t} @llvm.${two}.${w}(${t}, ${t})`);
				add(this.let(`call ${t} @llvm.${two}.${w}(${t} ${x}, ${t} ${y})`));
			}
		} else if (kind === 10 || kind === 11) {
			const f = this.r.pick(floats), x = this.value(pool, f), y = this.value(pool, f);
			add(this.let(`${this.r.pick(['fadd', 'fsub', 'fmul', 'fdiv'])} ${f} ${x}, ${y}`), f);
		} else if (kind === 12) {
			const f = this.r.pick(floats), x = this.value(pool, f), y = this.value(pool, f);
			add(this.let(`fcmp ${this.r.pick(['oeq', 'olt', 'ole', 'une', 'ugt', 'ord'])} ${f} ${x}, ${y}`), 'i1');
		} else if (kind === 13) {
			const w = this.r.pick(['i32', 'i64']), x = this.value(pool, w), y = this.value(pool, w), s = this.value(pool, w);
			this.declare(`declare ${w} @llvm.fshl.${w}(${w}, ${w}, ${w})`);
			add(this.let(`call ${w} @llvm.fshl.${w}(${w} ${x}, ${w} ${y}, ${w} ${s})`), w);
		} else if (kind === 14) { // a load of the read-only input
			const i = this.let(`and i32 ${this.value(pool, 'i32')}, 255`), w = this.let(`zext i32 ${i} to i64`);
			const p = this.let(`getelementptr inbounds i32, ptr %in, i64 ${w}`);
			add(this.let(`load i32, ptr ${p}, align 4`), 'i32');
		} else if (this.local) { // a byte of the thread's own array goes in, another comes out
			const i = this.let(`and i32 ${this.value(pool, 'i32')}, 15`), j = this.let(`and i32 ${this.value(pool, 'i32')}, 15`);
			const w = this.let(`zext i32 ${i} to i64`), u = this.let(`zext i32 ${j} to i64`), v = this.value(pool, 'i32');
			const p = this.let(`getelementptr inbounds i32, ptr ${this.local}, i64 ${w}`), q = this.let(`getelementptr inbounds i32, ptr ${this.local}, i64 ${u}`);
			this.emit(`store i32 ${v}, ptr ${p}, align 4`);
			add(this.let(`load i32, ptr ${q}, align 4`), 'i32');
		}
	}

	/** Statements at nesting depth; leaves this.block at the block that control ends in. */
	statements(pool, depth, n) {
		for (let i = 0; i < n; i++) {
			const kind = this.r.below(14);
			if (kind < 8 || depth > 2)
				this.compute(pool);
			else if (kind === 8 || kind === 9)
				this.branch(pool, depth);
			else if (kind === 10)
				this.loop(pool, depth);
			else if (kind === 11)
				this.choose(pool, depth);
			else if (kind === 12 && this.functions.length)
				this.call(pool);
			else if (depth === 0 && this.isKernel)
				this.exchange(pool);
		}
	}
	label() { return `b${this.next++}`; }
	start(label) {
		this.lines.push(`${label}:`);
		this.block = label;
	}
	branch(pool, depth) {
		const c = this.value(pool, 'i1'), yes = this.label(), no = this.label(), end = this.label();
		const t = this.r.pick([...ints, ...floats]), both = this.r.chance(0.6), from = this.block, was = this.value(pool, t);
		this.emit(`br i1 ${c}, label %${yes}, label %${both ? no : end}`);
		this.start(yes);
		const a = [...pool];
		this.statements(a, depth + 1, 1 + this.r.below(4));
		const x = this.value(a, t), xb = this.block;
		this.emit(`br label %${end}`);
		let y = was, yb = from;
		if (both) {
			this.start(no);
			const b = [...pool];
			this.statements(b, depth + 1, 1 + this.r.below(4));
			y = this.value(b, t), yb = this.block;
			this.emit(`br label %${end}`);
		}
		this.start(end);
		pool.push({ t, n: this.let(`phi ${t} [ ${x}, %${xb} ], [ ${y}, %${yb} ]`) });
	}
	loop(pool, depth) {
		const head = this.label(), end = this.label(), before = this.block, t = this.r.pick(ints);
		const first = this.value(pool, t), other = this.value(pool, 'i32');
		const limit = this.r.chance(0.5) ? String(1 + this.r.below(6)) : this.let(`and i32 ${this.value(pool, 'i32')}, 7`);
		const i = this.name(), acc = this.name(), swap = this.name(), i2 = this.name();
		this.emit(`br label %${head}`);
		const at = this.lines.length;
		this.start(head);
		const inside = [...pool, { t: 'i32', n: i }, { t, n: acc }, { t: 'i32', n: swap }];
		this.statements(inside, depth + 1, 1 + this.r.below(4));
		const back = this.value(inside, t), rotated = this.r.chance(0.5) ? i : this.value(inside, 'i32'), latch = this.block;
		this.emit(`${i2} = add i32 ${i}, 1`);
		const c = this.let(`icmp slt i32 ${i2}, ${limit}`);
		this.emit(`br i1 ${c}, label %${head}, label %${end}`);
		this.lines.splice(at + 1, 0, `  ${i} = phi i32 [ 0, %${before} ], [ ${i2}, %${latch} ]`,
			`  ${acc} = phi ${t} [ ${first}, %${before} ], [ ${back}, %${latch} ]`, `  ${swap} = phi i32 [ ${other}, %${before} ], [ ${rotated}, %${latch} ]`);
		this.start(end);
		pool.push({ t, n: acc }, { t: 'i32', n: swap });
	}
	choose(pool, depth) {
		const v = this.let(`and i32 ${this.value(pool, 'i32')}, 7`), end = this.label(), n = 2 + this.r.below(5), from = [], rest = this.label();
		const labels = Array.from({ length: n }, () => this.label());
		this.emit(`switch i32 ${v}, label %${rest} [ ${labels.map((l, k) => `i32 ${k + this.r.below(2) * 0}, label %${l}`).join(' ')} ]`);
		for (const l of [...labels, rest]) {
			this.start(l);
			const inside = [...pool];
			this.statements(inside, depth + 2, 1 + this.r.below(2));
			from.push([this.value(inside, 'i32'), this.block]);
			this.emit(`br label %${end}`);
		}
		this.start(end);
		pool.push({ t: 'i32', n: this.let(`phi i32 ${from.map(([x, b]) => `[ ${x}, %${b} ]`).join(', ')}`) });
	}
	call(pool) {
		const f = this.r.pick(this.functions), args = f.args.map((t) => `${t} ${this.value(pool, t)}`);
		pool.push({ t: f.ret, n: this.let(`call ${f.ret} @${f.name}(${args.join(', ')})`) });
	}
	/** Between threads: only where all of them come together. */
	exchange(pool) {
		const v = this.value(pool, 'i32');
		switch (this.r.below(3)) {
		case 0: {
			const mode = this.r.pick(['bfly', 'down', 'up', 'idx']), by = 1 + this.r.below(31);
			this.declare(`declare i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32, i32, i32, i32) #0`);
			pool.push({ t: 'i32', n: this.let(`call i32 @llvm.nvvm.shfl.sync.${mode}.i32(i32 -1, i32 ${v}, i32 ${by}, i32 ${mode === 'up' ? 0 : 31}) #0`) });
			return;
		}
		case 1: {
			const c = this.value(pool, 'i1');
			this.declare('declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #0');
			pool.push({ t: 'i32', n: this.let(`call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 ${c}) #0`) });
			return;
		}
		default: {
			this.sharedUsed = true;
			this.declare('declare void @llvm.nvvm.barrier0() #0');
			const other = this.let(`xor i32 %tid, ${1 + this.r.below(THREADS - 1)}`), w = this.let(`zext i32 %tid to i64`), u = this.let(`zext i32 ${other} to i64`);
			const p = this.let(`getelementptr inbounds [${THREADS} x i32], ptr addrspace(3) @shared, i64 0, i64 ${w}`);
			const q = this.let(`getelementptr inbounds [${THREADS} x i32], ptr addrspace(3) @shared, i64 0, i64 ${u}`);
			this.emit(`store i32 ${v}, ptr addrspace(3) ${p}, align 4`);
			this.emit('call void @llvm.nvvm.barrier0() #0');
			pool.push({ t: 'i32', n: this.let(`load i32, ptr addrspace(3) ${q}, align 4`) });
			this.emit('call void @llvm.nvvm.barrier0() #0');
		}
		}
	}
	/** All of the pool as one i64; a NaN's bits are nobody's business. */
	digest(pool) {
		let sum = '0';
		for (const v of pool.slice(-40)) {
			let n = v.n;
			if (floats.includes(v.t)) {
				const ok = this.let(`fcmp ord ${v.t} ${n}, ${n}`), clean = this.let(`select i1 ${ok}, ${v.t} ${n}, ${v.t} 2.0`);
				n = this.let(`bitcast ${v.t} ${clean} to i${bits(v.t)}`);
			}
			const w = bits(v.t) === 64 ? n : this.let(`zext i${bits(v.t)} ${n} to i64`), m = this.let(`mul i64 ${sum}, 31`);
			sum = this.let(`add i64 ${m}, ${w}`);
		}
		return sum;
	}
	func(index) {
		const args = Array.from({ length: 1 + this.r.below(4) }, () => this.r.pick([...ints, ...floats])), ret = this.r.pick(['i32', 'i64', 'double', 'i16']);
		this.lines = [];
		this.isKernel = false;
		this.local = null;
		this.block = 'entry';
		this.emit('br label %start');
		this.start('start');
		const pool = args.map((t, i) => ({ t, n: `%a${i}` }));
		pool.push({ t: 'i32', n: '77' });
		const save = this.lines;
		this.lines = ['entry:', '  %in = load ptr, ptr addrspace(1) @input, align 8', ...save];
		this.statements(pool, 1, 3 + this.r.below(5));
		const v = this.value(pool, ret);
		this.emit(`ret ${ret} ${v}`);
		const text = `define internal ${ret} @f${index}(${args.map((t, i) => `${t} %a${i}`).join(', ')}) #1 {\n${this.lines.join('\n')}\n}\n`;
		this.functions.push({ name: `f${index}`, args, ret });
		return text;
	}
	text() {
		const functions = Array.from({ length: this.r.below(3) }, (_, i) => this.func(i));
		this.lines = ['entry:'];
		this.block = 'entry';
		this.isKernel = true;
		this.declare('declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()');
		this.declare('declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()');
		this.emit('%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()');
		this.emit('%cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()');
		this.emit('store ptr %in, ptr addrspace(1) @input, align 8');
		if (this.r.chance(0.5)) {
			this.local = '%array';
			this.emit('%array = alloca [16 x i32], align 4');
			this.declare('declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)');
			this.emit('call void @llvm.memset.p0.i64(ptr %array, i8 3, i64 64, i1 false)');
		} else {
			this.local = null;
		}
		this.emit(`%g0 = mul i32 %cta, ${THREADS}`);
		this.emit('%gid = add i32 %g0, %tid');
		this.emit('%wide = sext i32 %gid to i64');
		this.emit('%half = sitofp i32 %gid to float');
		const pool = [{ t: 'i32', n: '%tid' }, { t: 'i32', n: '%gid' }, { t: 'i32', n: '%seed' }, { t: 'i64', n: '%wide' }, { t: 'float', n: '%half' }];
		this.statements(pool, 0, 6 + this.r.below(14));
		const sum = this.digest(pool);
		this.emit('%slot = getelementptr inbounds i64, ptr %out, i64 %wide');
		this.emit(`store i64 ${sum}, ptr %slot, align 8`);
		this.emit('ret void');
		return ['target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"', 'target triple = "nvptx64-nvidia-cuda"',
			'@input = internal addrspace(1) global ptr null, align 8',
			this.sharedUsed ? `@shared = internal addrspace(3) global [${THREADS} x i32] undef, align 4` : '', ...functions,
			`define void @k(ptr %in, ptr %out, i32 %seed) {\n${this.lines.join('\n')}\n}`, ...this.declared,
			'attributes #0 = { convergent nounwind }', 'attributes #1 = { noinline nounwind }',
			'!nvvm.annotations = !{!0}', '!0 = !{ptr @k, !"kernel", i32 1}', ''].join('\n');
	}
}

const llc = which('llc-19');
const work = temporaryFolder();
const launchFile = join(work, 'launch.json');

// What cannot be compiled yet, or is no valid program any more (while a failing one is shrunk), is no difference.
const beside = /no instruction for|is not supported|cannot run this/;

function run(file, level) {
	const r = ptxscope(['run', file, `--launch=${launchFile}`, `--level=${level}`, '--json', '--max-steps=2000000']);
	return r.status === 0 ? JSON.parse(r.stdout).buffers.out.values.join() : null;
}

function difference(text, level) {
	const file = join(work, 'k.ll'), ptx = join(work, 'k.ptx');
	writeFileSync(file, text);
	writeFileSync(launchFile, JSON.stringify(launch));
	const want = run(file, 'ir');
	if (want === null)
		return null;
	const r = ptxscope(['check', file, `--launch=${launchFile}`, '-mcpu=sm_80', level, '--max-steps=2000000']);
	if (r.signal || r.status === 3)
		return `check ${level} ended with ${r.signal ?? r.stderr}`;
	if (r.status !== 0 && !beside.test(r.stderr))
		return `check ${level}: ${r.stderr.split('\n')[0]}`;
	if (llc) {
		rmSync(ptx, { force: true });
		if (spawnSync(llc, ['-mcpu=sm_80', level, file, '-o', ptx]).status === 0 && run(ptx, 'ptx') !== want)
			return `llc-19's PTX ${level} computes something else than the IR`;
	}
	return null;
}

export async function* cases(random) {
	for (let i = 0; ; i++) {
		const level = random.pick(['-O3', '-O3', '-O0', '-O1', '-O2']);
		yield { name: `kernel ${i} ${level}`, text: new Kernel(random).text(), extension: 'll', check: async (text) => difference(text, level) };
	}
}

export { Kernel, difference, launch };
