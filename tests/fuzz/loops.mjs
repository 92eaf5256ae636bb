// Random loops of one block, pipelined in random ways: each thread of a kernel runs its loop another number of times, 0 to 64, and
// memory and what the loop leaves behind are those of the IR after every pass. Loops carry values around (also several iterations
// far), read what an earlier iteration has stored, and some leave when a value says so.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { native, ptxscope, temporaryFolder } from '../tools/ptxscope.mjs';

const threads = 65, slice = 96;

export const launch = {
	kernel: 'k', grid: [1, 1, 1], block: [threads, 1, 1], sharedBytes: 0,
	args: [{ buffer: 'x' }, { buffer: 'y' }, { buffer: 'z' }, { buffer: 'r' }],
	buffers: {
		x: { type: 'i32', count: threads * slice, init: { kind: 'random', seed: 1, min: -1000, max: 1000 } },
		y: { type: 'i32', count: threads * slice, init: { kind: 'random', seed: 2, min: -1000, max: 1000 } },
		z: { type: 'i32', count: threads * slice, init: { kind: 'linear', start: 0, step: 1 } },
		r: { type: 'i32', count: threads * 8, init: { kind: 'linear', start: 0, step: 0 } },
	},
};

/** The text of a kernel with one random loop; thread t runs it t times at most. */
export function loop(random) {
	const lines = [], carried = 1 + random.below(4), values = ['%i', '%tid'];
	let n = 0;
	const put = (text) => { lines.push(`  %v${n} = ${text}`); values.push(`%v${n}`); return `%v${n++}`; };
	const any = () => random.chance(0.6) ? values[Math.max(0, values.length - 1 - random.below(4))] : random.pick(values);
	for (let k = 0; k < carried; k++)
		values.push(`%s${k}`);
	const address = (array, offset) => {
		const index = put(`add nsw i32 %i, ${offset}`);
		lines.push(`  %w${n} = sext i32 ${index} to i64`, `  %p${n} = getelementptr i32, ptr addrspace(1) %${array}t, i64 %w${n}`);
		return `%p${n}`;
	};
	for (let size = 2 + random.below(8); size > 0; size--) {
		const what = random.below(10);
		if (what < 3)
			put(`load i32, ptr addrspace(1) ${address(random.pick(['x', 'y', 'y', 'z']), random.below(5))}, align 4`);
		else if (what < 5)
			lines.push(`  store i32 ${any()}, ptr addrspace(1) ${address(random.pick(['x', 'z', 'z']), random.below(5))}, align 4`);
		else
			put(random.pick([`add i32 ${any()}, ${any()}`, `sub i32 ${any()}, ${any()}`, `mul i32 ${any()}, ${any()}`, `xor i32 ${any()}, ${any()}`,
				`and i32 ${any()}, ${random.below(4096)}`, `lshr i32 ${any()}, ${random.below(31)}`]));
	}
	const next = Array.from({ length: carried }, (_, k) => random.chance(0.25) ? `%s${random.below(carried)}` : put(`${random.pick(['add', 'xor', 'sub'])} i32 %s${k}, ${any()}`));
	lines.push(`  %i1 = add nsw i32 %i, ${random.chance(0.8) ? 1 : 2}`, '  %on = icmp slt i32 %i1, %tid');
	let on = '%on';
	if (random.chance(0.3)) {
		lines.push(`  %h = and i32 ${any()}, 15`, `  %e = icmp ne i32 %h, ${random.below(16)}`, '  %both = and i1 %on, %e');
		on = '%both';
	}
	/* Values of other classes that are carried around: a sum of floats, and a predicate that is turned. */
	const float = random.chance(0.3), flag = random.chance(0.3), phis = [], results = [];
	if (float) {
		phis.push('  %f = phi float [ 0.0, %entry ], [ %f1, %loop ]');
		lines.push(`  %fv = sitofp i32 ${any()} to float`, '  %f1 = fadd float %f, %fv');
		results.push('  %rf = phi float [ 0.0, %entry ], [ %f1, %loop ]', '  %r6 = bitcast float %rf to i32');
	}
	if (flag) {
		phis.push('  %b = phi i1 [ false, %entry ], [ %b1, %loop ]', '  %c = phi i32 [ 0, %entry ], [ %c1, %loop ]');
		lines.push(`  %bc = icmp sgt i32 ${any()}, ${any()}`, '  %b1 = xor i1 %b, %bc', `  %c1 = select i1 %b, i32 ${any()}, i32 %c`);
		results.push('  %r7 = phi i32 [ 0, %entry ], [ %c1, %loop ]');
	}
	if (random.chance(0.4)) { // the other way of the branch leaves
		lines.push(`  %off = xor i1 ${on}, true`);
		on = '%off';
	}
	const stored = [...next.keys(), ...float ? [6] : [], ...flag ? [7] : []];
	const alias = () => random.chance(0.8) ? ' noalias' : '';
	return `target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1)${alias()} %x, ptr addrspace(1)${alias()} %y, ptr addrspace(1)${alias()} %z, ptr addrspace(1)${alias()} %r) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %base = mul i32 %tid, ${slice}
  %base64 = sext i32 %base to i64
  %xt = getelementptr i32, ptr addrspace(1) %x, i64 %base64
  %yt = getelementptr i32, ptr addrspace(1) %y, i64 %base64
  %zt = getelementptr i32, ptr addrspace(1) %z, i64 %base64
  %any = icmp sgt i32 %tid, 0
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
${[...next.map((v, k) => `  %s${k} = phi i32 [ ${k + 1}, %entry ], [ ${v}, %loop ]`), ...phis].join('\n')}
${lines.join('\n')}
  br i1 ${on}, label ${on === '%off' ? '%done, label %loop' : '%loop, label %done'}
done:
${[...next.map((v, k) => `  %r${k} = phi i32 [ 0, %entry ], [ ${random.chance(0.5) ? v : `%s${k}`}, %loop ]`), ...results.sort((x, y) => y.includes('phi') - x.includes('phi'))].join('\n')}
  %rbase = mul i32 %tid, 8
${stored.map((k) => `  %ro${k} = add i32 %rbase, ${k}\n  %rw${k} = sext i32 %ro${k} to i64\n  %rp${k} = getelementptr i32, ptr addrspace(1) %r, i64 %rw${k}\n  store i32 %r${k}, ptr addrspace(1) %rp${k}, align 4`).join('\n')}
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
`;
}

/** Options with which most loops are pipelined, one way or the other. */
export function options(random) {
	return ['-enable-pipeliner', `-mcpu=${random.pick(['sm_75', 'sm_80', 'sm_86', 'sm_90'])}`, '-pipeliner-max-mii=1000', `-pipeliner-max-stages=${random.pick([1, 2, 3, 3, 8])}`,
		`-pipeliner-load-latency=${random.pick([0, 4, 20, 20, 60])}`, `-pipeliner-ii-search-range=${random.pick([1, 10, 40])}`, ...random.chance(0.4) ? ['-pipeliner-mve-cg=0'] : [],
		...random.chance(0.15) ? ['-pipeliner-ignore-recmii'] : [], ...random.chance(0.15) ? ['-pipeliner-register-pressure', '-maxreg=32'] : []];
}

/** null, or what is wrong; `pipelined` counts the loops that were. */
export function judge(text, how, { folder = temporaryFolder(), program = native, count = { pipelined: 0 } } = {}) {
	const file = join(folder, 'loop.ll'), launchFile = join(folder, 'loop.launch.json');
	writeFileSync(file, text);
	writeFileSync(launchFile, JSON.stringify(launch));
	const r = ptxscope(['check', file, `--launch=${launchFile}`, '-verify-machineinstrs', '--check-claims', '-dump-modulo-schedule', ...how], { program });
	count.pipelined += /^# modulo schedule of/m.test(r.stderr);
	if (r.status !== 0 || !/^\d+ stages agree/.test(r.stdout))
		return `${how.join(' ')}: status ${r.status} ${r.stdout}${r.stderr}`.slice(0, 2000);
	return null;
}

export async function* cases(random) {
	const folder = temporaryFolder();
	for (let n = 1;; n++) {
		const how = options(random);
		yield { name: `loop ${n}`, text: loop(random), extension: 'll', whole: true, check: async (text) => judge(text, how, { folder }) };
	}
}
