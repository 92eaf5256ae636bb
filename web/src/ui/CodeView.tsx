// Read-only text in one of the formats: line numbers, diff marks, folds, and lines lit by their common origin. Rows are built as HTML
// in one go, which is what makes switching passes immediate; of long texts only what is seen is drawn.

import { useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { reveal } from '../actions';
import { explained } from '../explained';
import { type Language } from '../lang/grammar';
import { faultPlace, profileByOrigin } from '../heat';
import { noise, wrap } from '../reading';
import { anywhere } from '../searching';
import { hot, picked, spot, type Source } from '../store';
import { value, valueBehind } from '../value';
import { FindBar } from './FindBar';
import { markExecuted, markOrigin, markValue, paintFound, revealOrigin, scrollToRow, topOf } from './marks';
import { foldNoise, rowHeight, textHtml, unfold, type Row } from './rows';

export { textRows, type Row } from './rows';

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
	/** What a search over all texts looks for is lit here, too. */
	searched?: RegExp | null;
	/** The rows are folded already, and whoever gives them opens folds. */
	onUnfold?: (fold: Row) => void;
}

/** Up to so many rows a text is drawn whole at once. */
const atOnce = 120;
/** Of the line numbers, in pixels: there a click is for the debugger. */
const gutterWidth = 46;

export function CodeView({ rows, language, from, label, testid, whole = 1500, subject, stops, searched = null, onUnfold }: Props) {
	const box = useRef<HTMLDivElement>(null);
	const [top, setTop] = useState(0);
	const [opened, setOpened] = useState<ReadonlySet<Row>>(new Set());
	const all = noise.value;
	const folded = useMemo(() => all || onUnfold ? rows : foldNoise(rows, language), [rows, language, all, !onUnfold]);
	const drawn = useMemo(() => unfold(folded, opened), [folded, opened]);
	useEffect(() => setOpened(new Set<Row>()), [rows]);
	const open = onUnfold ?? ((fold: Row) => setOpened(new Set([...opened, fold])));

	const wrapped = wrap.value && drawn.length <= whole;
	// What is in sight comes at once, the rest of the text when the page is at rest.
	const [rested, setRested] = useState<Row[]>();
	const windowed = !wrapped && drawn.length > atOnce && (rested !== drawn || drawn.length > whole);
	const [first, last] = windowed ? [Math.max(0, top - 20), Math.min(drawn.length, top + Math.ceil((box.current?.clientHeight ?? 600) / rowHeight) + 40)] : [0, drawn.length];
	useEffect(() => {
		if (drawn.length <= atOnce || drawn.length > whole)
			return;
		const timer = setTimeout(() => setRested(drawn), 700);
		return () => clearTimeout(timer);
	}, [drawn, whole]);
	const html = useMemo(() => textHtml(drawn, first, last, language, all), [drawn, language, first, last, all]);
	const marked = useMemo(() => rows.some((row) => row.mark && row.mark !== 'fold'), [rows]);

	const seen = useRef(subject);
	useEffect(() => {
		if (seen.current !== subject)
			box.current?.scrollTo({ top: 0 });
		seen.current = subject;
	}, [subject]);

	const rowsNow = useRef(drawn);
	rowsNow.current = drawn;
	/** What was to be brought into view while there was no text yet. */
	const awaited = useRef(0);
	const bring = (line: number) => {
		awaited.current = rowsNow.current.length === 0 ? line : 0;
		if (box.current && awaited.current === 0)
			revealOrigin(box.current, rowsNow.current, line);
	};
	useEffect(() => {
		if (awaited.current > 0)
			bring(awaited.current);
	}, [drawn]);
	const follow = (line: number | undefined, of: Source | undefined) => {
		if (!box.current || !line || of === from)
			return;
		const frame = requestAnimationFrame(() => bring(line));
		return () => cancelAnimationFrame(frame);
	};
	const light = () => {
		markOrigin(box.current, rowsNow.current, 'hot', hot.peek()?.line);
		markOrigin(box.current, rowsNow.current, 'picked', picked.peek()?.line);
	};
	useSignalEffect(() => {
		const now = hot.value;
		light();
		return follow(now?.line, now?.from);
	});
	useSignalEffect(() => {
		const now = picked.value;
		light();
		return follow(now?.line, now?.from);
	});
	useEffect(light, [html]);

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
	/** Where the text stood when the lines of the spot were last brought into view: the text that they are in may still be coming, and
	 * another one be shown. Who has scrolled since is left alone. */
	const broughtTo = useRef(0);
	const bringSpot = (lines: readonly [number, number]) => {
		bring(lines[0]);
		broughtTo.current = box.current?.scrollTop ?? 0;
	};
	useSignalEffect(() => {
		const lines = spot.value;
		point();
		if (lines)
			bringSpot(lines);
	});
	useEffect(() => {
		const lines = spot.peek();
		point();
		if (lines && box.current?.scrollTop === broughtTo.current)
			bringSpot(lines);
	}, [html]);

	const mark = () => box.current && markValue(box.current, rowsNow.current, language);
	useSignalEffect(() => {
		void value.value;
		mark();
	});
	useEffect(() => void mark(), [html]);

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
		const at = drawn.findIndex((row) => row.no === current);
		if (box.current && current !== 0 && at >= 0)
			scrollToRow(box.current, at);
	}, [current]);

	// ── Finding ──
	const [query, setQuery] = useState<string | null>(null);
	const [hit, setHit] = useState<Row>();
	const pattern = useMemo(() => query ? anywhere(query) : searched, [query, searched]);
	const hits = useMemo(() => {
		if (query === null || !pattern)
			return [];
		const has = (row: Row) => {
			pattern.lastIndex = 0;
			return pattern.test(row.text);
		};
		return folded.flatMap((row) => row.hidden ?? [row]).filter(has);
	}, [query, pattern, folded]);
	useEffect(() => {
		const here = hit ? drawn.indexOf(hit) : -1;
		paintFound(box.current, pattern, here);
	}, [html, pattern, hit]);
	useEffect(() => () => paintFound(box.current, null, -1), []);
	const goToHit = (row: Row | undefined) => {
		setHit(row);
		const fold = row && folded.find((f) => f.hidden?.includes(row));
		if (fold && !opened.has(fold))
			open(fold);
	};
	useEffect(() => {
		const at = hit ? drawn.indexOf(hit) : -1;
		if (at >= 0 && box.current)
			scrollToRow(box.current, at);
	}, [hit, drawn]);
	useEffect(() => {
		const el = box.current;
		const listen = (e: Event) => {
			setQuery((old) => old ?? getSelection()?.toString().split('\n')[0] ?? '');
			e.preventDefault();
			e.stopPropagation();
		};
		el?.addEventListener('ptxscope:find', listen);
		return () => el?.removeEventListener('ptxscope:find', listen);
	}, []);
	// A run or a new result makes rows anew: the line that was found is found again in them.
	useEffect(() => {
		const again = hit && hits.length > 0 && !hits.includes(hit) ? hits.find((row) => row.no === hit.no && row.text === hit.text) : undefined;
		if (again)
			setHit(again);
	}, [hits]);
	const step = (by: 1 | -1) => {
		if (hits.length > 0)
			goToHit(hits[(hits.indexOf(hit!) + by + (hit || by > 0 ? 0 : 1) + hits.length) % hits.length]);
	};
	const type = (text: string) => {
		setQuery(text);
		const words = anywhere(text);
		goToHit(words ? folded.flatMap((row) => row.hidden ?? [row]).find((row) => row.text.search(words) >= 0) : undefined);
	};

	// ── Going from change to change ──
	useEffect(() => {
		const listen = (e: Event) => {
			const el = box.current, by = (e as CustomEvent<1 | -1>).detail, list = rowsNow.current;
			const changes = list.flatMap((row, i) => row.hunk ? [i] : []);
			if (!el || changes.length === 0)
				return;
			const { height } = topOf(el, changes[0]!), at = el.scrollTop + 2 * height;
			const place = (i: number) => topOf(el, i).top;
			const next = by > 0 ? changes.find((i) => place(i) > at + 1) : changes.findLast((i) => place(i) < at - 1);
			if (next !== undefined)
				el.scrollTo({ top: place(next) - 2 * height });
		};
		addEventListener('ptxscope:hunk', listen);
		return () => removeEventListener('ptxscope:hunk', listen);
	}, []);

	const indexOf = (target: EventTarget | null) => {
		const el = (target as Element | null)?.closest<HTMLElement>('.row');
		return el ? Number(el.dataset.i) : -1;
	};
	/** The row that arrow keys start from. */
	const cursor = useRef(-1);
	const pick = (index: number) => {
		const row = drawn[index];
		if (!row)
			return;
		cursor.current = index;
		if (row.mark === 'fold')
			open(row);
		else
			reveal(row.origin, from);
	};
	const keys = (e: KeyboardEvent) => {
		const by = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
		if (by === 0 || e.ctrlKey || e.altKey || e.metaKey || !box.current)
			return;
		let next = cursor.current + by;
		while (drawn[next] && !drawn[next]!.origin)
			next += by;
		if (!drawn[next])
			return;
		pick(next);
		scrollToRow(box.current, next);
		e.preventDefault();
	};

	return (
		<div class="code-frame">
			{query !== null && (
				<FindBar
					query={query} at={hits.indexOf(hit!) + 1} count={hits.length} onQuery={type} onStep={step}
					onClose={() => {
						setQuery(null);
						setHit(undefined);
						box.current?.focus();
					}}
				/>
			)}
			<div
				ref={box} class={`code${marked ? ' has-marks' : ''}${stops ? ' has-stops' : ''}${wrapped ? ' wrap' : ''}`} tabIndex={0} role="region" aria-label={label} data-testid={testid}
				onScroll={drawn.length > atOnce ? (e) => setTop(Math.floor(e.currentTarget.scrollTop / rowHeight / 20) * 20) : undefined}
				onKeyDown={keys}
				onMouseOver={(e) => {
					const row = drawn[indexOf(e.target)];
					if (row && hot.peek()?.line !== row.origin)
						hot.value = row.origin ? { line: row.origin, from } : null;
					explainSoon(e.target as Element, language);
				}}
				onMouseLeave={() => {
					hot.value = null;
					explainSoon(null, language);
				}}
				onClick={(e) => {
					const index = indexOf(e.target), row = drawn[index], word = e.target as Element;
					const left = box.current!.getBoundingClientRect().left;
					if (row && stops && row.no !== '' && e.clientX - left < gutterWidth) {
						stops.toggle(row.no);
						return;
					}
					if (row && word.matches('.t-register'))
						value.value = valueBehind(drawn, index, language, word.textContent ?? '');
					if (row && getSelection()?.isCollapsed !== false)
						pick(index);
				}}
			>
				<div style={{ minHeight: wrapped ? undefined : `${drawn.length * rowHeight}px` }}>
					<pre style={first > 0 ? { transform: `translateY(${first * rowHeight}px)` } : undefined} dangerouslySetInnerHTML={{ __html: html }} />
				</div>
			</div>
		</div>
	);
}

let explainTimer: ReturnType<typeof setTimeout> | undefined;

/** Explains an opcode that the pointer rests on. */
function explainSoon(target: Element | null, language: Language): void {
	clearTimeout(explainTimer);
	explained.value = null;
	if (!target?.matches('.t-opcode, .t-special, .t-global'))
		return;
	explainTimer = setTimeout(async () => {
		// Offline, before it was ever fetched, nothing is explained.
		const { explain } = await import('../explain').catch(() => ({ explain: () => null }));
		const found = explain(language, target.textContent ?? '', target.closest('.row')?.textContent ?? '');
		const { left, bottom } = target.getBoundingClientRect();
		if (found && target.isConnected)
			explained.value = { ...found, x: left, y: bottom + 4 };
	}, 350);
}
