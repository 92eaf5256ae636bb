// Stack slots: wherever a function makes them, one depot in local memory holds them all.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hosts, ptxscope, temporaryFolder } from './tools/ptxscope.mjs';

const folder = temporaryFolder();

/** A kernel of nested branches and loops with a slot of its own in every block, each written and read back; `next` chooses. */
function nested(next) {
	let blocks = 0, bytes = 0;
	const lines = [];
	const slot = () => {
		const n = blocks++, words = 1 + next(4);
		bytes += 4 * words;
		lines.push(`  %s${n} = alloca [${words} x i32], align 4`, `  %e${n} = getelementptr i32, ptr %s${n}, i32 ${next(words)}`,
			`  store volatile i32 ${n}, ptr %e${n}`, `  %v${n} = load volatile i32, ptr %e${n}`, `  %c${n} = icmp ugt i32 %n, %v${n}`);
		return n;
	};
	const region = (depth) => {
		const n = slot();
		if (!depth || !next(4))
			return;
		lines.push(`  br i1 %c${n}, label %then${n}, label %join${n}`, `then${n}:`);
		region(depth - 1);
		lines.push(next(2) ? `  br label %join${n}` : `  %l${n} = load volatile i32, ptr %e${n}\n  %m${n} = icmp ugt i32 %l${n}, %n\n  br i1 %m${n}, label %then${n}, label %join${n}`,
			`join${n}:`);
		region(depth - 1);
	};
	region(4);
	return { bytes, text: `target triple = "nvptx64-nvidia-cuda"\ndefine ptx_kernel void @k(i32 %n) {\nentry:\n${lines.join('\n')}\n  ret void\n}\n` };
}

test('ALLOCA-04: one depot holds the slots of random functions with nested allocas', { skip: hosts[0].skip }, () => {
	let seed = 1, most = 0;
	const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
	for (let i = 0; i < 40; i++) {
		const { bytes, text } = nested(next), file = join(folder, `${i}.ll`);
		writeFileSync(file, text);
		for (const level of ['-O0', '-O3']) {
			const { status, stdout, stderr } = ptxscope(['compile', file, level, '-o', '-']);
			assert.equal(status, 0, stderr);
			assert.deepEqual([...stdout.matchAll(/\.local [^;]*__local_depot\w*\[(\d+)\];/g)].map(([, size]) => Number(size)), [bytes], `${level}\n${text}`);
			assert.doesNotMatch(stdout, /\balloca\b|stacksave/);
		}
		most = Math.max(most, bytes);
	}
	assert.ok(most > 60, `${most} bytes at most`);
});
