// A change in two columns: what was and what is.

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Language } from '../lang/grammar';
import { noise } from '../reading';
import { searchPattern } from '../search';
import { CodeView } from '../ui/CodeView';
import { foldNoise, unfold, type Row } from '../ui/rows';
import { twoColumns } from './diffRows';

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
	const column = (side: 0 | 1) => (
		<CodeView
			rows={sides[side]} language={language} from={side ? 'view' : 'list'} label={`${label}: ${side ? 'after' : 'before'}`} subject={subject}
			searched={searchPattern.value} onUnfold={(row) => setOpened(new Set([...opened, row]))}
		/>
	);
	return <div class="side-by-side" ref={box}>{column(0)}{column(1)}</div>;
}
