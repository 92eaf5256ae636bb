// A change in two columns: what was and what is.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Language } from '../lang/grammar';
import { noise, wrap } from '../reading';
import { searchPattern } from '../search';
import { CodeView } from '../ui/CodeView';
import { foldNoise, unfold, type Row } from '../ui/rows';

/** The same in two columns of as many rows each: what was, what is; a line without a counterpart faces an empty row. */
function twoColumns(rows: readonly Row[]): [Row[], Row[]] {
	const left: Row[] = [], right: Row[] = [];
	const filler = (): Row => ({ text: '', origin: 0, no: '', mark: 'filler' });
	for (let i = 0; i < rows.length;) {
		if (rows[i]!.mark !== 'removed' && rows[i]!.mark !== 'added') {
			left.push(rows[i]!);
			right.push(rows[i++]!);
			continue;
		}
		const removed: Row[] = [], added: Row[] = [];
		while (rows[i]?.mark === 'removed')
			removed.push(rows[i++]!);
		while (rows[i]?.mark === 'added')
			added.push(rows[i++]!);
		// Pairs face each other; what has none stands where it is in its own text.
		let a = 0;
		for (const row of removed) {
			const other = row.pair ? added.findIndex((r, k) => k >= a && r.pair?.before === row.text) : -1;
			for (; other >= 0 && a < other; a++) {
				left.push(filler());
				right.push(added[a]!);
			}
			left.push(row);
			right.push(other >= 0 ? added[a++]! : filler());
		}
		for (; a < added.length; a++) {
			left.push(filler());
			right.push(added[a]!);
		}
	}
	return [left, right];
}

/** Rows that face each other get one height: where lines are wrapped, that of the longer one. */
function level(columns: readonly Element[]): void {
	const [left, right] = columns.map((column) => [...column.querySelectorAll<HTMLElement>('.row')]);
	if (!left || !right)
		return;
	for (const row of [...left, ...right])
		row.style.minHeight = '';
	const heights = left.map((row, i) => [row.offsetHeight, right[i]?.offsetHeight ?? 0] as const);
	heights.forEach(([l, r], i) => {
		if (l !== r && right[i])
			(l < r ? left[i]! : right[i]).style.minHeight = `${Math.max(l, r)}px`;
	});
}

/** Two columns of as many rows, which scroll and unfold together. */
export function TwoColumns({ rows, language, label, subject }: { rows: Row[]; language: Language; label: string; subject: string }) {
	const box = useRef<HTMLDivElement>(null);
	const [opened, setOpened] = useState<ReadonlySet<Row>>(new Set());
	useEffect(() => setOpened(new Set<Row>()), [rows]);
	const all = noise.value;
	const sides = useMemo(() => twoColumns(unfold(all ? rows : foldNoise(rows, language), opened)), [rows, language, all, opened]);
	const together = (e: Event) => {
		const from = e.target as HTMLElement;
		for (const code of box.current?.querySelectorAll('.code') ?? [])
			if (code !== from && code.scrollTop !== from.scrollTop)
				code.scrollTop = from.scrollTop;
	};
	useEffect(() => {
		box.current?.addEventListener('scroll', together, true);
		return () => box.current?.removeEventListener('scroll', together, true);
	}, []);
	const wrapped = wrap.value;
	useLayoutEffect(() => {
		const el = box.current;
		if (!wrapped || !el)
			return;
		const again = () => level([...el.querySelectorAll('.code')]);
		const watch = new ResizeObserver(again);
		again();
		watch.observe(el);
		return () => watch.disconnect();
	}, [sides, wrapped]);
	const column = (side: 0 | 1) => (
		<CodeView
			rows={sides[side]} language={language} from={side ? 'view' : 'list'} label={`${label}: ${side ? 'after' : 'before'}`} subject={subject}
			searched={searchPattern.value} onUnfold={(row) => setOpened(new Set([...opened, row]))}
		/>
	);
	return <div class="side-by-side" ref={box}>{column(0)}{column(1)}</div>;
}
