// What a source says of itself: whether it is a whole program, how its kernels are to be launched, and what it calls them.
//
// A comment with a launch in it proposes that launch:
//
//	// saxpy<<<4, 256>>>(1000, 2.5f, x[1000] = 0.., y[1000] = 1)
//	// blur<<<dim3(4, 4), dim3(16, 16), 1024>>>(image[64 * 64] = random, out[64 * 64], 64, 64)
//
// Grid and block are numbers, dim3(…) or {…}; the third is dynamic shared memory. An argument is a number, _ for what the page would
// propose, or a buffer, NAME[COUNT]: its elements have the type of the parameter, unless a type of launch files stands for the name
// (f32[64]). They are zeros, one number (= 1), numbers from one on (= 0.. or = 0.. by 0.5), random (= random: 0 to 1; = random(-5, 5))
// or a list (= {1, 2, 3}).

const bare = (source) => source.replace(/\/\/.*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, ' ');

/** Does the source have a main? Words in comments and strings do not count. */
export const hasMain = (source) => /(?:^|[;}\s])(?:int|auto|void)\s+main\s*\(/.test(bare(source));

/** What the source calls a function: its name without arguments, out of what the ABI of C++ makes of it. */
export function sourceName(mangled) {
	const [, nested, rest] = /^_Z(N?)(?:[rVK]*)(\d.*)$/.exec(mangled) ?? [], words = [];
	for (let left = rest ?? '', m; (m = /^(\d+)/.exec(left)); left = left.slice(m[0].length + Number(m[0]))) {
		words.push(left.slice(m[0].length, m[0].length + Number(m[0])));
		if (!nested)
			break;
	}
	return words.filter((word) => !word.startsWith('_GLOBAL__N')).join('::') || mangled;
}

/** At commas that are in no bracket. */
function parts(text) {
	const list = [''];
	let depth = 0;
	for (const c of text) {
		depth += '([{'.includes(c) ? 1 : ')]}'.includes(c) ? -1 : 0;
		if (c === ',' && depth === 0)
			list.push('');
		else
			list[list.length - 1] += c;
	}
	return list.map((part) => part.trim()).filter(Boolean);
}

/** A number, or numbers joined by + - * / << and brackets; NaN where it is none. */
export function number(text) {
	const words = text.replace(/(?<=[\d.])[fFuUlL]+\b/g, '').match(/0x[\da-f]+|\d*\.?\d+(?:e[-+]?\d+)?|<<|[-+*/()]|\S/gi) ?? [];
	let at = 0;
	const one = () => {
		const word = words[at++];
		if (word === '-')
			return -one();
		if (word !== '(')
			return word !== undefined && /^[\d.]/.test(word) ? Number(word) : NaN;
		const inner = sum();
		return words[at++] === ')' ? inner : NaN;
	};
	const product = () => {
		let value = one();
		while (words[at] === '*' || words[at] === '/')
			value = words[at++] === '*' ? value * one() : Math.trunc(value / one());
		return value;
	};
	const sum = () => {
		let value = product();
		while (words[at] === '+' || words[at] === '-' || words[at] === '<<') {
			const by = words[at++];
			value = by === '+' ? value + product() : by === '-' ? value - product() : value * 2 ** product();
		}
		return value;
	};
	const value = sum();
	return at === words.length ? value : NaN;
}

function shape(text) {
	const [, inner] = /^(?:dim3)?\s*[({](.*)[)}]$/.exec(text) ?? [], numbers = parts(inner ?? text).map(number);
	return numbers.length >= 1 && numbers.length <= 3 && numbers.every((n) => Number.isInteger(n) && n > 0) ? [...numbers, 1, 1].slice(0, 3) : null;
}

const types = /^(?:[iu](?:8|16|32|64)|f(?:16|32|64))$/;

function contents(text) {
	if (!text)
		return { kind: 'zero' };
	const [, low, high] = /^random(?:\(([^,]+),([^)]+)\))?$/.exec(text) ?? [];
	if (/^random\b/.test(text))
		return low === undefined ? { kind: 'random', seed: 1, min: 0, max: 1 } : { kind: 'random', seed: 1, min: number(low), max: number(high) };
	const [, start, step = '1'] = /^(.*?)\.\.(?:\s*by\s+(.+))?$/.exec(text) ?? [], list = /^\{(.*)\}$/.exec(text);
	const made = start !== undefined ? { kind: 'linear', start: number(start), step: number(step) }
		: list ? { kind: 'values', values: parts(list[1]).map(number) } : { kind: 'constant', value: number(text) };
	return Object.values(made).flat().some(Number.isNaN) ? null : made;
}

function argument(text) {
	if (text === '_')
		return {};
	const buffer = /^(\w+)\s*\[(.+?)\]\s*(?:=\s*(.*))?$/.exec(text);
	if (!buffer) {
		const value = number(text);
		return Number.isNaN(value) ? null : { value };
	}
	const [, name, count, init] = buffer, n = number(count), filled = contents(init?.trim());
	return Number.isInteger(n) && n > 0 && filled ? { ...(types.test(name) ? { type: name } : { name }), count: n, init: filled } : null;
}

/** The launches that comments propose: { line, kernel, grid, block, sharedBytes, args } each, or { line, message } where one is wrong. */
export function readLaunches(source) {
	return source.split('\n').flatMap((text, i) => {
		const m = /(?:\/\/.*?|\/\*.*?|^\s*\*.*?)([\w:]+)\s*<<<(.*?)>>>\s*\((.*)\)/.exec(text);
		if (!m)
			return [];
		const [grid, block, shared] = parts(m[2]), at = { line: i + 1, kernel: m[1] };
		const launch = { ...at, grid: shape(grid ?? ''), block: shape(block ?? ''), sharedBytes: shared === undefined ? 0 : number(shared), args: parts(m[3]).map(argument) };
		const wrong = !launch.grid ? 'its grid' : !launch.block ? 'its block' : !(launch.sharedBytes >= 0) ? 'its shared memory' : '';
		const argumentAt = launch.args.indexOf(null);
		return wrong || argumentAt >= 0 ? [{ ...at, message: `the launch of ${m[1]} cannot be read: ${wrong || `argument ${argumentAt + 1}`}` }] : [launch];
	});
}
