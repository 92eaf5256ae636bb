// Lessons and puzzles: Markdown with a few words of our own. `marked` reads it; what comes out is data, never HTML, so that a lesson
// from anywhere can be shown. HTML in it stays text.
//
// - `[text](show:QUERY)` sets the page: example or source, pass, tab, function, lines, value, knobs, target, level.
// - A fence may say more behind its language: `source` (code to open, `source=NAME` if there are several), `launch` (JSON; each one is
//   executed), `pass after=PASS` (JavaScript, the start of an own pass).
// - A fence `question` or `goals` is a task that the page checks (goals.ts).
// - `> text` is a note of the author's.

import type { KnobValue } from '@ptxscope/core';
import { marked, type Token, type Tokens } from 'marked';
import type { LinkState } from '../link';
import { readGoal, type Goal } from './goals';

export type Inline =
	| { kind: 'text' | 'code' | 'strong' | 'em'; text: string }
	| { kind: 'show'; text: string; query: string; step: number }
	| { kind: 'link'; text: string; href: string };

export type Block =
	| { kind: 'p'; parts: Inline[] }
	| { kind: 'h'; parts: Inline[] }
	| { kind: 'ol' | 'ul'; items: Block[][]; start: number }
	| { kind: 'note'; blocks: Block[] }
	| { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
	| { kind: 'pre'; text: string; language: string }
	| { kind: 'task'; task: Task };

export interface Task {
	/** Its place in the lesson, from 1: progress is kept under it. */
	id: number;
	text: Inline[][];
	goals: Goal[];
	/** Which pass adds or removes lines with this text? */
	pass?: { adds: boolean; text: string };
	/** Accepted answers in words. */
	answers: string[];
	choices: { parts: Inline[]; right: boolean }[];
	hint: string;
}

export interface Source {
	name: string;
	kind: 'll' | 'cu' | 'mir' | 'ptx';
	text: string;
}

export interface OwnPass {
	/** The pass behind which it runs; `ptx`: behind all. */
	after: string;
	code: string;
}

export interface Lesson {
	id: string;
	title: string;
	/** One line for the list. */
	about: string;
	/** What its links start from. */
	base: { example?: string; target?: string; level?: number };
	blocks: Block[];
	sources: Source[];
	/** Launch descriptions, JSON. */
	launches: string[];
	pass?: OwnPass;
	/** The queries of its `show:` links; the first is step 1. */
	steps: string[];
	/** What is wrong with it, for its author. */
	problems: string[];
}

const plain = (tokens: readonly Token[]): string => tokens.map((t) => 'tokens' in t && t.tokens ? plain(t.tokens) : 'text' in t ? String(t.text) : '').join('');
/** marked leaves entities as they are written. */
const unescape = (text: string) => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (e) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" })[e]!);

class Reader {
	sources: Source[] = [];
	launches: string[] = [];
	pass: OwnPass | undefined;
	steps: string[] = [];
	problems: string[] = [];
	tasks = 0;

	parts(tokens: readonly Token[]): Inline[] {
		return tokens.flatMap((t): Inline[] => {
			switch (t.type) {
			case 'codespan': return [{ kind: 'code', text: unescape((t as Tokens.Codespan).text) }];
			case 'strong': case 'em': return [{ kind: t.type, text: unescape(plain((t as Tokens.Strong).tokens)) }];
			case 'br': return [{ kind: 'text', text: '\n' }];
			case 'link': return [this.#link(t as Tokens.Link)];
			case 'image': return [{ kind: 'text', text: (t as Tokens.Image).text }];
			case 'html': return [{ kind: 'text', text: t.raw }];
			default: return 'tokens' in t && t.tokens ? this.parts(t.tokens) : [{ kind: 'text', text: unescape('text' in t ? String(t.text) : t.raw) }];
			}
		});
	}

	#link({ href, tokens }: Tokens.Link): Inline {
		const text = unescape(plain(tokens));
		if (href.startsWith('show:')) {
			const query = unescape(href.slice(5));
			this.steps.push(query);
			return { kind: 'show', text, query, step: this.steps.length };
		}
		return /^https?:/i.test(href) ? { kind: 'link', text, href } : { kind: 'text', text };
	}

	line(text: string): Inline[] {
		return this.parts(marked.Lexer.lexInline(text));
	}

	blocks(tokens: readonly Token[], depth = 0): Block[] {
		// Nobody nests deeper; a crafted text must not exhaust the stack.
		if (depth > 12)
			return tokens.length ? [{ kind: 'p', parts: [{ kind: 'text', text: '…' }] }] : [];
		return tokens.flatMap((t): Block[] => {
			switch (t.type) {
			case 'space': case 'def': case 'hr': return [];
			case 'heading': return [{ kind: 'h', parts: this.parts((t as Tokens.Heading).tokens) }];
			case 'code': return this.#fence(t as Tokens.Code);
			case 'blockquote': return [{ kind: 'note', blocks: this.blocks((t as Tokens.Blockquote).tokens, depth + 1) }];
			case 'list': {
				const { ordered, start, items } = t as Tokens.List;
				return [{ kind: ordered ? 'ol' : 'ul', start: Number(start) || 1, items: items.map((item) => this.blocks(item.tokens, depth + 1)) }];
			}
			case 'table': {
				const { header, rows } = t as Tokens.Table;
				return [{ kind: 'table', head: header.map((c) => this.parts(c.tokens)), rows: rows.map((row) => row.map((c) => this.parts(c.tokens))) }];
			}
			case 'html': return [{ kind: 'p', parts: [{ kind: 'text', text: t.raw.trim() }] }];
			default: return [{ kind: 'p', parts: 'tokens' in t && t.tokens ? this.parts(t.tokens) : [{ kind: 'text', text: t.raw.trim() }] }];
			}
		});
	}

	#fence({ lang = '', text }: Tokens.Code): Block[] {
		const [language = '', ...words] = lang.split(/\s+/);
		const options = new Map(words.map((w) => [w.replace(/=.*/, ''), w.includes('=') ? w.slice(w.indexOf('=') + 1) : ''] as const));
		if (language === 'question' || language === 'goals')
			return [{ kind: 'task', task: this.#task(text) }];
		if (options.has('source')) {
			const kinds: Readonly<Record<string, Source['kind']>> = { llvm: 'll', ll: 'll', cuda: 'cu', cu: 'cu', mir: 'mir', ptx: 'ptx' };
			const kind = kinds[language];
			if (kind)
				this.sources.push({ name: options.get('source') || 'kernel', kind, text: `${text}\n` });
			else
				this.problems.push(`a source is llvm, cuda, mir or ptx, not "${language}"`);
			return [];
		}
		if (options.has('launch')) {
			this.launches.push(text);
			return [];
		}
		if (options.has('pass') && language === 'js') {
			this.pass = { after: options.get('after') || 'nvptx-isel', code: `${text}\n` };
			return [];
		}
		return [{ kind: 'pre', text, language }];
	}

	#task(text: string): Task {
		const task: Task = { id: ++this.tasks, text: [], goals: [], answers: [], choices: [], hint: '' };
		for (const line of text.split('\n').map((l) => l.trim()).filter(Boolean)) {
			const [, key, rest = ''] = /^(goal|pass|answer|choice|hint):\s*(.*)$/.exec(line) ?? [];
			if (!key)
				task.text.push(this.line(line));
			else if (key === 'goal') {
				const goal = readGoal(rest);
				if (typeof goal === 'string')
					this.problems.push(goal);
				else
					task.goals.push(goal);
			} else if (key === 'pass') {
				const [, verb, what] = /^(adds|removes)\s+(.+)$/.exec(rest) ?? [];
				if (verb)
					task.pass = { adds: verb === 'adds', text: what! };
				else
					this.problems.push(`"pass: ${rest}" is neither "pass: removes TEXT" nor "pass: adds TEXT"`);
			} else if (key === 'answer')
				task.answers.push(...rest.split('|').map((a) => a.trim()));
			else if (key === 'choice')
				task.choices.push({ parts: this.line(rest.replace(/^\*\s*/, '')), right: rest.startsWith('*') });
			else
				task.hint = rest;
		}
		return task;
	}
}

export function readLesson(id: string, text: string): Lesson {
	const front = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text);
	const fields = new Map((front?.[1] ?? '').split('\n').map((l) => {
		const at = l.indexOf(':');
		return [l.slice(0, at).trim(), l.slice(at + 1).trim()] as const;
	}));
	let body = text.slice(front?.[0].length ?? 0);
	const title = fields.get('title') ?? /^#\s+(.*)$/m.exec(body)?.[1] ?? id;
	body = body.replace(/^\s*#\s+.*\n/, '');
	const level = /\d/.exec(fields.get('level') ?? '')?.[0];
	const reader = new Reader();
	let blocks: Block[] = [];
	try {
		blocks = reader.blocks(marked.lexer(body));
	} catch (error) {
		reader.problems.push(`the Markdown cannot be read: ${(error as Error).message}`);
	}
	const { sources, launches, pass, steps, problems } = reader;
	return {
		id, title, about: fields.get('about') ?? '', blocks, sources, launches, steps, problems, ...(pass && { pass }),
		base: {
			...(fields.get('example') && { example: fields.get('example')! }), ...(fields.get('target') && { target: fields.get('target')! }),
			...(level !== undefined && { level: Number(level) }),
		},
	};
}

/** All tasks of a lesson, in order. */
export function tasksOf(lesson: Lesson): Task[] {
	const found: Task[] = [], all = [...lesson.blocks];
	for (let b = all.shift(); b; b = all.shift())
		if (b.kind === 'task')
			found.push(b.task);
		else if (b.kind === 'note')
			all.unshift(...b.blocks);
		else if (b.kind === 'ol' || b.kind === 'ul')
			all.unshift(...b.items.flat());
	return found;
}

const tabNames: Readonly<Record<string, string>> = { path: 'value', compare: 'ab', mir: 'text' };

function knobValue(text: string): KnobValue {
	return text === 'true' ? true : text === 'false' ? false : /^-?\d+$/.test(text) ? Number(text) : text;
}

/** What opens a source of a lesson: with its first launch, as a text of the reader's own. */
export const stateOfSource = (lesson: Lesson, source: Source, text = source.text): LinkState => ({
	source: text, file: `${source.name}.${source.kind}`,
	...(lesson.base.target && { target: lesson.base.target }), ...(lesson.base.level !== undefined && { level: lesson.base.level }),
	...(lesson.launches[0] && { launch: lesson.launches[0] }),
});

/** What a `show:` link asks for. */
export function stateOf(lesson: Lesson, query: string): LinkState {
	const q = new URLSearchParams(query);
	const [pass, nth] = (q.get('pass') ?? '').split('#');
	const [from, to] = (q.get('lines') ?? '').split('-').map(Number);
	const tab = q.get('tab') ?? '', knobs: Record<string, KnobValue> = {};
	for (const pair of (q.get('knobs') ?? '').split(',').filter(Boolean)) {
		const at = pair.indexOf('=');
		knobs[at < 0 ? pair : pair.slice(0, at)] = at < 0 ? true : knobValue(pair.slice(at + 1));
	}
	const level = /\d/.exec(q.get('level') ?? '')?.[0];
	const name = q.get('source'), source = !q.get('example') && (name ? lesson.sources.find((s) => s.name === name) : !lesson.base.example && lesson.sources[0]);
	return {
		...lesson.base, ...(source && stateOfSource(lesson, source)),
		...(q.get('example') && { example: q.get('example')! }), ...(q.get('target') && { target: q.get('target')! }),
		...(level !== undefined && { level: Number(level) }), knobs,
		view: {
			...(pass && { pass }), ...(nth && { nth: Number(nth) }), ...(q.get('function') && { fn: q.get('function')! }),
			...(tab && tab !== 'run' && { tab: tabNames[tab] ?? tab }), ...(tab === 'run' && { panel: 'run' }),
			...(from ? { lines: [from, to || from] as [number, number] } : {}), ...(q.get('value') && { value: Number(q.get('value')) }),
		},
	};
}
