// What ptxas makes of PTX: machine instructions, read from the cubin, and registers, from what it says.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ptxas, temporaryFolder } from './ptxscope.mjs';

/** Instructions of a cubin's code, no-operations left out. (ELF64, little endian; an instruction has 16 bytes.) */
export function sassInstructions(file) {
	const b = readFileSync(file), at = Number(b.readBigUInt64LE(0x28)), size = b.readUInt16LE(0x3A), count = b.readUInt16LE(0x3C);
	const section = (i) => ({ name: b.readUInt32LE(at + i * size), offset: Number(b.readBigUInt64LE(at + i * size + 0x18)), bytes: Number(b.readBigUInt64LE(at + i * size + 0x20)) });
	const names = section(b.readUInt16LE(0x3E)).offset;
	let n = 0;
	for (let i = 0; i < count; i++) {
		const s = section(i);
		if (b.toString('latin1', names + s.name, names + s.name + 6) !== '.text.')
			continue;
		for (let p = s.offset; p < s.offset + s.bytes; p += 16)
			n += (b.readUInt16LE(p) & 0x1FF) !== 0x118;
	}
	return n;
}

/** { sass, registers, spilled } of PTX text, the last in bytes of stores and loads; throws with what ptxas says where it refuses the text. */
export function assemble(ptx, arch, ...options) {
	const cubin = join(temporaryFolder(), 'a.cubin');
	const { status, stderr } = spawnSync(ptxas, ['-v', `-arch=${arch}`, ...options, '-', '-o', cubin], { input: ptx, encoding: 'utf8' });
	if (status !== 0)
		throw new Error(stderr);
	const numbers = (pattern) => [...stderr.matchAll(pattern)].map(([, n]) => Number(n));
	return {
		sass: sassInstructions(cubin), registers: Math.max(...numbers(/Used (\d+) registers/g)),
		spilled: numbers(/(\d+) bytes spill (?:stores|loads)/g).reduce((sum, n) => sum + n, 0),
	};
}
