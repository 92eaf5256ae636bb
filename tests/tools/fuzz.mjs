// `npm run fuzz`: random inputs until the time is up; what fails is shrunk and saved under build/fuzz/.
//   npm run fuzz -- [--seconds N] [--seed S] [KIND…]     60 seconds and all kinds unless said otherwise
// A kind is a file tests/fuzz/KIND.mjs that exports one of
//   async function* cases(random)            endless, of { name, text, extension, check, whole? }, where check(text) resolves to
//                                            null or to what is wrong, and says the same each time it is asked about the same
//                                            text; what is `whole` is not shrunk
//   run({ seed, seconds, folder, say })      does it all itself and resolves to { count, failed }
// and, where the native and the asan build are not what it needs, the names of those that it does: `needs`.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { Random } from './random.mjs';
import { root } from './setup.mjs';

/** Removes runs of lines, ever shorter ones, as long as the text still fails; a hundred tries at most. */
async function shrink(text, fails) {
	let lines = text.split('\n'), tries = 100;
	for (let size = lines.length >> 1; size >= 1 && tries > 0; size >>= 1)
		for (let at = 0; at < lines.length && tries-- > 0;) {
			const shorter = [...lines.slice(0, at), ...lines.slice(at + size)];
			if (await fails(shorter.join('\n')))
				lines = shorter;
			else
				at += size;
		}
	return lines.join('\n');
}

const { values, positionals } = parseArgs({
	options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } }, allowPositionals: true,
});
const kinds = readdirSync(join(root, 'tests/fuzz')).filter((file) => file.endsWith('.mjs')).map((file) => file.slice(0, -4))
	.filter((kind) => positionals.length === 0 || positionals.includes(kind)).sort();
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
const modules = new Map();
for (const kind of kinds)
	modules.set(kind, await import(`../fuzz/${kind}.mjs`));
for (const part of new Set(kinds.flatMap((kind) => modules.get(kind).needs ?? ['native', 'asan']))) {
	console.log(`building ${part}`);
	const failure = await build(part);
	if (failure) {
		console.error(failure);
		process.exit(1);
	}
}

const folder = join(root, 'build/fuzz');
mkdirSync(folder, { recursive: true });
console.log(`seed ${seed}, ${values.seconds} seconds, ${kinds.join(', ')}`);
let failed = 0;
for (const kind of kinds) {
	const { cases, run } = modules.get(kind), seconds = Number(values.seconds) / kinds.length;
	if (run) {
		failed += (await run({ seed, seconds, folder, say: (line) => console.log(`${kind}: ${line}`) })).failed;
		continue;
	}
	const end = Date.now() + seconds * 1000;
	let count = 0, said = Date.now();
	for await (const { name, text, extension, whole, check } of cases(new Random(seed))) {
		const problem = await check(text);
		count++;
		if (problem) {
			failed++;
			const small = whole ? text : await shrink(text, async (shorter) => (await check(shorter)) !== null);
			const file = join(folder, `${kind}-${seed}-${count}.${extension}`);
			writeFileSync(file, small);
			console.log(`${kind}: ${name}: ${(await check(small)) ?? problem}\n  saved as ${file}`);
		}
		if (Date.now() - said > 10000) {
			console.log(`${kind}: ${count} inputs`);
			said = Date.now();
		}
		if (Date.now() > end || failed >= 20)
			break;
	}
	console.log(`${kind}: ${count} inputs`);
}
console.log(`${failed} failed`);
process.exitCode = failed ? 1 : 0;
