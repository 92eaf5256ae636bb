// Which PTX statements the emulator executes, and the table of them: `npm run instructions` writes tests/instructions.md, and
// simt-forms.test.mjs holds it to what is so.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allStatements } from './ptx-forms.mjs';
import { ptxscope, temporaryFolder } from './ptxscope.mjs';
import { root } from './setup.mjs';

export const table = join(root, 'tests/instructions.md');
export const folder = temporaryFolder();
const file = join(folder, 'forms.ptx'), launch = join(folder, 'forms.json');

export const head = `.version 8.8
.target sm_100a
.address_size 64
.global .align 16 .b8 g[64];
.global .texref T;
.global .surfref S;
.func callee() { ret; }
.visible .entry k(.param .align 16 .b8 k_param[64])
{
.reg .pred %p<20>; .reg .b16 %rs<20>; .reg .b32 %r<100>; .reg .b64 %rd<20>; .reg .b128 %rq<20>;
.reg .f32 %f<100>; .reg .f64 %fd<20>; .reg .b16 %h<20>;
bra $END;
`;
const first = head.split('\n').length;

/** The statements that are not executed. Nothing of them runs: a branch leads over them. */
function unexecuted(statements) {
	writeFileSync(file, `${head}${statements.map((s) => `${s}\n`).join('')}$END: ret;\n$L: bra $L;\n}\n`);
	const { status, stderr } = ptxscope(['run', file, `--launch=${launch}`]);
	assert.equal(status, 0, stderr.slice(0, 2000));
	return new Set([...stderr.matchAll(/forms\.ptx:(\d+): warning: the emulator does not execute/g)].map(([, line]) => Number(line) - first));
}

/** [opcode, statement, is it executed?] of all. */
export function executedStatements() {
	writeFileSync(launch, JSON.stringify({ kernel: 'k', grid: [1, 1, 1], block: [32, 1, 1], args: [{ bytes: '00'.repeat(64), align: 16 }], buffers: {} }));
	const all = allStatements(), out = [];
	for (let at = 0; at < all.length; at += 500) {
		const part = all.slice(at, at + 500), bad = unexecuted(part.map(([, s]) => s));
		part.forEach(([opcode, s], i) => out.push([opcode, s, !bad.has(i)]));
	}
	return out;
}

/** `cp.async.bulk.tensor` of the whole opcode; most instructions are one word. */
function mnemonic(opcode) {
	const found = /^(cp(?:\.reduce)?\.async\.bulk(?:\.prefetch)?(?:\.tensor)?|cp\.async|(?:tcgen05|wgmma|mbarrier|clusterlaunchcontrol|multimem|tensormap|wmma|griddepcontrol)\.\w+|(?:st|red)\.async|st\.bulk|mma\.sp|fence\.proxy|barrier\.cluster|cvt\.(?:rs|pack))(?![\w])/.exec(opcode);
	return found ? found[1] : /^\w+/.exec(opcode)[0];
}

const typeName = /^(?:[busf]\d+|[su]16x2|f16x2|bf16(?:x2)?|f32x2|tf32|e\dm\d(?:x\d)?|ue8m0(?:x2)?|pred)$/;

/** Test files that have the instruction's name in a statement. */
function testsOf(name, tests) {
	const word = new RegExp(`(?<![\\w.%])${name.replaceAll('.', '\\.')}(?=\\.[\\w$])`);
	return tests.filter(({ text }) => word.test(text)).map(({ test }) => test);
}

export function tableText(statements) {
	const tests = readdirSync(join(root, 'tests')).filter((name) => /^(simt|wasm-emulator|fault|libdevice).*\.test\.mjs$/.test(name) && name !== 'simt-forms.test.mjs')
		.map((name) => ({ test: name.replace('.test.mjs', ''), text: readFileSync(join(root, 'tests', name), 'utf8') }));
	const rows = new Map();
	for (const [opcode, , executed] of statements) {
		const name = mnemonic(opcode), row = rows.get(name) ?? { types: new Set(), all: 0, executed: 0 };
		opcode.split(/[.\s]/).filter((part) => typeName.test(part)).forEach((part) => row.types.add(part));
		row.all++;
		row.executed += executed ? 1 : 0;
		rows.set(name, row);
	}
	const lines = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, row]) => `| \`${name}\` | ${[...row.types].sort().join(' ')} | ${row.executed === row.all ? 'all' : row.executed} of ${row.all} | ${testsOf(name, tests).join(', ') || 'no test of its own'} |`);
	const sum = statements.filter(([, , executed]) => executed).length;
	return `# PTX instructions that the emulator executes

${sum.toLocaleString('en')} of the ${statements.length.toLocaleString('en')} statements that the tests know are executed; a thread that came to another would have a fault that names it.
\`npm run instructions\` writes this table. "Tested" names the tests in which it stands and whose results are computed in another way; besides, the operations
of \`sem/\` have unit tests, the approximations a measure (\`npm run approximations\`), and all kernels of \`tests/kernels\` and random programs (\`random-kernels\`, \`npm run fuzz\`) run at every level and must agree.

| instruction | types | statements | tested |
| --- | --- | --- | --- |
${lines.join('\n')}
`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
	writeFileSync(table, tableText(executedStatements()));
