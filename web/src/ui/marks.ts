// Marks in a drawn text: what was executed, where it faulted, what the chosen value is called, what was found.

import type { Language } from '../lang/grammar';
import { faultPlace, heatScale, inWords, profile, profileByOrigin } from '../heat';
import type { Source } from '../store';
import { functionRange, namesIn, value } from '../value';
import { rowHeight, type Row } from './rows';

/** Marks what the last run executed, and where it faulted, by the input lines that rows come from. The PTX's own rows have exact
 * counts where PTX was executed. */
export function markExecuted(box: HTMLElement, from: Source): void {
	for (const row of box.querySelectorAll<HTMLElement>('.row:is(.faulted, .by-origin)')) {
		if (row.classList.contains('by-origin')) {
			row.style.removeProperty('--heat');
			row.removeAttribute('title');
		}
		row.classList.remove('faulted', 'by-origin');
	}
	const fault = faultPlace.peek(), exact = from === 'ptx' ? fault?.ptxLine : 0;
	if (fault)
		for (const row of box.querySelectorAll(exact ? `.row[data-no="${exact}"]` : `.row[data-o="${fault.origin || -1}"]`))
			row.classList.add('faulted');
	const counts = profileByOrigin.peek();
	if (counts.size === 0 || from === 'ptx' && profile.peek().length > 0)
		return;
	const heat = heatScale(counts.values());
	for (const row of box.querySelectorAll<HTMLElement>('.row[data-o]:not(.counted, .removed)')) {
		const count = counts.get(Number(row.dataset.o));
		if (!count)
			continue;
		row.classList.add('by-origin');
		row.style.setProperty('--heat', heat(count.executions).toFixed(3));
		row.title = `its line of the input: ${inWords(count)}`;
	}
}

/** Marks what the chosen value is called here. */
export function markValue(box: HTMLElement, rows: readonly Row[], language: Language): void {
	for (const word of box.querySelectorAll('.is-value'))
		word.classList.remove('is-value');
	const now = value.peek();
	if (!now)
		return;
	const names = namesIn(rows, language, now);
	if (names.size === 0)
		return;
	// Names mean something inside their function alone.
	const at = rows.findIndex((r) => now.param !== undefined ? r.origin === now.line || r.text.includes('_param_') && [...names].some((n) => r.text.includes(n)) : r.origin === now.line);
	const [from, to] = functionRange(rows, Math.max(at, 0), language);
	for (const row of box.querySelectorAll<HTMLElement>('.row')) {
		const i = Number(row.dataset.i);
		if (i < from || i > to)
			continue;
		for (const word of row.querySelectorAll('.t-register'))
			if (names.has(word.textContent ?? ''))
				word.classList.add('is-value');
	}
}

/** Marks rows of an origin, and folds that hide one. */
export function markOrigin(box: HTMLElement | null, rows: readonly Row[], name: string, line: number | undefined): void {
	for (const row of box?.querySelectorAll(`.row.${name}`) ?? [])
		row.classList.remove(name);
	if (!box || !line)
		return;
	for (const row of box.querySelectorAll(`.row[data-o="${line}"]`))
		row.classList.add(name);
	for (const row of box.querySelectorAll<HTMLElement>('.row.fold'))
		if (rows[Number(row.dataset.i)]?.hidden?.some((r) => r.origin === line))
			row.classList.add(name);
}

/** Where row `index` begins: drawn rows may be wrapped, and so higher than others. */
export function topOf(box: HTMLElement, index: number): { top: number; height: number } {
	const row = box.querySelector<HTMLElement>(`.row[data-i="${index}"]`);
	const height = row?.offsetHeight || box.querySelector<HTMLElement>('.row')?.offsetHeight || rowHeight;
	if (!row)
		return { top: index * height, height };
	return { top: row.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop, height };
}

/** Scrolls a text so that a row is in view. */
export function scrollToRow(box: HTMLElement, index: number): void {
	const { top, height } = topOf(box, index);
	if (top < box.scrollTop + height || top + 2 * height > box.scrollTop + box.clientHeight)
		box.scrollTo({ top: top - box.clientHeight / 3 });
}

/** Scrolls to the first row of an origin, unless one is in view already. */
export function revealOrigin(box: HTMLElement, rows: readonly Row[], line: number): void {
	let first = -1;
	for (let i = 0; i < rows.length; i++) {
		if (rows[i]!.origin !== line && !rows[i]!.hidden?.some((r) => r.origin === line))
			continue;
		const { top, height } = topOf(box, i);
		if (top >= box.scrollTop && top + height <= box.scrollTop + box.clientHeight)
			return;
		if (first < 0)
			first = top;
	}
	if (first >= 0)
		box.scrollTo({ top: first - box.clientHeight / 3 });
}

/** Paints the places at which a text was found, with the one that the user stands at apart. Browsers without highlights mark rows only. */
export function paintFound(box: HTMLElement | null, pattern: RegExp | null, current: number): void {
	for (const row of box?.querySelectorAll('.row.found-here') ?? [])
		row.classList.remove('found-here');
	if (typeof Highlight === 'undefined')
		return;
	CSS.highlights.delete('found');
	CSS.highlights.delete('found-here');
	if (!box || !pattern)
		return;
	const all: Range[] = [], here: Range[] = [];
	for (const row of box.querySelectorAll<HTMLElement>('.row:not(.fold)')) {
		const at = Number(row.dataset.i);
		row.classList.toggle('found-here', at === current);
		for (const m of (row.textContent ?? '').matchAll(pattern))
			(at === current ? here : all).push(rangeIn(row, m.index, m.index + m[0].length));
	}
	CSS.highlights.set('found', new Highlight(...all));
	CSS.highlights.set('found-here', new Highlight(...here));
}

/** The range of characters `from` to `to` of an element's text. */
function rangeIn(element: HTMLElement, from: number, to: number): Range {
	const range = document.createRange(), walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
	for (let at = 0, node = walker.nextNode(); node; node = walker.nextNode()) {
		const length = node.textContent?.length ?? 0;
		if (from >= at && from <= at + length)
			range.setStart(node, from - at);
		if (to <= at + length) {
			range.setEnd(node, to - at);
			break;
		}
		at += length;
	}
	return range;
}
