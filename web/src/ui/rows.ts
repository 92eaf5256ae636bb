// A read-only text as rows: what a row is, what of a text is noise and folded, and rows as HTML.

import { wordMarks } from '../compiler/wordMarks';
import { escapeHtml, lineHtml, type Language } from '../lang/grammar';
import { noiseAt, trailingNoise } from '../noise';

export interface Row {
	text: string;
	/** 1-based input line, 0 for none. */
	origin: number;
	/** The line number shown. */
	no: number | '';
	mark?: 'added' | 'removed' | 'filler' | 'fold';
	/** The first row of a change. */
	hunk?: boolean;
	/** The two versions of a changed line, of which this is the first or the second: what differs is emphasised. */
	pair?: { before: string; after: string; side: 0 | 1 };
	/** Of a fold: the rows that it stands for. */
	hidden?: Row[];
	/** A fold of noise: its text stays in the page. */
	noise?: boolean;
	/** Heat between 0 and 1, and what it means in words. */
	heat?: number;
	/** The part of the lanes that were active, between 0 and 1. */
	lanes?: number;
	note?: string;
	/** Stands at the right edge, and is no part of the text. */
	tail?: string;
}

/** A whole text as rows. */
export function textRows(text: string | readonly string[], lines: readonly number[] | undefined): Row[] {
	const list = typeof text === 'string' ? text.split('\n') : [...text];
	if (list.at(-1) === '')
		list.pop();
	return list.map((line, i) => ({ text: line, origin: lines?.[i] ?? 0, no: i + 1 }));
}

/** The rows with unchanged noise behind folds. */
export function foldNoise(rows: readonly Row[], language: Language): Row[] {
	const result: Row[] = [];
	const plain = rows.map((row) => row.mark ? null : row.text);
	for (let i = 0; i < rows.length;) {
		const noise = plain[i] === null ? null : noiseAt(language, plain, i);
		if (noise) {
			result.push({ text: `${noise.what} · ${noise.lines} line${noise.lines > 1 ? 's' : ''}`, origin: 0, no: '', mark: 'fold', noise: true, hidden: rows.slice(i, i + noise.lines) });
			i += noise.lines;
		} else {
			result.push(rows[i++]!);
		}
	}
	return result;
}

/** The rows with those of opened folds in their place. */
export function unfold(rows: readonly Row[], opened: ReadonlySet<Row>): Row[] {
	return opened.size === 0 ? rows as Row[] : rows.flatMap((row) => row.hidden && opened.has(row) ? row.hidden : [row]);
}

export const rowHeight = 18;
const signs = { added: '+', removed: '−', filler: '', fold: '' };
/** Of a noise fold so many lines stay in the page's text. */
const keptHidden = 300;

function rowHtml(row: Row, index: number, language: Language, noise: boolean): string {
	if (row.mark === 'fold') {
		const label = escapeHtml(`⋯ ${row.text}`);
		const text = row.noise && row.hidden!.length <= keptHidden ? `<span hidden>${escapeHtml(row.hidden!.map((r) => `${r.text}\n`).join(''))}</span>` : '';
		return `<span class="row fold" data-i="${index}" data-o="0"><button type="button" aria-label="${label}" data-label="${label}" title="Show"></button>${text}</span>`;
	}
	const names = ['row', row.mark ?? '', row.heat === undefined ? '' : 'counted'].filter(Boolean).join(' ');
	const sign = row.mark ? ` data-sign="${signs[row.mark]}"` : '';
	const heat = row.heat === undefined ? '' : ` style="--heat:${row.heat.toFixed(3)};--lanes:${(row.lanes ?? 1).toFixed(3)}" title="${escapeHtml(row.note ?? '')}"${row.tail ? ` data-tail="${escapeHtml(row.tail)}"` : ''}`;
	const cut = noise ? row.text.length : trailingNoise(language, row.text);
	const marks = row.pair && wordMarks(row.pair.before, row.pair.after)[row.pair.side];
	const rest = cut < row.text.length ? `<span class="cut" hidden>${escapeHtml(row.text.slice(cut))}</span>` : '';
	return `<span class="${names}" data-i="${index}" data-o="${row.origin}" data-no="${row.no}"${sign}${heat}>${lineHtml(language, row.text.slice(0, cut), marks)}${rest}\n</span>`;
}

/** Rows in one chunk: what of them is out of sight is neither laid out nor painted. */
const chunk = 40;

export function textHtml(rows: readonly Row[], first: number, last: number, language: Language, noise: boolean): string {
	let html = '';
	for (let from = first; from < last; from += chunk) {
		const to = Math.min(last, from + chunk);
		html += `<span class="chunk" style="--rows:${to - from}">`;
		for (let i = from; i < to; i++)
			html += rowHtml(rows[i]!, i, language, noise);
		html += '</span>';
	}
	return html;
}
