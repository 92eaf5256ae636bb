// Large inputs, made from a real kernel or from a rule.

import { readFileSync } from 'node:fs';

/** The module of sha256.ll with its kernel `count` times over, under other names. */
export function manyKernels(count) {
	const text = readFileSync(new URL('sha256.ll', import.meta.url), 'utf8');
	const kernel = /^define [\s\S]*?^}\n/m.exec(text)[0];
	const annotation = /^!nvvm\.annotations = !\{(.*)\}$/m.exec(text);
	const copies = [], notes = [], list = [annotation[1]];
	for (let i = 1; i < count; i++) {
		copies.push(kernel.replace('@sha256(', `@sha256_${i}(`));
		list.push(`!${9000 + i}`);
		notes.push(`!${9000 + i} = !{ptr @sha256_${i}, !"kernel", i32 1}`);
	}
	return text.replace(kernel, () => [kernel, ...copies].join('\n'))
		.replace(annotation[0], `!nvvm.annotations = !{${list.join(', ')}}`) + notes.join('\n') + (notes.length ? '\n' : '');
}

/** One kernel of about `count` instructions: blocks of arithmetic on values of the block before, with a loop around each tenth. */
export function oneKernel(count) {
	const out = ['target triple = "nvptx64-nvidia-cuda"', 'define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {', 'entry:', '  br label %b0'];
	const perBlock = 20, blocks = Math.max(1, Math.round(count / (perBlock + 3)));
	const ops = ['add', 'xor', 'sub', 'mul', 'and', 'or'];
	for (let b = 0; b < blocks; b++) {
		const before = b === 0 ? 'entry' : `b${b - 1}`;
		const loops = b % 10 === 9;
		out.push(`b${b}:`);
		out.push(`  %x${b} = phi i32 [ ${b === 0 ? '%n' : `%v${b - 1}_${perBlock - 1}`}, %${before} ]${loops ? `, [ %v${b}_${perBlock - 1}, %b${b} ]` : ''}`);
		for (let i = 0; i < perBlock; i++) {
			const left = i === 0 ? `%x${b}` : `%v${b}_${i - 1}`;
			const right = i % 3 === 0 ? '%n' : i % 3 === 1 ? `%x${b}` : String(i * 2654435761 % 1000);
			out.push(`  %v${b}_${i} = ${ops[(b + i) % ops.length]} i32 ${left}, ${right}`);
		}
		const next = b + 1 < blocks ? `%b${b + 1}` : '%done';
		if (loops)
			out.push(`  %c${b} = icmp ult i32 %v${b}_${perBlock - 1}, %n`, `  br i1 %c${b}, label %b${b}, label ${next}`);
		else
			out.push(`  br label ${next}`);
	}
	out.push('done:', `  store i32 %v${blocks - 1}_${perBlock - 1}, ptr addrspace(1) %p, align 4`, '  ret void', '}', '');
	return out.join('\n');
}

/** One kernel of about `count` instructions and phi operands: diamonds, one behind the other, with two phis each. */
export function diamonds(count) {
	const n = Math.max(1, Math.round(count / 14));
	const out = ['target triple = "nvptx64-nvidia-cuda"', 'define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {', 'e:', '  br label %h0'];
	for (let i = 0; i < n; i++) {
		const [x, y] = i ? [`%x${i - 1}`, `%y${i - 1}`] : ['%n', '1'];
		out.push(`h${i}:`, `  %a${i} = add i32 ${x}, ${y}`, `  %c${i} = icmp ult i32 %a${i}, %n`, `  br i1 %c${i}, label %t${i}, label %f${i}`,
			`t${i}:`, `  %m${i} = mul i32 %a${i}, 3`, `  br label %j${i}`, `f${i}:`, `  br label %j${i}`,
			`j${i}:`, `  %x${i} = phi i32 [ %m${i}, %t${i} ], [ %a${i}, %f${i} ]`, `  %y${i} = phi i32 [ ${y}, %t${i} ], [ 7, %f${i} ]`,
			`  br label ${i + 1 < n ? `%h${i + 1}` : '%d'}`);
	}
	out.push('d:', `  %r = xor i32 %x${n - 1}, %y${n - 1}`, '  store i32 %r, ptr addrspace(1) %p', '  ret void', '}', '');
	return out.join('\n');
}

/** `count` functions, each called by two others and by itself, internal and not; pointers to two spaces enter at the top. */
export function callGraph(count) {
	const out = ['target triple = "nvptx64-nvidia-cuda"', '@s = internal addrspace(3) global [64 x i32] undef', '@g = internal addrspace(1) global [64 x i32] zeroinitializer'];
	const shared = 'ptr addrspacecast (ptr addrspace(3) @s to ptr)', global = 'ptr addrspacecast (ptr addrspace(1) @g to ptr)';
	for (let i = 0; i < count; i++) {
		out.push(`define ${i % 3 ? 'internal ' : ''}i32 @f${i}(ptr %p, ptr %q, i32 %n) {`, '  %c = icmp eq i32 %n, 0', '  br i1 %c, label %done, label %more',
			'more:', '  %m = sub i32 %n, 1', '  %r = getelementptr i32, ptr %q, i64 1');
		for (const to of [2 * i + 1, 2 * i + 2, i].filter((f) => f < count))
			out.push(`  %v${to} = call i32 @f${to}(ptr %p, ptr %r, i32 %m)`);
		out.push('  br label %done', 'done:', '  %x = load i32, ptr %p', '  store i32 %x, ptr %q', '  ret i32 %x', '}');
	}
	out.push('define ptx_kernel void @k(i32 %n) {', `  %a = call i32 @f0(${shared}, ${global}, i32 %n)`, `  %b = call i32 @f${count >> 1}(${global}, ${global}, i32 %n)`, '  ret void', '}', '');
	return out.join('\n');
}

/** One kernel of one block of about `count` instructions: a load and a store at one of `addresses` around each 17 of arithmetic on what is near. */
export function oneBlock(count, addresses = 5000) {
	const out = ['target triple = "nvptx64-nvidia-cuda"', 'define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {'];
	const ops = ['add', 'xor', 'sub', 'mul', 'and', 'or'];
	const perGroup = 20, groups = Math.max(1, Math.round(count / perGroup));
	let last = '%n', earlier = '%n';
	for (let g = 0; g < groups; g++) {
		out.push(`  %a${g} = getelementptr inbounds i32, ptr addrspace(1) %p, i64 ${g % addresses}`, `  %l${g} = load i32, ptr addrspace(1) %a${g}, align 4`);
		for (let i = 0; i < perGroup - 3; i++) {
			const right = i % 3 === 0 ? `%l${g}` : i % 3 === 1 ? earlier : String(i * 2654435761 % 1000);
			out.push(`  %v${g}_${i} = ${ops[(g + i) % ops.length]} i32 ${last}, ${right}`);
			last = `%v${g}_${i}`;
		}
		earlier = last;
		out.push(`  store i32 ${last}, ptr addrspace(1) %a${g}, align 4`);
	}
	return [...out, '  ret void', '}', ''].join('\n');
}

/** Device functions of eight instructions, `count` instructions in all; each may call the one before. */
export function manyFunctions(count) {
	const out = ['target triple = "nvptx64-nvidia-cuda"'];
	for (let f = 0; f < count / 8; f++)
		out.push(`define i32 @f${f}(i32 %n) {`, `  %a = mul i32 %n, ${f}`, '  %c = icmp ult i32 %a, 100', '  br i1 %c, label %x, label %y', 'x:',
			`  %b = ${f ? `call i32 @f${f - 1}(i32 %a)` : 'add i32 %a, 1'}`, '  br label %y', 'y:', '  %r = phi i32 [ %b, %x ], [ %a, %0 ]',
			'  %s = xor i32 %r, 12345', '  ret i32 %s', '}');
	return [...out, ''].join('\n');
}

/** Lines of `text` that are instructions. */
export const instructions = (text) => text.split('\n').filter((line) => /^  \S/.test(line)).length;
