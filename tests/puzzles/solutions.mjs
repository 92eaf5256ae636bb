// A solution of every puzzle, in both languages, and plausible wrong ones: the goal that each misses, and what its reader is told.
// Each text takes the place of what stands between the puzzle's marks, or of a piece of the source that `instead` names.

export const solutions = {
	'01-map': {
		ll: '%y = fadd float %x, 10.0',
		cu: 'out[i] = a[i] + 10;',
		wrong: [{ ll: '%y = fmul float %x, 10.0', goal: 'result', says: /out\[0\] is 0, expected 10 .*adds 10/ }],
	},
	'02-zip': {
		ll: '%pb = getelementptr float, ptr %b, i32 %i\n%y = load float, ptr %pb\n%z = fmul float %x, %y',
		cu: 'out[i] = a[i] * b[i];',
		wrong: [{ ll: '%y = load float, ptr %b\n%z = fmul float %x, %y', goal: 'result', says: /index of this thread/ }],
	},
	'03-guards': {
		ll: '%inside = icmp ult i32 %i, %n',
		cu: 'if (i < n)\n\tout[i] = a[i] + 10;',
		wrong: [
			{ ll: '%inside = icmp ule i32 %i, %n', goal: 'no fault', says: /out-of-bounds.*compare the index with n/s },
			{ ll: '%inside = icmp ult i32 %i, 50', goal: 'no fault', says: /compare the index with n/ },
		],
	},
	'04-map-2d': {
		ll: '%row = add i32 %y, 0\n%column = add i32 %x, 0',
		cu: 'unsigned row = y, column = x;',
		wrong: [{ ll: '%row = add i32 %x, 0\n%column = add i32 %y, 0', goal: 'sectors <= 64', says: /it has \d+ sectors.*tid\.x is the column/ }],
	},
	'05-broadcast': {
		ll: '%pa = getelementptr float, ptr %a, i32 %x\n%va = load float, ptr %pa\n%pb = getelementptr float, ptr %b, i32 %y\n%vb = load float, ptr %pb\n%sum = fadd float %va, %vb',
		cu: 'out[y * n + x] = a[x] + b[y];',
		wrong: [{ cu: 'out[y * n + x] = a[y] + b[x];', ll: '%pa = getelementptr float, ptr %a, i32 %y\n%va = load float, ptr %pa\n%pb = getelementptr float, ptr %b, i32 %x\n%vb = load float, ptr %pb\n%sum = fadd float %va, %vb', goal: 'result', says: /each row \(y\)/ }],
	},
	'06-blocks': {
		ll: '%s = mul i32 %block, %size\n%i = add i32 %s, %t',
		cu: 'unsigned i = blockIdx.x * blockDim.x + threadIdx.x;',
		wrong: [
			{ ll: '%i = add i32 %t, 0', goal: 'result', says: /out\[32\] is 0, expected 42/ },
			{ ll: '%s = mul i32 %block, 32\n%i = add i32 %s, %t', goal: 'result', says: /block 16×1×1/ },
		],
	},
	'07-shared': {
		ll: 'call void @llvm.nvvm.barrier0()\n%m = sub i32 63, %t',
		cu: '__syncthreads();\nout[i] = tile[63 - t];',
		wrong: [{ ll: '%m = sub i32 63, %t', goal: 'no uninitialised', says: /barrier/ }],
	},
	'08-pooling': {
		ll: `%s2 = getelementptr float, ptr addrspace(3) @tile, i32 %t2
store float %x, ptr addrspace(3) %s2
call void @llvm.nvvm.barrier0()
%s0 = getelementptr float, ptr addrspace(3) @tile, i32 %t
%s1 = getelementptr float, ptr addrspace(3) @tile, i32 %t1
%v1 = load float, ptr addrspace(3) %s0
%v2 = load float, ptr addrspace(3) %s1
%part = fadd float %v1, %v2
%sum = fadd float %part, %x`,
		cu: 'tile[t + 2] = x;\n__syncthreads();\nfloat sum = tile[t] + tile[t + 1] + tile[t + 2];',
		wrong: [
			{ cu: 'float sum = x + (i >= 1 ? a[i - 1] : 0) + (i >= 2 ? a[i - 2] : 0);', ll: `%e1 = icmp uge i32 %safe, 1
%e2 = icmp uge i32 %safe, 2
%i1 = sub i32 %safe, 1
%i2 = sub i32 %safe, 2
%j1 = select i1 %e1, i32 %i1, i32 0
%j2 = select i1 %e2, i32 %i2, i32 0
%q1 = getelementptr float, ptr %a, i32 %j1
%q2 = getelementptr float, ptr %a, i32 %j2
%w1 = load volatile float, ptr %q1
%w2 = load volatile float, ptr %q2
%u1 = select i1 %e1, float %w1, float 0.0
%u2 = select i1 %e2, float %w2, float 0.0
%part = fadd float %u1, %u2
%sum = fadd float %part, %x`, goal: 'sectors <= 40', says: /once, and then from the tile/ },
			{ cu: 'tile[t + 2] = x;\nfloat sum = tile[t] + tile[t + 1] + tile[t + 2];', ll: `%s2 = getelementptr float, ptr addrspace(3) @tile, i32 %t2
store volatile float %x, ptr addrspace(3) %s2
%s0 = getelementptr float, ptr addrspace(3) @tile, i32 %t
%s1 = getelementptr float, ptr addrspace(3) @tile, i32 %t1
%v1 = load volatile float, ptr addrspace(3) %s0
%v2 = load volatile float, ptr addrspace(3) %s1
%part = fadd float %v1, %v2
%sum = fadd float %part, %x`, goal: 'no race', says: /wait in between/ },
		],
	},
	'09-dot': {
		ll: `%adds = icmp ult i32 %t, %s
br i1 %adds, label %add, label %next

add:
%q = add i32 %t, %s
%theirs = getelementptr float, ptr addrspace(3) @tile, i32 %q
%v = load float, ptr addrspace(3) %theirs
%u = load float, ptr addrspace(3) %mine
%w = fadd float %u, %v
store float %w, ptr addrspace(3) %mine
br label %next

next:
call void @llvm.nvvm.barrier0()`,
		cu: 'if (t < s)\n\ttile[t] += tile[t + s];\n__syncthreads();',
		wrong: [
			{ cu: 'if (t < s)\n\ttile[t] += tile[t + s];', ll: `%adds = icmp ult i32 %t, %s
br i1 %adds, label %add, label %next

add:
%q = add i32 %t, %s
%theirs = getelementptr float, ptr addrspace(3) @tile, i32 %q
%v = load float, ptr addrspace(3) %theirs
%u = load float, ptr addrspace(3) %mine
%w = fadd float %u, %v
store float %w, ptr addrspace(3) %mine
br label %next

next:`, goal: 'no race', says: /wait at the end of each step/ },
			{ cu: 'unsigned d = 32 / s;\nif (t % (2 * d) == 0)\n\ttile[t] += tile[t + d];\n__syncthreads();', ll: `%d = udiv i32 32, %s
%d2 = shl i32 %d, 1
%low = sub i32 %d2, 1
%rest = and i32 %t, %low
%adds = icmp eq i32 %rest, 0
br i1 %adds, label %add, label %next

add:
%q = add i32 %t, %d
%theirs = getelementptr float, ptr addrspace(3) @tile, i32 %q
%v = load float, ptr addrspace(3) %theirs
%u = load float, ptr addrspace(3) %mine
%w = fadd float %u, %v
store float %w, ptr addrspace(3) %mine
br label %next

next:
call void @llvm.nvvm.barrier0()`, goal: 'divergent <= 8', says: /neighbours/ },
		],
	},
	'10-convolution': {
		ll: `%pw = getelementptr float, ptr %w, i32 %j
%c = load float, ptr %pw
%tj = add i32 %t, %j
%pt = getelementptr float, ptr addrspace(3) @tile, i32 %tj
%v = load float, ptr addrspace(3) %pt
%cv = fmul float %c, %v
%sum1 = fadd float %sum, %cv`,
		cu: 'sum += w[j] * tile[t + j];',
		wrong: [{ cu: 'if (i + j < n)\n\tsum += w[j] * a[i + j];', ll: `%pw = getelementptr float, ptr %w, i32 %j
%c = load float, ptr %pw
%ij = add i32 %i, %j
%ok = icmp ult i32 %ij, %n
%ij0 = select i1 %ok, i32 %ij, i32 0
%pt = getelementptr float, ptr %a, i32 %ij0
%v0 = load float, ptr %pt
%v = select i1 %ok, float %v0, float 0.0
%cv = fmul float %c, %v
%sum1 = fadd float %sum, %cv`, goal: 'sectors <= 60', says: /out of the tile/ }],
	},
	'11-scan': {
		ll: `%far = icmp uge i32 %t, %s
%b = sub i32 %t, %s
%at = select i1 %far, i32 %b, i32 0
%theirs = getelementptr float, ptr addrspace(3) @tile, i32 %at
%v0 = load float, ptr addrspace(3) %theirs
%v = select i1 %far, float %v0, float 0.0
%sum = fadd float %own, %v
call void @llvm.nvvm.barrier0()`,
		cu: 'if (t >= s)\n\tsum += tile[t - s];\n__syncthreads();',
		wrong: [{ cu: 'if (t >= s)\n\tsum += tile[t - s];', ll: `%far = icmp uge i32 %t, %s
%b = sub i32 %t, %s
%at = select i1 %far, i32 %b, i32 0
%theirs = getelementptr float, ptr addrspace(3) @tile, i32 %at
%v0 = load float, ptr addrspace(3) %theirs
%v = select i1 %far, float %v0, float 0.0
%sum = fadd float %own, %v`, goal: 'no race', says: /between reading and writing/ }],
	},
	'12-matmul': {
		ll: `%ja = add i32 %line, %j
%qa = getelementptr float, ptr addrspace(3) @ta, i32 %ja
%ea = load float, ptr addrspace(3) %qa
%jl = mul i32 %j, 16
%jb = add i32 %jl, %x
%qb = getelementptr float, ptr addrspace(3) @tb, i32 %jb
%eb = load float, ptr addrspace(3) %qb
%p = fmul float %ea, %eb
%sum2 = fadd float %s, %p`,
		cu: 'sum += ta[y][j] * tb[j][x];',
		wrong: [
			{ cu: 'sum += ta[j][x] * tb[y][j];', ll: `%ja = add i32 %line, %j
%qa = getelementptr float, ptr addrspace(3) @tb, i32 %ja
%ea = load float, ptr addrspace(3) %qa
%jl = mul i32 %j, 16
%jb = add i32 %jl, %x
%qb = getelementptr float, ptr addrspace(3) @ta, i32 %jb
%eb = load float, ptr addrspace(3) %qb
%p = fmul float %ea, %eb
%sum2 = fadd float %s, %p`, goal: 'result', says: /ta, in line y/ },
			{ cu: 'sum += a[row * 32 + k + j] * b[(k + j) * 32 + col];', ll: `%kj = add i32 %k, %j
%ja = add i32 %arow, %kj
%qa = getelementptr float, ptr %a, i32 %ja
%ea = load float, ptr %qa
%jl = mul i32 %kj, 32
%jb = add i32 %jl, %col
%qb = getelementptr float, ptr %b, i32 %jb
%eb = load float, ptr %qb
%p = fmul float %ea, %eb
%sum2 = fadd float %s, %p`, goal: 'sectors <= 640', says: /out of the tiles/ },
		],
	},
};

/** The passes: the code that reaches every goal, and code that does not. */
export const passes = {
	'pass-1-dead-code': {
		code: `function pass(text) {
	let lines = text.split('\\n');
	for (let again = true; again;) {
		again = false;
		for (const line of lines) {
			const defined = /^\\s+(%\\d+):\\w+ = /.exec(line)?.[1];
			const read = (l) => l !== line && new RegExp(defined + '\\\\b').test(l.replace(/^.*? = /, ''));
			if (defined && !lines.some(read)) {
				lines = lines.filter((l) => l !== line);
				again = true;
			}
		}
	}
	return lines.join('\\n');
}`,
		wrong: [
			{ code: "const pass = (text) => text.split('\\n').filter((l) => !/MUL_lo|XORb32|%8:/.test(l) || /%7:/.test(l)).join('\\n')", goal: 'saves 3', says: /look again/ },
			{ code: "const pass = (text) => text.split('\\n').filter((l) => !/ST_b32/.test(l)).join('\\n')", goal: 'same', says: /out\[0\] was 0 and is|out\[0\] was \d+ and is 0|is needed/ },
			{ code: "const pass = (text) => text.replace('ADDs32ri %6, 5', 'ADDs32ri %99, 5')", goal: 'same', says: /refused: .*%99/ },
		],
	},
	'pass-2-folding': {
		code: `function pass(text) {
	const known = new Map();
	return text.split('\\n').map((line) => {
		const constant = /^\\s+(%\\d+):int32regs = MOVb32i (-?\\d+)$/.exec(line);
		if (constant)
			known.set(constant[1], Number(constant[2]));
		const sum = /^(\\s+)(%\\d+):int32regs = ADDs32ri (%\\d+), (-?\\d+)$/.exec(line);
		if (!sum || !known.has(sum[3]))
			return line;
		known.set(sum[2], known.get(sum[3]) + Number(sum[4]) | 0);
		return sum[1] + sum[2] + ':int32regs = MOVb32i ' + known.get(sum[2]);
	}).join('\\n');
}`,
		wrong: [{ code: "const pass = (text) => text.replace('ADDs32ri %7, 2', 'MOVb32i 42')", goal: 'ptx has -2147482648', says: /remember what you have folded/ }],
	},
	'pass-3-strength': {
		code: `function pass(text) {
	return text.replace(/MUL_lo_s32ri (%\\d+), (\\d+)$/gm, (all, register, n) => Number.isInteger(Math.log2(n)) ? 'SHLb32ri ' + register + ', ' + Math.log2(n) : all);
}`,
		wrong: [{ code: "const pass = (text) => text.replace(/MUL_lo_s32ri/g, 'SHLb32ri')", goal: 'same', says: /out\[\d+\] was -?\d+ and is -?\d+ now.*shift by 3/ }],
	},
};
