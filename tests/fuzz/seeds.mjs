// The seeds of make fuzz-ptx: the tests' PTX, what the examples compile to, and all statements that the tests know, a few a kernel; and
// a dictionary of their words.
//	node seeds.mjs FOLDER DICTIONARY

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { head } from '../tools/instructions.mjs';
import { allStatements } from '../tools/ptx-forms.mjs';
import { ptxscope } from '../tools/ptxscope.mjs';
import { root } from '../tools/setup.mjs';

const [folder, dictionary] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

for (const place of ['tests', 'tests/hostile', 'tests/ptx', 'tests/dag'])
	for (const name of readdirSync(join(root, place)).filter((n) => n.endsWith('.ptx')))
		writeFileSync(join(folder, `${place.replaceAll('/', '-')}-${name}`), readFileSync(join(root, place, name)));

for (const name of readdirSync(join(root, 'examples')).filter((n) => n.endsWith('.ll'))) {
	const { status, stdout } = ptxscope(['compile', join(root, 'examples', name), '-mcpu=sm_90', '-o', '-']);
	if (status === 0)
		writeFileSync(join(folder, `${name}.ptx`), stdout);
}

const statements = allStatements().map(([, s]) => s), start = head.replace('bra $END;\n', 'mov.b64 %rd1, g; mov.b64 %rd2, g; mov.u32 %r1, 0; mov.u32 %r2, 4;\n');
for (let at = 0; at < statements.length; at += 12)
	writeFileSync(join(folder, `form-${at}.ptx`), `${start}${statements.slice(at, at + 12).join('\n')}\n$END: ret;\n$L: bra $L;\n}\n`);

const words = new Set(statements.concat(head).flatMap((s) => s.match(/[.%$@]?[A-Za-z_]\w*(?:::\w+)*|::\w+/g) ?? []));
writeFileSync(dictionary, [...words].map((w) => `"${w.replaceAll('\\', '\\\\')}"\n`).join(''));
