// A text checker in the manner of LLVM's FileCheck: the directives CHECK, -NEXT, -SAME, -EMPTY, -NOT, -DAG, -LABEL, -COUNT-n; in
// patterns {{regex}}, [[VAR:regex]], [[VAR]], [[#VAR:]], [[#VAR+1]], [[@LINE+1]]. The page and the tests use it; tests/README.md
// describes it.
//
// A match is looked for in the input with runs of blanks squeezed to one (on both sides), and moves forward only.

const escape = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
const squeeze = (text) => text.replace(/[ \t]+/g, ' ');

/** A fault of the check file itself. */
export class CheckError extends Error {}

const defaults = {
	prefixes: ['CHECK'], strictWhitespace: false, matchFullLines: false, ignoreCase: false, allowEmpty: false,
	implicitNots: [], defines: {},
};

/** POSIX habits of FileCheck's regexes, in JavaScript's terms: classes by name, and [^x] stops at the end of the line. */
function regexSource(text) {
	const classes = {
		alpha: 'A-Za-z', digit: '0-9', alnum: 'A-Za-z0-9', upper: 'A-Z', lower: 'a-z', space: '\\s', blank: ' \\t',
		xdigit: '0-9A-Fa-f', punct: '!-\\/:-@\\[-`{-~',
	};
	let out = '';
	for (let i = 0; i < text.length; i++) {
		if (text[i] === '\\') {
			out += text.slice(i, i + 2);
			i++;
		} else if (text[i] === '[') {
			let end = i + (text[i + 1] === '^' ? 2 : 1);
			if (text[end] === ']')
				end++; // a bracket that comes first is a member
			while (end < text.length && text[end] !== ']')
				end = text.startsWith('[:', end) ? text.indexOf(':]', end) + 2 : text[end] === '\\' ? end + 2 : end + 1;
			const negated = text[i + 1] === '^';
			const members = text.slice(i + (negated ? 2 : 1), end)
				.replace(/^\]/, '\\]').replace(/\[:(\w+):\]/g, (_, name) => classes[name] ?? '').replace(/\[/g, '\\[');
			out += negated ? `[^\\n${members}]` : `[${members}]`;
			i = end;
		} else {
			out += text[i] === '(' && text[i + 1] !== '?' ? '(?:' : text[i];
		}
	}
	return out;
}

/** Splits a pattern at {{…}} and [[…]]: [{ kind: 'text' | 'regex' | 'var', text }]. */
function pieces(pattern) {
	const list = [];
	let at = 0, literal = '';
	const flush = () => {
		if (literal)
			list.push({ kind: 'text', text: literal });
		literal = '';
	};
	while (at < pattern.length) {
		const open = pattern.startsWith('{{', at) ? '{{' : pattern.startsWith('[[', at) && /^\[\[[#@$A-Za-z_]/.test(pattern.slice(at)) ? '[[' : null;
		if (!open) {
			literal += pattern[at++];
			continue;
		}
		let end;
		if (open === '{{') {
			end = pattern.indexOf('}}', at + 2);
		} else {
			let depth = 0;
			for (end = at + 2; end < pattern.length; end++) {
				if (pattern[end] === '\\')
					end++;
				else if (pattern[end] === '[')
					depth++;
				else if (pattern[end] === ']' && depth-- === 0)
					break;
			}
			if (!pattern.startsWith(']]', end))
				end = -1;
		}
		if (end < 0)
			throw new CheckError(`${open} is not closed`);
		flush();
		list.push({ kind: open === '{{' ? 'regex' : 'var', text: pattern.slice(at + 2, end) });
		at = end + 2;
	}
	flush();
	return list;
}

function numeric(text, variables) {
	let total = 0;
	for (const [, sign, term] of text.replace(/\s/g, '').matchAll(/([+-]?)([@\w$]+)/g)) {
		const value = /^\d+$/.test(term) ? Number(term) : Number(variables[`#${term}`]);
		if (Number.isNaN(value))
			throw new CheckError(`undefined variable ${term}`);
		total += sign === '-' ? -value : value;
	}
	return String(total);
}

/** The pattern as a regular expression under the values that variables have now, and the variables that it sets. */
function compile(directive, variables, options) {
	const groups = new Map();
	const vars = { ...variables, '#@LINE': directive.line };
	let source = '';
	const define = (name, regex) => {
		const group = `g${groups.size}`;
		groups.set(name, group);
		source += `(?<${group}>${regex})`;
	};
	for (const { kind, text } of pieces(directive.pattern)) {
		if (kind === 'text') {
			source += escape(text);
			continue;
		}
		if (kind === 'regex') {
			source += `(?:${regexSource(text)})`;
			continue;
		}
		const colon = text.indexOf(':');
		const name = (colon < 0 ? text : text.slice(0, colon)).trim();
		if (text.startsWith('@LINE'))
			source += numeric(text, vars);
		else if (text.startsWith('#') && colon >= 0)
			define(name.replace(/^#\s*/, '#'), '\\d+');
		else if (text.startsWith('#'))
			source += numeric(text.slice(1), vars);
		else if (colon >= 0)
			define(name, regexSource(text.slice(colon + 1)));
		else if (groups.has(name))
			source += `\\k<${groups.get(name)}>`;
		else if (name in vars)
			source += escape(vars[name]);
		else
			throw new CheckError(`undefined variable ${name}`);
	}
	if (options.matchFullLines && directive.kind !== 'NOT')
		source = `^ ?${source} ?$`;
	return { regex: new RegExp(source, options.ignoreCase ? 'gmi' : 'gm'), groups };
}

const kinds = '(?:-(NEXT|SAME|NOT|DAG|LABEL|EMPTY|COUNT-\\d+))?';

/** The directives of a check file, in order. */
export function readDirectives(text, options) {
	const prefixes = options.prefixes.map(escape).join('|');
	const form = new RegExp(`(?<![\\w-])(${prefixes})${kinds}:(.*)$`);
	const list = [];
	text.split('\n').forEach((content, index) => {
		const found = form.exec(content.replace(/\r$/, ''));
		if (!found || /(?<![\w-])(RUN|COM):/.test(content.slice(0, found.index)))
			return;
		const pattern = options.strictWhitespace ? found[3] : squeeze(found[3]).trim();
		const counted = /^COUNT-(\d+)$/.exec(found[2] ?? '');
		const directive = { kind: counted ? '' : found[2] ?? '', name: `${found[1]}${found[2] ? `-${found[2]}` : ''}`, pattern, line: index + 1 };
		if (pattern === '' && directive.kind !== 'EMPTY')
			throw new CheckError(`line ${directive.line}: ${directive.name} has no pattern`);
		if (list.length === 0 && ['NEXT', 'SAME', 'EMPTY'].includes(directive.kind))
			throw new CheckError(`line ${directive.line}: ${directive.name} has nothing before it`);
		for (let n = counted ? Number(counted[1]) : 1; n > 0; n--)
			list.push(directive);
	});
	return list;
}

class Mismatch extends Error {
	constructor(directive, at, what) {
		super(what);
		Object.assign(this, { directive, at });
	}
}

function find(directive, input, from, to, variables, options) {
	const { regex, groups } = compile(directive, variables, options);
	regex.lastIndex = from;
	const found = regex.exec(input.slice(0, to));
	return found && { start: found.index, end: found.index + found[0].length, found, groups };
}

function remember(match, variables) {
	for (const [name, group] of match.groups)
		variables[name] = match.found.groups[group];
}

const newlines = (text) => text.split('\n').length - 1;

function refuseNots(nots, input, from, to, variables, options) {
	for (const not of nots) {
		const match = find(not, input, from, to, variables, options);
		if (match)
			throw new Mismatch(not, match.start, 'found where it may not be');
	}
}

/** All directives of a run of -DAG, in any order from `from` on, without overlap; returns where the first begins and the last ends. */
function matchDags(dags, input, from, to, variables, options) {
	const taken = [];
	for (const dag of dags) {
		let at = from, match;
		for (;;) {
			match = find(dag, input, at, to, variables, options);
			if (!match)
				throw new Mismatch(dag, from, 'not found');
			const clash = taken.find((other) => match.start < other.end && other.start < match.end);
			if (!clash)
				break;
			at = clash.end;
		}
		taken.push(match);
		remember(match, variables);
	}
	return { start: Math.min(...taken.map((m) => m.start)), end: Math.max(...taken.map((m) => m.end)) };
}

/** EMPTY is an empty line right after the last match. */
function matchEmpty(directive, input, at, to) {
	const line = input.indexOf('\n', at);
	if (line < 0 || line >= to || !/^ ?(\n|$)/.test(input.slice(line + 1, to)))
		throw new Mismatch(directive, at, 'the next line is not empty');
	return { start: line + 1, end: line + 1, groups: [] };
}

function matchOne(directive, input, at, to, variables, options) {
	if (directive.kind === 'EMPTY')
		return matchEmpty(directive, input, at, to);
	const match = find(directive, input, at, to, variables, options);
	if (!match)
		throw new Mismatch(directive, at, 'not found');
	const skipped = newlines(input.slice(at, match.start));
	if (directive.kind === 'NEXT' && skipped !== 1)
		throw new Mismatch(directive, match.start, skipped === 0 ? 'on the same line as the match before' : 'not on the line after the match before');
	if (directive.kind === 'SAME' && skipped !== 0)
		throw new Mismatch(directive, match.start, 'not on the line of the match before');
	remember(match, variables);
	return match;
}

/** Runs `list` over input[from, to). */
function checkRegion(list, input, from, to, variables, options) {
	const implicit = options.implicitNots.map((pattern) => ({ kind: 'NOT', name: 'implicit-check-not', pattern, line: 0 }));
	let at = from, nots = [...implicit];
	for (let i = 0; i < list.length; i++) {
		if (list[i].kind === 'NOT') {
			nots.push(list[i]);
			continue;
		}
		let match;
		if (list[i].kind === 'DAG') {
			let end = i;
			while (list[end]?.kind === 'DAG')
				end++;
			match = matchDags(list.slice(i, end), input, at, to, variables, options);
			i = end - 1;
		} else {
			match = matchOne(list[i], input, at, to, variables, options);
		}
		refuseNots(nots, input, at, match.start, variables, options);
		nots = [...implicit];
		at = match.end;
	}
	refuseNots(nots, input, at, to, variables, options);
}

/** Labels are found first and cut the input into regions, each with the directives up to the next label. */
function regions(list, input, options) {
	const cuts = [{ list: [], from: 0 }];
	let at = 0;
	for (const directive of list) {
		if (directive.kind !== 'LABEL') {
			cuts.at(-1).list.push(directive);
			continue;
		}
		const match = find(directive, input, at, input.length, options.defines, options);
		if (!match)
			throw new Mismatch(directive, at, 'not found');
		cuts.at(-1).to = match.start;
		cuts.push({ list: [directive], from: match.start });
		at = match.end;
	}
	cuts.at(-1).to = input.length;
	return cuts;
}

function describe(error, checks, input, checkName) {
	const { directive, at } = error;
	const line = newlines(input.slice(0, at)) + 1;
	const lines = input.split('\n');
	const shown = lines.slice(line - 1, line + 11).map((content, i) => `  ${String(line + i).padStart(4)} | ${content}`);
	return [
		`${checkName}:${directive.line}: ${directive.name}: ${error.message}`,
		`  ${directive.line ? checks.split('\n')[directive.line - 1].trim() : directive.pattern}`,
		`input, from line ${line}:`, ...shown, ...(lines.length > line + 11 ? ['       …'] : []),
	].join('\n');
}

/** Checks `input` against the directives of `checks`. Returns null, or what is wrong. */
export function filecheck(checks, input, given = {}, checkName = 'checks') {
	const options = { ...defaults, ...given };
	input = input.replace(/\r\n/g, '\n');
	if (!options.strictWhitespace)
		input = squeeze(input);
	try {
		const list = readDirectives(checks, options);
		if (list.length === 0)
			return `${checkName}: no ${options.prefixes.join(' or ')} directive`;
		if (input.trim() === '' && !options.allowEmpty)
			return `${checkName}: the input is empty`;
		const variables = { ...options.defines };
		for (const { list: part, from, to } of regions(list, input, options))
			checkRegion(part, input, from, to, variables, options);
		return null;
	} catch (error) {
		if (error instanceof Mismatch)
			return describe(error, checks, input, checkName);
		if (error instanceof CheckError || error instanceof SyntaxError)
			return `${checkName}: ${error.message}`;
		throw error;
	}
}

/** Options as FileCheck spells them, with one dash or two: { file, options }. */
export function readArguments(words) {
	const options = { prefixes: [], implicitNots: [], defines: {} };
	let file = null;
	for (const word of words) {
		const [, name, value = ''] = /^--?([\w-]+)(?:=(.*))?$/.exec(word) ?? [];
		if (name === 'check-prefix' || name === 'check-prefixes')
			options.prefixes.push(...value.split(','));
		else if (name === 'implicit-check-not')
			options.implicitNots.push(value);
		else if (/^-D[^=]+=/.test(word))
			options.defines[word.slice(2, word.indexOf('='))] = word.slice(word.indexOf('=') + 1);
		else if (name === 'strict-whitespace')
			options.strictWhitespace = true;
		else if (name === 'match-full-lines')
			options.matchFullLines = true;
		else if (name === 'ignore-case')
			options.ignoreCase = true;
		else if (name === 'allow-empty')
			options.allowEmpty = true;
		else if (!word.startsWith('-') && file === null)
			file = word;
		else
			throw new CheckError(`unknown option ${word}`);
	}
	if (options.prefixes.length === 0)
		options.prefixes = ['CHECK'];
	return { file, options };
}
