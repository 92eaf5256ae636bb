// Programs in which one piece of core is wrong on purpose: a test that guards against a failure shows that it sees it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const objects = join(root, 'build/native/obj');

/** The native program with `from`, which occurs once in `file`, replaced by `to`. Everything else is the native build's. */
export function variant(name, file, from, to) {
	const folder = join(root, 'build/variants'), source = readFileSync(join(root, file), 'utf8');
	assert.equal(source.split(from).length, 2, `${file} has not once ${JSON.stringify(from)}`);
	mkdirSync(folder, { recursive: true });
	const broken = join(folder, `${name}.c`), program = join(folder, name);
	writeFileSync(broken, source.replace(from, () => to));
	const replaced = file.replace(/^core\//, '').replace(/\.c$/, '.o');
	const others = readdirSync(objects, { recursive: true }).map(String).filter((f) => f.endsWith('.o') && f !== replaced).map((f) => join(objects, f));
	const cc = spawnSync(process.env.CC ?? 'cc', ['-std=c11', '-O1', '-DNDEBUG', '-fno-strict-aliasing', '-Icore', '-no-pie', '-o', program, broken, ...others, '-lm'], { cwd: root, encoding: 'utf8' });
	assert.equal(cc.status, 0, cc.stderr);
	return program;
}
