// Launch files (examples/README.md) as jobs of the executor (executor/job.h): arguments become bytes of parameter memory with
// places for addresses, initial contents become the numbers that the executor computes them from.

import { bitsOf, bitsOfDouble, floatOf, integerOf, isFloat, putBits, widths } from '@ptxscope/core/buffers.js';

/** What is wrong with a launch, and where in it ("buffers.x.init.kind"). */
export class BadLaunch extends Error {
	constructor(path, message) {
		super(path ? `${path}: ${message}` : message);
		this.path = path;
	}
}

const fail = (path, message) => { throw new BadLaunch(path, message); };
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const MOST = { buffers: 256, arguments: 4096, paramBytes: 32764, depth: 16 };
const nameOfKernel = /^[A-Za-z_$%][\w$%]{0,1000}$/;

function whole(value, path, least, most) {
	if (!Number.isInteger(value) || value < least || value > most)
		fail(path, `a whole number from ${least} to ${most} is wanted`);
	return value;
}

const typeAt = (type, path) => Object.hasOwn(widths, type) ? type : fail(path, `"${type}" is no type of elements`);
const bitsAt = (type, value, path) => bitsOf(type, value) ?? fail(path, `${JSON.stringify(value)} is no value of type ${type}`);
const three = (value, path, most) => Array.isArray(value) && value.length === 3
	? value.map((n, i) => whole(n, `${path}[${i}]`, 1, most[i])) : fail(path, 'three positive numbers are wanted, x first');

// ── Initial contents ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A number that elements are computed from: an integer modulo 2^64, or the bits of a binary64. */
function term(type, value, path) {
	const v = isFloat(type) ? floatOf(value) : integerOf(value);
	if (v === undefined)
		fail(path, `${JSON.stringify(value)} is no number of type ${type}`);
	return (isFloat(type) ? bitsOfDouble(v) : BigInt.asUintN(64, v)).toString(16);
}

function range(type, init, path) {
	if ((init.min === undefined) !== (init.max === undefined))
		fail(path, '"min" and "max" are given both or not at all');
	if (init.min !== undefined)
		return [init.min, init.max];
	if (isFloat(type))
		return [0, 1];
	const bits = BigInt(8 * widths[type]);
	return type[0] === 'u' ? ['0', String((1n << bits) - 1n)] : [String(-(1n << (bits - 1n))), String((1n << (bits - 1n)) - 1n)];
}

function listed(type, count, init, path) {
	if (!Array.isArray(init.values) || init.values.length > count)
		fail(`${path}.values`, `a list of at most ${count} values is wanted`);
	const bytes = Buffer.alloc(count * widths[type]);
	init.values.forEach((v, i) => putBits(bytes, i * widths[type], widths[type], bitsAt(type, v, `${path}.values[${i}]`)));
	return { text: `bytes ${bytes.length}\n`, bytes };
}

/** The words after the count of a buffer: { text, bytes }. */
function initial(type, count, init, path) {
	const kind = init === undefined ? 'zero' : isObject(init) ? init.kind : fail(path, 'an object is wanted');
	if (kind === 'zero')
		return { text: 'zero' };
	if (kind === 'constant')
		return { text: `constant ${bitsAt(type, init.value, `${path}.value`).toString(16)}` };
	if (kind === 'linear')
		return { text: `linear ${term(type, init.start, `${path}.start`)} ${term(type, init.step, `${path}.step`)}` };
	if (kind === 'random') {
		const [min, max] = range(type, init, path), seed = term('u64', init.seed, `${path}.seed`);
		return { text: `random ${seed} ${term(type, min, `${path}.min`)} ${term(type, max, `${path}.max`)}` };
	}
	if (kind === 'values')
		return listed(type, count, init, path);
	return fail(`${path}.kind`, `${JSON.stringify(kind)} is not one of zero, constant, linear, random, values`);
}

/** Buffers or symbols: [{ name, type, count, text, bytes }]. */
function memories(table, what, limits) {
	if (!isObject(table))
		fail(what, 'an object is wanted');
	const entries = Object.entries(table);
	if (entries.length > MOST.buffers)
		fail(what, `at most ${MOST.buffers} are possible`);
	return entries.map(([name, b]) => {
		const path = `${what}.${name}`;
		if (!isObject(b))
			fail(path, 'an object is wanted');
		const type = typeAt(b.type, `${path}.type`), count = whole(b.count, `${path}.count`, 0, Number.MAX_SAFE_INTEGER);
		limits.bytes -= count * widths[type];
		if (limits.bytes < 0)
			throw new TooLarge(`the buffers of a launch have at most ${limits.most} bytes together`);
		return { name, type, count, ...initial(type, count, b.init, `${path}.init`) };
	});
}

/** More memory than a job may have. */
export class TooLarge extends Error {}

// ── Textures ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const addresses = ['wrap', 'clamp', 'mirror', 'border'], filters = ['point', 'linear'];
const choice = (list, value, path) => list.includes(value) ? list.indexOf(value) : fail(path, `one of ${list.join(', ')} is wanted`);

function textureLine([name, t], buffers) {
	const path = `textures.${name}`;
	if (!isObject(t))
		fail(path, 'an object is wanted');
	const surface = choice(['texture', 'surface'], t.object, `${path}.object`) === 1;
	const dim = whole(t.dim, `${path}.dim`, 1, 3), type = typeAt(t.type, `${path}.type`);
	if (widths[type] === 8)
		fail(`${path}.type`, 'texels have at most 32 bits a channel');
	const channels = [1, 2, 4].includes(t.channels) ? t.channels : fail(`${path}.channels`, 'one of 1, 2, 4 is wanted');
	const size = (key, from) => dim < from ? 1 : whole(t[key], `${path}.${key}`, 1, 1 << 20);
	const [w, h, d] = [size('width', 1), size('height', 2), size('depth', 3)];
	const buffer = buffers.findIndex((b) => b.name === t.buffer);
	if (buffer < 0)
		fail(`${path}.buffer`, `no buffer is called ${JSON.stringify(t.buffer)}`);
	if (w * h * d * channels * widths[type] > buffers[buffer].count * widths[buffers[buffer].type])
		fail(path, `the texels are more than buffer ${t.buffer} has room for`);
	const box = `${dim} ${type} ${channels} ${w} ${h} ${d} ${buffer}`;
	if (surface)
		return `surface ${box}`;
	return `texture ${box} ${choice(addresses, t.address ?? 'clamp', `${path}.address`)} ${choice(filters, t.filter ?? 'point', `${path}.filter`)} ${t.normalized ? 1 : 0}`;
}

// ── Arguments ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

function hexBytes(text, path) {
	if (typeof text !== 'string' || !/^(?:[0-9a-fA-F]{2})*$/.test(text))
		fail(path, 'two hexadecimal digits a byte are wanted');
	return Buffer.from(text, 'hex');
}

const up = (n, align) => Math.ceil(n / align) * align;

function addressAt(argument, path, { buffers }) {
	const index = buffers.findIndex((b) => b.name === argument.buffer);
	if (index < 0)
		fail(`${path}.buffer`, `no buffer is called ${JSON.stringify(argument.buffer)}`);
	const offset = integerOf(argument.offset ?? 0) ?? fail(`${path}.offset`, 'a whole number is wanted');
	return { bytes: Buffer.alloc(8), align: 8, patches: [{ offset: 0, text: `buffer ${index} ${BigInt.asUintN(64, offset)}` }] };
}

function handleAt(argument, path, { textures }) {
	const index = textures.findIndex(([name]) => name === argument.texture);
	return index < 0 ? fail(`${path}.texture`, `no texture is called ${JSON.stringify(argument.texture)}`)
		: { bytes: Buffer.alloc(8), align: 8, patches: [{ offset: 0, text: `texture ${index}` }] };
}

/** Values one behind the other, each at its alignment: { bytes, align, patches }. */
function lay(parts, padded) {
	const align = Math.max(1, ...parts.map((p) => p.align)), patches = [];
	let end = 0;
	const places = parts.map((p) => {
		const at = up(end, p.align);
		end = at + p.bytes.length;
		patches.push(...p.patches.map((q) => ({ ...q, offset: q.offset + at })));
		return at;
	});
	const bytes = Buffer.alloc(padded ? up(end, align) : end);
	parts.forEach((p, i) => p.bytes.copy(bytes, places[i]));
	return { bytes, align, patches };
}

/** An argument's bytes: { bytes, align, patches: [{ offset, text }] }. */
function argumentBytes(argument, path, context, depth = 0) {
	if (!isObject(argument) || depth > MOST.depth)
		fail(path, depth > MOST.depth ? 'structures are nested too deeply' : 'an object is wanted');
	if (argument.buffer !== undefined)
		return addressAt(argument, path, context);
	if (argument.texture !== undefined)
		return handleAt(argument, path, context);
	if (argument.bytes !== undefined) {
		const align = argument.align ?? 1;
		return [1, 2, 4, 8, 16].includes(align) ? { bytes: hexBytes(argument.bytes, `${path}.bytes`), align, patches: [] }
			: fail(`${path}.align`, 'one of 1, 2, 4, 8, 16 is wanted');
	}
	if (argument.struct !== undefined)
		return Array.isArray(argument.struct) && argument.struct.length <= MOST.arguments
			? lay(argument.struct.map((a, i) => argumentBytes(a, `${path}.struct[${i}]`, context, depth + 1)), true)
			: fail(`${path}.struct`, 'a list of fields is wanted');
	const type = Object.keys(argument).find((key) => Object.hasOwn(widths, key));
	if (!type)
		fail(path, 'an argument is a value ({"f32": 1}), a buffer, a texture, bytes or a struct');
	const bytes = Buffer.alloc(widths[type]);
	putBits(bytes, 0, widths[type], bitsAt(type, argument[type], `${path}.${type}`));
	return { bytes, align: widths[type], patches: [] };
}

// ── The whole ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Reads a launch: { kernel, buffers: [{ name, type, count }], params: [{ bytes, align }], parts }, where `parts` are the records of the
 * job. Throws BadLaunch or TooLarge.
 */
export function readLaunch(launch, { mostBytes = 1 << 28 } = {}) {
	if (!isObject(launch))
		fail('', 'a launch is an object');
	if (typeof launch.kernel !== 'string' || !nameOfKernel.test(launch.kernel))
		fail('kernel', 'the name of a kernel is wanted');
	const grid = three(launch.grid, 'grid', [2 ** 31 - 1, 65535, 65535]), block = three(launch.block, 'block', [1024, 1024, 64]);
	if (block[0] * block[1] * block[2] > 1024)
		fail('block', 'a block has at most 1024 threads');
	const shared = whole(launch.sharedBytes ?? 0, 'sharedBytes', 0, 1 << 20), limits = { bytes: mostBytes, most: mostBytes };
	const buffers = memories(launch.buffers ?? {}, 'buffers', limits), symbols = memories(launch.symbols ?? {}, 'symbols', limits);
	for (const { name } of symbols)
		if (!nameOfKernel.test(name))
			fail(`symbols.${name}`, 'the name of a variable is wanted');
	const textures = Object.entries(launch.textures ?? {}), context = { buffers, textures };
	if (!Array.isArray(launch.args) || launch.args.length > MOST.arguments || textures.length > MOST.buffers)
		fail('args', `a list of at most ${MOST.arguments} arguments is wanted`);
	const params = launch.args.map((a, i) => argumentBytes(a, `args[${i}]`, context)), all = lay(params, false);
	if (all.bytes.length > MOST.paramBytes || all.patches.length > MOST.arguments)
		fail('args', `arguments have at most ${MOST.paramBytes} bytes together`);
	const parts = [`kernel ${launch.kernel}\ngrid ${grid.join(' ')}\nblock ${block.join(' ')}\nshared ${shared}\n`];
	for (const b of buffers)
		parts.push(`buffer ${b.type} ${b.count} ${b.text}`, b.bytes ?? '', '\n');
	for (const s of symbols)
		parts.push(`symbol ${s.name} ${s.type} ${s.count} ${s.text}`, s.bytes ?? '', '\n');
	parts.push(textures.map((t) => `${textureLine(t, buffers)}\n`).join(''), `params ${all.bytes.length}\n`, all.bytes, '\n',
		all.patches.map((p) => `patch ${p.offset} ${p.text}\n`).join(''), 'end\n');
	return {
		kernel: launch.kernel, threads: block[0] * block[1] * block[2], parts,
		buffers: buffers.map(({ name, type, count }) => ({ name, type, count })), params: params.map((p) => ({ bytes: p.bytes.length, align: p.align })),
	};
}

/** The executor's job. */
export function jobBytes({ ptx, launch, device = 0, warmup = 2, launches = 5, budgetMs = 500 }) {
	const text = Buffer.from(ptx, 'utf8');
	return Buffer.concat([`ptxscope-job 1\ndevice ${device}\nrepeat ${warmup} ${launches} ${budgetMs}\nptx ${text.length}\n`, text, '\n', ...launch.parts]
		.map((part) => typeof part === 'string' ? Buffer.from(part, 'latin1') : part));
}
