// Lessons: Markdown files whose `show:` links set example, pass, tab, lines and knobs. Only what the lessons use of Markdown is read:
// headings, paragraphs, lists, fences, and in a line code, emphasis and links.

import type { KnobValue } from '@ptxscope/core';
import type { LinkState } from './link';

export type Inline =
	| { kind: 'text' | 'code' | 'strong' | 'em'; text: string }
	| { kind: 'show'; text: string; query: string }
	| { kind: 'link'; text: string; href: string };

export type Block =
	| { kind: 'p'; parts: Inline[] }
	| { kind: 'h'; parts: Inline[] }
	| { kind: 'ol'; items: Inline[][] }
	| { kind: 'ul'; items: Inline[][] }
	| { kind: 'pre'; text: string };

export interface Lesson {
	id: string;
	title: string;
	/** What its links start from. */
	base: { example?: string; target?: string; level?: number };
	blocks: Block[];
}

const inlinePattern = /`([^`]+)`|\*\*([^*]+)\*\*|(?<![\w*])[*_]([^*_\s](?:[^*_]*[^*_\s])?)[*_](?![\w*])|\[([^\]]+)\]\(([^)\s]+)\)/g;

export function inline(text: string): Inline[] {
	const parts: Inline[] = [];
	let at = 0;
	for (const m of text.matchAll(inlinePattern)) {
		if (m.index > at)
			parts.push({ kind: 'text', text: text.slice(at, m.index) });
		at = m.index + m[0].length;
		if (m[1] !== undefined)
			parts.push({ kind: 'code', text: m[1] });
		else if (m[2] !== undefined)
			parts.push({ kind: 'strong', text: m[2] });
		else if (m[3] !== undefined)
			parts.push({ kind: 'em', text: m[3] });
		else if (m[5]!.startsWith('show:'))
			parts.push({ kind: 'show', text: m[4]!, query: m[5]!.slice(5) });
		else if (/^https?:/.test(m[5]!))
			parts.push({ kind: 'link', text: m[4]!, href: m[5]! });
		else
			parts.push({ kind: 'text', text: m[4]! });
	}
	if (at < text.length)
		parts.push({ kind: 'text', text: text.slice(at) });
	return parts;
}

const itemPattern = /^\s*(?:([-*])|\d+[.)])\s+(.*)$/;

function blocksOf(text: string): Block[] {
	const blocks: Block[] = [], lines = text.split('\n');
	for (let i = 0; i < lines.length;) {
		const line = lines[i]!;
		if (!line.trim()) {
			i++;
			continue;
		}
		if (line.startsWith('```')) {
			const from = ++i;
			while (i < lines.length && !lines[i]!.startsWith('```'))
				i++;
			blocks.push({ kind: 'pre', text: lines.slice(from, i++).join('\n') });
			continue;
		}
		const heading = /^#{1,4}\s+(.*)$/.exec(line);
		if (heading) {
			blocks.push({ kind: 'h', parts: inline(heading[1]!) });
			i++;
			continue;
		}
		const item = itemPattern.exec(line);
		// A paragraph or an item goes on until an empty line, and an item also until the next one.
		const goesOn = (l: string | undefined) => !!l?.trim() && !itemPattern.test(l) && !/^(?:#|```)/.test(l);
		let whole = item ? item[2]! : line.trim();
		for (i++; goesOn(lines[i]); i++)
			whole += ` ${lines[i]!.trim()}`;
		const kind = item ? item[1] ? 'ul' as const : 'ol' as const : null;
		const last = blocks.at(-1);
		if (kind && last && 'items' in last && last.kind === kind)
			last.items.push(inline(whole));
		else
			blocks.push(kind ? { kind, items: [inline(whole)] } : { kind: 'p', parts: inline(whole) });
	}
	return blocks;
}

export function readLesson(id: string, text: string): Lesson {
	const front = /^---\n([\s\S]*?)\n---\n?/.exec(text);
	const fields = new Map((front?.[1] ?? '').split('\n').map((l) => {
		const at = l.indexOf(':');
		return [l.slice(0, at).trim(), l.slice(at + 1).trim()] as const;
	}));
	let body = text.slice(front?.[0].length ?? 0);
	const title = fields.get('title') ?? /^#\s+(.*)$/m.exec(body)?.[1] ?? id;
	body = body.replace(/^\s*#\s+.*\n/, '');
	const level = /\d/.exec(fields.get('level') ?? '')?.[0];
	return {
		id, title, blocks: blocksOf(body),
		base: {
			...(fields.get('example') && { example: fields.get('example')! }), ...(fields.get('target') && { target: fields.get('target')! }),
			...(level !== undefined && { level: Number(level) }),
		},
	};
}

const tabNames: Readonly<Record<string, string>> = { path: 'value', compare: 'ab', mir: 'text' };

function knobValue(text: string): KnobValue {
	return text === 'true' ? true : text === 'false' ? false : /^-?\d+$/.test(text) ? Number(text) : text;
}

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
	return {
		...lesson.base,
		...(q.get('example') && { example: q.get('example')! }), ...(q.get('target') && { target: q.get('target')! }),
		...(level !== undefined && { level: Number(level) }), knobs,
		view: {
			...(pass && { pass }), ...(nth && { nth: Number(nth) }), ...(q.get('function') && { fn: q.get('function')! }),
			...(tab && tab !== 'run' && { tab: tabNames[tab] ?? tab }), ...(tab === 'run' && { panel: 'run' }),
			...(from ? { lines: [from, to || from] as [number, number] } : {}), ...(q.get('value') && { value: Number(q.get('value')) }),
		},
	};
}
