// Read-only text in one of the three formats: line numbers, diff marks, folds, and lines lit by their common origin. Rows are
// built as HTML in one go, which is what makes switching passes immediate; of long texts only what is seen is drawn.

import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { explain, explained } from '../explain';
import { wordMarks } from '../compiler/diff';
import { escapeHtml, lineHtml, type Language } from '../lang/grammar';
import { faultPlace, inWords, profile, profileByOrigin } from '../heat';
import { hot, spot, type Source } from '../store';
import { functionRange, namesIn, value, valueBehind } from '../value';

export interface Row {
	text: string;
	/** 1-based input line, 0 for none. */
	origin: number;
	/** The line number shown. */
	no: number | '';
	mark?: 'added' | 'removed' | 'renumbered' | 'fold';
	/** The two versions of a changed line, of which this is the first or the second: what differs is emphasised. */
	pair?: { before: string; after: string; side: 0 | 1 };
	/** Heat between 0 and 1, and what it means in words. */
	heat?: number;
	/** The part of the lanes that were active, between 0 and 1. */
	lanes?: number;
	note?: string;
}

interface Props {
	rows: Row[];
	language: Language;
	from: Source;
	label: string;
	testid?: string;
	/** Up to so many rows the whole text comes into the page, for searching and selecting; past that only what is seen. */
	whole?: number;
	/** The scroll position is kept while this stays the same. */
	subject?: string;
	/** What a debugger shows beside the lines; a click on a line's number sets and takes away a stop. */
	stops?: { at: ReadonlySet<number>; standing: ReadonlyMap<number, number>; current: number; toggle: (line: number) => void };
	onFold?: (row: number) => void;
	onPick?: (row: Row) => void;
}

const rowHeight = 18;
/** Up to so many rows a text is drawn whole at once. */
const atOnce = 120;
/** Of the line numbers, in pixels: there a click is for the debugger. */
const gutterWidth = 46;
const signs = { added: '+', removed: '−', renumbered: ' ', fold: ' ' };

function rowHtml(row: Row, index: number, language: Language): string {
	if (row.mark === 'fold')
		return `<span class="row fold" data-i="${index}"><button type="button">${escapeHtml(row.text)}</button></span>`;
	const names = ['row', row.mark ?? '', row.heat === undefined ? '' : 'counted'].filter(Boolean).join(' ');
	const sign = row.mark ? ` data-sign="${signs[row.mark]}"` : '';
	const heat = row.heat === undefined ? '' : ` style="--heat:${row.heat.toFixed(3)};--lanes:${(row.lanes ?? 1).toFixed(3)}" title="${escapeHtml(row.note ?? '')}"`;
	return `<span class="${names}" data-i="${index}" data-o="${row.origin}" data-no="${row.no}"${sign}${heat}>${lineHtml(language, row.text, row.pair && wordMarks(row.pair.before, row.pair.after)[row.pair.side])}\n</span>`;
}

/** Rows in one chunk: what of them is out of sight is neither laid out nor painted. */
const chunk = 40;

function textHtml(rows: readonly Row[], first: number, last: number, language: Language): string {
	let html = '';
	for (let from = first; from < last; from += chunk) {
		const to = Math.min(last, from + chunk);
		html += `<span class="chunk" style="--rows:${to - from}">`;
		for (let i = from; i < to; i++)
			html += rowHtml(rows[i]!, i, language);
		html += '</span>';
	}
	return html;
}

export function CodeView({ rows, language, from, label, testid, whole = 1500, subject, stops, onFold, onPick }: Props) {
	const box = useRef<HTMLDivElement>(null);
	const [top, setTop] = useState(0);
	// What is in sight comes at once, the rest of the text when the page is at rest.
	const [rested, setRested] = useState<Row[]>();
	const windowed = rows.length > atOnce && (rested !== rows || rows.length > whole);
	const [first, last] = windowed ? [Math.max(0, top - 20), Math.min(rows.length, top + Math.ceil((box.current?.clientHeight ?? 600) / rowHeight) + 40)] : [0, rows.length];
	useEffect(() => {
		if (rows.length <= atOnce || rows.length > whole)
			return;
		const timer = setTimeout(() => setRested(rows), 700);
		return () => clearTimeout(timer);
	}, [rows, whole]);
	const html = useMemo(() => textHtml(rows, first, last, language), [rows, language, first, last]);
	const marked = useMemo(() => rows.some((row) => row.mark), [rows]);

	const seen = useRef(subject);
	useEffect(() => {
		if (seen.current !== subject)
			box.current?.scrollTo({ top: 0 });
		seen.current = subject;
	}, [subject]);

	const rowsNow = useRef(rows);
	rowsNow.current = rows;
	const light = () => {
		const el = box.current, line = hot.peek()?.line;
		for (const row of el?.querySelectorAll('.row.hot') ?? [])
			row.classList.remove('hot');
		if (line)
			for (const row of el?.querySelectorAll(`.row[data-o="${line}"]`) ?? [])
				row.classList.add('hot');
	};

	const point = () => {
		const el = box.current, lines = spot.peek();
		for (const row of el?.querySelectorAll('.row.spot') ?? [])
			row.classList.remove('spot');
		if (!el || !lines)
			return;
		for (const row of el.querySelectorAll<HTMLElement>('.row')) {
			const origin = Number(row.dataset.o);
			if (origin >= lines[0] && origin <= lines[1])
				row.classList.add('spot');
		}
	};
	useSignalEffect(() => {
		const lines = spot.value;
		point();
		if (lines && box.current)
			reveal(box.current, rowsNow.current, lines[0]);
	});
	useEffect(point, [html]);

	const mark = () => box.current && markValue(box.current, rowsNow.current, language);
	useSignalEffect(() => {
		void value.value;
		mark();
	});
	useEffect(() => void mark(), [html]);
	useSignalEffect(() => {
		const now = hot.value;
		light();
		if (!box.current || !now || now.from === from)
			return;
		const frame = requestAnimationFrame(() => box.current && reveal(box.current, rowsNow.current, now.line));
		return () => cancelAnimationFrame(frame);
	});
	useEffect(light, [html]);

	const executed = () => box.current && markExecuted(box.current, from);
	useSignalEffect(() => {
		void faultPlace.value, profileByOrigin.value;
		executed();
	});
	useEffect(() => void executed(), [html]);

	const drawStops = () => {
		const el = box.current;
		for (const row of el?.querySelectorAll('.row:is(.stop, .standing, .current)') ?? [])
			row.classList.remove('stop', 'standing', 'current');
		if (!el || !stops)
			return;
		const mark = (line: number, name: string) => el.querySelector(`.row[data-no="${line}"]`)?.classList.add(name);
		for (const line of stops.at)
			mark(line, 'stop');
		for (const line of stops.standing.keys())
			mark(line, 'standing');
		mark(stops.current, 'current');
	};
	useLayoutEffect(drawStops, [html, stops?.at, stops?.standing, stops?.current]);
	const current = stops?.current ?? 0;
	useEffect(() => {
		const el = box.current;
		if (!el || current === 0)
			return;
		const height = el.querySelector<HTMLElement>('.row')?.offsetHeight || rowHeight, y = (current - 1) * height;
		if (y < el.scrollTop + height || y + 2 * height > el.scrollTop + el.clientHeight)
			el.scrollTo({ top: y - el.clientHeight / 3 });
	}, [current]);

	const indexOf = (target: EventTarget | null) => {
		const el = (target as Element | null)?.closest<HTMLElement>('.row');
		return el ? Number(el.dataset.i) : -1;
	};

	return (
		<div
			ref={box} class={`code${marked ? ' has-marks' : ''}${stops ? ' has-stops' : ''}`} tabIndex={0} role="region" aria-label={label} data-testid={testid}
			onScroll={rows.length > atOnce ? (e) => setTop(Math.floor(e.currentTarget.scrollTop / rowHeight / 20) * 20) : undefined}
			onMouseOver={(e) => {
				const row = rows[indexOf(e.target)];
				if (row && hot.peek()?.line !== row.origin)
					hot.value = row.origin ? { line: row.origin, from } : null;
				explainSoon(e.target as Element, language);
			}}
			onMouseLeave={() => {
				hot.value = null;
				explainSoon(null, language);
			}}
			onClick={(e) => {
				const index = indexOf(e.target), row = rows[index], word = e.target as Element;
				const left = box.current!.getBoundingClientRect().left;
				if (row && stops && row.no !== '' && e.clientX - left < gutterWidth)
					stops.toggle(row.no);
				else if (row && word.matches('.t-register'))
					value.value = valueBehind(rows, index, language, word.textContent ?? '');
				else if (row?.mark === 'fold')
					onFold?.(index);
				else if (row && getSelection()?.isCollapsed !== false)
					onPick?.(row);
			}}
		>
			<div style={{ minHeight: `${rows.length * rowHeight}px` }}>
				<pre style={first > 0 ? { transform: `translateY(${first * rowHeight}px)` } : undefined} dangerouslySetInnerHTML={{ __html: html }} />
			</div>
		</div>
	);
}

/** Marks what the last run executed, and where it faulted, by the input lines that rows come from. The PTX's own rows have exact
 * counts where PTX was executed. */
function markExecuted(box: HTMLElement, from: Source): void {
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
	const most = Math.max(1, ...[...counts.values()].map((p) => p.executions));
	for (const row of box.querySelectorAll<HTMLElement>('.row[data-o]:not(.counted, .removed)')) {
		const count = counts.get(Number(row.dataset.o));
		if (!count)
			continue;
		row.classList.add('by-origin');
		row.style.setProperty('--heat', (count.executions / most).toFixed(3));
		row.title = `its line of the input: ${inWords(count)}`;
	}
}

/** Marks what the chosen value is called here. */
function markValue(box: HTMLElement, rows: readonly Row[], language: Language): void {
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

let explainTimer: ReturnType<typeof setTimeout> | undefined;

/** Explains an opcode that the pointer rests on. */
function explainSoon(target: Element | null, language: Language): void {
	clearTimeout(explainTimer);
	explained.value = null;
	if (!target?.matches('.t-opcode, .t-special, .t-global'))
		return;
	explainTimer = setTimeout(() => {
		const found = explain(language, target.textContent ?? '');
		const { left, bottom } = target.getBoundingClientRect();
		if (found && target.isConnected)
			explained.value = { ...found, x: left, y: bottom + 4 };
	}, 350);
}

/** Scrolls to the first row of an origin, unless one is in view already. */
function reveal(box: HTMLElement, rows: readonly Row[], line: number): void {
	const height = box.querySelector<HTMLElement>('.row')?.offsetHeight || rowHeight;
	let first = -1;
	for (let i = 0; i < rows.length; i++) {
		if (rows[i]!.origin !== line)
			continue;
		const y = i * height;
		if (y >= box.scrollTop && y + height <= box.scrollTop + box.clientHeight)
			return;
		if (first < 0)
			first = y;
	}
	if (first >= 0)
		box.scrollTo({ top: first - box.clientHeight / 3 });
}

/** A whole text as rows. */
export function textRows(text: string, lines: readonly number[] | undefined): Row[] {
	const list = text.split('\n');
	if (list.at(-1) === '')
		list.pop();
	return list.map((line, i) => ({ text: line, origin: lines?.[i] ?? 0, no: i + 1 }));
}
