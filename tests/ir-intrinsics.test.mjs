// Every intrinsic of the table, declared right and wrong: what LLVM's verifier refuses we refuse, what it takes
// we take.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { llvm, withoutLlvm } from './tools/llvm.mjs';
import { ptxscope, temporaryFolder } from './tools/ptxscope.mjs';
import { root, which } from './tools/setup.mjs';

// The tokens of convergence control need calls around them.
const rows = JSON.parse(ptxscope(['intrinsics', '--json']).stdout).filter(({ names }) => !names.startsWith('llvm.experimental.convergence.'));
const folder = temporaryFolder();

/** What LLVM 19 does not have: rows of isel-minimums.test.mjs that hold them to LLVM 22. */
const newer = new Set(readFileSync(join(root, 'tests/dag/nvvm-minimums.csv'), 'utf8').split('# Of LLVM 20')[1].split('\n')
	.flatMap((line) => line.split(';')[4]?.split(' ') ?? []).map((names) => `llvm.nvvm.${names.replace(/\{([^},]*)[^}]*\}/g, '$1')}`));

const letters = {
	v: 'void', b: 'i1', c: 'i8', s: 'i16', i: 'i32', l: 'i64', q: 'i128', h: 'half', y: 'bfloat', f: 'float', d: 'double', m: 'metadata',
	t: 'token', H: '<2 x half>', Y: '<2 x bfloat>', S: '<2 x i16>', p: 'ptr',
};
const mangled = (type) => {
	const vector = /^<(\d+) x (.*)>$/.exec(type);
	return vector ? `v${vector[1]}${mangled(vector[2])}`
		: { void: 'isVoid', half: 'f16', bfloat: 'bf16', float: 'f32', double: 'f64', ptr: 'p0' }[type] ?? type.replace(/^ptr addrspace\((\d+)\)$/, 'p$1');
};
const lanes = (type) => /^<(\d+) x/.exec(type)?.[1];
const shaped = (like, type) => lanes(like) ? `<${lanes(like)} x ${type}>` : type;

/** Which types the overloaded letters get: `float` makes vectors of floats. */
const choices = [
	{ I: 'i32', F: 'float', A: 'i64', R: 'i64', V: '<4 x i32>', J: '<4 x i8>', E: '<4 x float>', B: '<2 x i1>', P: 'ptr', W: '<4 x ptr>', Q: 'ptr', N: 'i32', G: 'float' },
	{ I: '<4 x i16>', F: '<4 x double>', A: 'float', R: 'void', V: '<4 x float>', J: '<4 x i32>', E: '<4 x double>', B: '<4 x i1>', P: 'ptr addrspace(3)', W: '<4 x ptr addrspace(1)>', Q: '<4 x ptr>', N: 'i64', G: 'double' },
	{ I: 'i64', F: 'half', A: '<2 x i8>', R: 'ptr', V: '<8 x i32>', J: '<8 x i64>', E: '<8 x half>', B: '<8 x i1>', P: 'ptr addrspace(1)', W: '<8 x ptr>', Q: 'ptr addrspace(3)', N: 'i16', G: 'half' },
];

/** The name and types of a row for one choice of overloaded types. */
function instance(row, choice) {
	const over = [];
	const signature = row.signature.split('|')[0];
	for (const letter of signature)
		if (choice[letter])
			over.push(choice[letter]);
	let next = 0;
	const list = (text) => [...text.matchAll(/([=^/])(\d)|~(\d)(\w)|p(\d+)|<(\d+)(\w)>|([a-zA-Z])/g)].map(([, kind, same, shape, of, space, count, each, letter]) =>
		count ? `<${count} x ${letters[each]}>` : letter ? (choice[letter] ? over[next++] : letters[letter]) : kind === '=' ? over[same] : kind === '/' ? over[same].replace(/\d+/, (n) => n / 2) : kind === '^' ? over[same].replace(/^<\d+ x (.*)>$/, '$1')
			: shape ? shaped(over[shape], letters[of]) : space === '0' ? 'ptr' : `ptr addrspace(${space})`);
	const [, count, struct, one, params] = /^(?:(\d+)(?=\w)|\{(.*?)\})?(.*?)\((.*)\)$/.exec(signature);
	const fields = list(struct ?? one);
	const ret = struct !== undefined ? `{ ${fields.join(', ')} }` : count ? `{ ${Array(Number(count)).fill(fields[0]).join(', ')} }` : fields[0];
	const name = row.names.endsWith('*') ? [row.names.slice(0, -1), ...over.map(mangled)].join('.') : row.names;
	return { name, ret, params: list(params), vararg: params.endsWith('.'), immediates: row.immediates };
}

/** What LLVM takes as the metadata argument k of n. */
const metadata = (name, k, n) => name.includes('noalias.scope') ? '!0' : /\.(?:vp\.[if]cmp|constrained\.fcmps?)\./.test(name) && k === 2 ? (name.includes('icmp') ? '!"slt"' : '!"une"') : name.includes('constrained') ? (k === n - 1 ? '!"fpexcept.strict"' : '!"round.tonearest"')
	: name.includes('fptrunc.round') ? '!"round.upward"' : '!{}';

/** A module that declares and calls each of them. Arguments are poison where no constant is asked for. */
function moduleOf(instances) {
	const lines = [];
	instances.forEach(({ name, ret, params, vararg, immediates }, i) => {
		const literal = (type, k) => (type === 'metadata' ? metadata(name, k, params.length) : type === 'token' ? 'none' : immediates.includes(k) && /^i\d+$/.test(type) ? '1' : 'poison');
		lines.push(`declare ${ret} @${name}(${[...params, ...(vararg ? ['...'] : [])].join(', ')})`);
		lines.push(`define void @call${i}() {`, `  call ${ret}${vararg ? ' (...)' : ''} @${name}(${params.map((type, k) => `${type} ${literal(type, k)}`).join(', ')})`, '  ret void', '}');
	});
	return `${lines.join('\n')}\n!0 = !{!1}\n!1 = distinct !{!1, !2}\n!2 = distinct !{!2}\n`;
}

/** Other types in place of one. */
const others = (type) => ['i32', 'double', 'ptr addrspace(5)', '<3 x i32>', 'i7'].filter((other) => other !== type);

/** Names of `instances` that LLVM refuses. */
function refusedByLlvm(instances) {
	const [{ status, answer }] = llvm(19, 'verify', [moduleOf(instances)]);
	assert.ok(status < 2 && !/<stdin>:/.test(answer), `the module is not read: ${answer.slice(0, 500)}`);
	const refused = new Set();
	for (const [, name] of answer.matchAll(/@(llvm\.[\w.]+)/g))
		refused.add(name);
	return refused;
}

function refusedByUs(instances) {
	const refused = new Map();
	for (let i = 0; i < instances.length; i += 15) {
		const path = join(folder, 'x.ll');
		writeFileSync(path, moduleOf(instances.slice(i, i + 15)));
		const { status, stderr } = ptxscope(['fmt', '-disable-output', path]);
		assert.ok(status === 0 || status === 1, stderr);
		for (const [line, name] of stderr.matchAll(/error: .*?@(llvm\.[\w.]+).*/g))
			refused.set(name, line);
	}
	return refused;
}

const skip = withoutLlvm(19);

/** One module cannot declare a name twice: instances in as many lists as needed. */
function* lists(instances) {
	for (let rest = instances; rest.length;) {
		const names = new Set(), now = [], later = [];
		for (const instance of rest)
			(names.has(instance.name) ? later : now).push(instance), names.add(instance.name);
		yield now;
		rest = later;
	}
}

// Where we differ on purpose: fake.use, stepvector, minimumnum, maximumnum, constrained.atan2, lround of vectors and tanh.approx.f32 are LLVM 20's or newer; before LLVM 18 bf16 was an integer; LLVM 19 takes lengths that
// are vectors, and elementwise operations on other shapes, which no target can do; it upgrades ptr.annotation of p0 alone;
// it takes vp.bswap of single bytes and fails when it expands it.
const known = /@llvm\.(?:experimental\.constrained\.atan2|ll?round\.v|vp\.bswap\.v\d+i8|fake\.use|stepvector|m(?:in|ax)imumnum|nvvm\.tanh\.approx\.f32|ptr\.annotation\.p[13]|fpto[su]i\.sat|nvvm\..*bf16|fptrunc\.round|ldexp|powi|mem(?:cpy|move|set)\..*<|.*(?:get\.vector\.length|histogram|strided|constrained\.ldexp|set\.fp).*<3 x i32>)/;
const textOf = ({ name, ret, params }) => `${ret} @${name}(${params.join(', ')})`;

function compare(instances) {
	const found = [];
	for (const list of lists(instances)) {
		const theirs = refusedByLlvm(list), ours = refusedByUs(list);
		// Its messages are about names as it would spell them: where they differ, one by one.
		const doubtful = list.filter((one) => !known.test(textOf(one)) && theirs.has(one.name) !== ours.has(one.name));
		const singly = llvm(19, 'verify', doubtful.map((one) => moduleOf([one])));
		const differ = doubtful.filter((one, i) => (singly[i].status !== 0) !== ours.has(one.name))
			.map((one) => `${ours.has(one.name) ? 'we alone refuse' : 'LLVM alone refuses'} ${textOf(one)} ${ours.get(one.name) ?? ''}`);
		found.push(...differ);
	}
	assert.deepEqual(found, []);
}

/** A row for each of its names; one for those of NVVM, which are thousands. */
const spelled = (row) => {
	const group = /^(.*?)\{(.*?)\}(.*)$/.exec(row.names);
	return group ? group[2].split(',').slice(0, row.names.startsWith('llvm.nvvm.') ? 1 : undefined).flatMap((one) => spelled({ ...row, names: group[1] + one + group[3] })) : [row];
};

/** What LLVM 22 has in another form than LLVM 19, or alone; and what more than types are asked of: see rules/surroundings.txt. */
const otherForm = /^llvm\.(?:lifetime\.(?:start|end)|masked\.(?:load|store|gather|scatter)|thread\.pointer|experimental\.memset\.pattern|protected\.field\.ptr|modf|atan2|sincos|sincospi|vector\.(?:partial\.reduce\.f?add|(?:de)?interleave[3-8]|splice\.(?:left|right)))\*$|^llvm\.coro\.(?:end|is_in_ramp)$|^llvm\.(?:alloc\.token\.id|clmul|loop\.dependence\.\w+\.mask|vp\.load\.ff|stackaddress|experimental\.vector\.(?:match|extract\.last\.active|histogram\.u.*)|callbr\.landingpad|eh\.exceptionpointer|get\.dynamic\.area\.offset)\*$|^llvm\.reloc\.none$|^llvm\.nvvm\.mapa\.shared\.cluster$/;
const isNewer = (row) => otherForm.test(row.names) || newer.has(row.names) || [...newer].some((name) => row.names.endsWith('*') && name.startsWith(`${row.names.slice(0, -1)}.`));
const instances = rows.flatMap(spelled).filter((row) => !isNewer(row)).flatMap((row) => (row.names.endsWith('*') ? choices : choices.slice(0, 1)).map((choice) => instance(row, choice)));

test(`${instances.length} declarations of intrinsics are taken as LLVM takes them`, { skip }, () => compare(instances));

test('declarations with one other type are refused as LLVM refuses them', { skip }, () => {
	const wrong = [];
	for (const right of instances) {
		for (const ret of others(right.ret).slice(0, 2))
			wrong.push({ ...right, ret });
		right.params.forEach((type, k) => {
			for (const other of others(type).slice(0, k < 4 ? 3 : 1))
				wrong.push({ ...right, params: right.params.with?.(k, other) ?? right.params.map((p, i) => i === k ? other : p) });
		});
		wrong.push({ ...right, params: [...right.params, 'i32'] });
		if (right.params.length)
			wrong.push({ ...right, params: right.params.slice(0, -1) });
	}
	compare(wrong);
});
