// Who calls whom, and in which memory each pointer argument lies as far as a stage of the compilation knows: read off its IR.

import { atCommas } from './commas';

export interface Callee {
	name: string;
	/** By pointer argument: its position, and the space that the function knows for it. */
	pointers: { at: number; space: string }[];
	defined: boolean;
	kernel: boolean;
	/** Its line in the text. */
	line: number;
}

export interface Call {
	from: string;
	to: string;
	/** By pointer argument: the spaces that are passed. */
	spaces: string[];
	count: number;
}

export interface Calls {
	functions: Callee[];
	calls: Call[];
}

const spaceNames: Readonly<Record<string, string>> = { 0: 'generic', 1: 'global', 3: 'shared', 4: 'const', 5: 'local', 101: 'param' };
export const spaceName = (number: string | undefined) => spaceNames[number ?? '0'] ?? `addrspace(${number})`;

/** What stands between the bracket at `open` and its partner. */
function bracketed(text: string, open: number): string {
	let depth = 0;
	for (let i = open; i < text.length; i++) {
		if (text[i] === '(')
			depth++;
		else if (text[i] === ')' && --depth === 0)
			return text.slice(open + 1, i);
	}
	return text.slice(open + 1);
}

const symbol = String.raw`@("[^"]*"|[-$.\w]+)`;
const headPattern = new RegExp(`^(define|declare)\\b.*?${symbol}\\s*\\(`);
const callPattern = new RegExp(`^\\s*(?:%(?:"[^"]*"|[-$._\\w]+)\\s*=\\s*)?(?:(?:tail|musttail|notail)\\s+)?(?:call|invoke)\\b.*?${symbol}\\s*\\(`);
const plain = (name: string) => name.replace(/^"|"$/g, '');

const pointerSpace = (type: string): string | null => {
	const m = /^ptr(?:\s+addrspace\((\d+)\))?/.exec(type);
	return m ? spaceName(m[1]) : null;
};

/** The space that a generic pointer was cast from, one name at a time. */
function trace(operand: string, casts: ReadonlyMap<string, string>): string {
	const constant = /addrspacecast \(ptr addrspace\((\d+)\)/.exec(operand)?.[1];
	if (constant)
		return spaceName(constant);
	for (let name = /%(?:"[^"]*"|[-$._\w]+)\s*$/.exec(operand)?.[0].trim(), step = 0; name && step < 32; step++) {
		const from = casts.get(name);
		if (!from)
			break;
		if (!from.startsWith('%'))
			return spaceName(from);
		name = from;
	}
	return 'generic';
}

/** What a body says of its pointers: casts from a space, and steps from another pointer of the function. */
function castsOf(lines: readonly string[]): Map<string, string> {
	const casts = new Map<string, string>();
	for (const line of lines) {
		const cast = /^\s*(%\S+) = addrspacecast ptr addrspace\((\d+)\) \S+ to ptr\s*(?:,|$)/.exec(line);
		const step = /^\s*(%\S+) = getelementptr\b.*?, ptr (%[-$._\w]+)/.exec(line);
		if (cast)
			casts.set(cast[1]!, cast[2]!);
		else if (step)
			casts.set(step[1]!, step[2]!);
		else if (/^\s*%\S+ = alloca\b/.test(line))
			casts.set(/%\S+/.exec(line)![0], '5');
	}
	return casts;
}

/** Reads functions' texts, one after the other or together in a module. */
export function readCalls(texts: readonly string[], kernels: ReadonlySet<string>): Calls {
	const functions = new Map<string, Callee>(), calls = new Map<string, Call>(), internal = new Set<string>();
	for (const text of texts) {
		const lines = text.split('\n');
		for (let i = 0; i < lines.length; i++) {
			const head = headPattern.exec(lines[i]!);
			if (!head)
				continue;
			const name = plain(head[2]!), defined = head[1] === 'define';
			if (/^define\b.*?\b(?:internal|private)\b.*?@/.test(lines[i]!))
				internal.add(name);
			let end = i;
			while (defined && end < lines.length && !lines[end]!.startsWith('}'))
				end++;
			const body = lines.slice(i + 1, end);
			const known = new Map(body.flatMap((l) => {
				const m = /addrspacecast ptr (%[-$._\w]+) to ptr addrspace\((\d+)\)/.exec(l);
				return m ? [[m[1]!, m[2]!] as const] : [];
			}));
			const params = atCommas(bracketed(lines[i]!, head[0].length - 1));
			const pointers = params.flatMap((p, at) => {
				const space = pointerSpace(p), own = /%(?:"[^"]*"|[-$._\w]+)\s*$/.exec(p)?.[0].trim();
				return space === null ? [] : [{ at, space: space === 'generic' && own && known.has(own) ? spaceName(known.get(own)) : space }];
			});
			if (!name.startsWith('llvm.') && (defined || !functions.has(name)))
				functions.set(name, { name, pointers, defined, kernel: kernels.has(name) || /\bptx_kernel\b/.test(lines[i]!), line: i + 1 });
			const casts = castsOf(body);
			for (const line of body) {
				const call = callPattern.exec(line), to = call && plain(call[1]!);
				if (!call || !to || to.startsWith('llvm.'))
					continue;
				const spaces = atCommas(bracketed(line, call[0].length - 1)).flatMap((a) => {
					const space = pointerSpace(a);
					return space === null ? [] : [space === 'generic' ? trace(a, casts) : space];
				});
				const key = `${name}>${to}>${spaces.join()}`, seen = calls.get(key);
				if (seen)
					seen.count++;
				else
					calls.set(key, { from: name, to, spaces, count: 1 });
			}
		}
	}
	for (const { to } of calls.values())
		if (!functions.has(to))
			functions.set(to, { name: to, pointers: [], defined: false, kernel: false, line: 0 });
	const called = new Set([...calls.values()].map((c) => c.to));
	// What a clone has replaced and nobody calls any more is dead weight in the picture.
	const some = [...functions.values()].some((f) => f.kernel);
	const kept = [...functions.values()].filter((f) => called.has(f.name) || (f.defined && (f.kernel || !some || !internal.has(f.name))));
	const names = new Set(kept.map((f) => f.name));
	return { functions: kept, calls: [...calls.values()].filter((c) => names.has(c.from)) };
}
