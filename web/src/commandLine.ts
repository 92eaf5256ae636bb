// The command line that reproduces what is on screen.

import { sourceFile } from './files';
import { config, isCuda, isPtx } from './store';

const quoted = (word: string) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;

export function commandLine(): string {
	const { target, level, knobs } = config.value;
	if (isPtx.value)
		return ['ptxscope', 'fmt', quoted(sourceFile()), '-o', '-'].join(' ');
	const words = [...isCuda.value ? ['cuda'] : ['ptxscope', 'compile'], sourceFile(), `-mcpu=${target}`, `-O${level}`];
	for (const [name, value] of Object.entries(knobs))
		words.push(`-${name}=${typeof value === 'boolean' ? Number(value) : value}`);
	return [...words, '-o', '-'].map(quoted).join(' ');
}
