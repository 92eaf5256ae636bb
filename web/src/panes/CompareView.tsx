// Two configurations side by side: pipelines aligned by pass, the first difference marked, both PTX texts diffed.

import { signal } from '@preact/signals';
import { diffArrays } from 'diff/lib/diff/array.js';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PassRun } from '@ptxscope/core';
import { compileBaseline, followSource, pinBaseline, swapBaseline } from '../actions';
import { namesAcross } from '../compiler/diff';
import { comparable } from '../compiler/names';
import type { Compiled } from '../compiler/protocol';
import { split } from '../reading';
import { baseline, config, input, levelOf, runsInScope, shown, sourceTitle, type Config } from '../store';
import { CodeView } from '../ui/CodeView';
import { ReadingTools } from '../ui/PaneTools';
import { changeRows } from './compareRows';
import { sideOf } from './diffRows';
import { registers } from '../instructions';
import { TwoColumns } from './TwoColumns';

const words = ({ target, level, knobs }: Config) =>
	[target, `-O${level}`, ...Object.entries(knobs).map(([k, v]) => `${k}=${v}`)].join(' ');

interface Pair {
	a: number | undefined;
	b: number | undefined;
	differs: boolean;
}

/** The two pipelines by pass and function, in order. */
function align(a: PassRun[], b: PassRun[], textsA: string[], textsB: string[]): Pair[] {
	const key = (r: PassRun) => `${r.id}/${r.function}`;
	const pairs: Pair[] = [];
	let i = 0, j = 0;
	for (const part of diffArrays(a.map(key), b.map(key)))
		for (let n = 0; n < part.value.length; n++) {
			if (part.removed)
				pairs.push({ a: i++, b: undefined, differs: a[i - 1]!.changed });
			else if (part.added)
				pairs.push({ a: undefined, b: j++, differs: b[j - 1]!.changed });
			else {
				const ta = a[i]!.text, tb = b[j]!.text;
				pairs.push({ a: i++, b: j++, differs: (ta === null ? '' : textsA[ta]) !== (tb === null ? '' : textsB[tb]) });
			}
		}
	return pairs;
}

function Cell({ run }: { run: PassRun | undefined }) {
	if (!run)
		return <td colSpan={2} class="quiet">not run</td>;
	return <><td class="number">{run.insts || ''}</td><td class="number">{registers(run.pressure) ?? ''}</td></>;
}

const showEqual = signal(false);

const codeOf = (run: PassRun) => levelOf(run) === 'ir' ? 'llvm' : 'mir';

/** What A and B make of one pass, or of everything: their texts, as a change from A to B. */
function PairDiff({ base, mine, pairs, pair, origins }: { base: Compiled; mine: Compiled; pairs: readonly Pair[]; pair: Pair | null; origins: boolean }) {
	const fn = pair && (mine.trace.passes[pair.b ?? -1] ?? base.trace.passes[pair.a ?? -1])!.function;
	// A value has one name, whichever pass is looked at.
	const names = useMemo(() => namesAcross(fn === null ? [] : pairs.flatMap(({ a = -1, b = -1 }) => {
		const runs = [base.trace.passes[a], mine.trace.passes[b]];
		return runs.every((r) => r?.function === fn && r.text !== null) ? [{ code: codeOf(runs[1]!), a: sideOf(base, a), b: sideOf(mine, b) }] : [];
	}), origins), [base, mine, pairs, fn, origins]);
	const rows = useMemo(() => {
		const side = (result: Compiled, index: number | undefined) => index === undefined ? comparable('') : sideOf(result, index);
		const run = pair && (mine.trace.passes[pair.b ?? -1] ?? base.trace.passes[pair.a ?? -1]);
		const code = run ? codeOf(run) : 'ptx';
		return { code, rows: pair ? changeRows(code, side(base, pair.a), side(mine, pair.b), origins, names.get(code))
			: changeRows('ptx', comparable(base.trace.ptx, base.trace.ptxLines), comparable(mine.trace.ptx, mine.trace.ptxLines), origins) } as const;
	}, [base, mine, pair, names, origins]);
	const title = !pair ? 'PTX of A and B' : `${(mine.trace.passes[pair.b ?? -1] ?? base.trace.passes[pair.a ?? -1])!.id}: A and B`;
	return (
		<>
			<p class="compare-title"><strong>{title}</strong> <span class="quiet">{rows.rows.some((r) => r.hunk) ? 'registers and values of B under the names of A' : 'the same, names aside'}</span><span class="gap" /><ReadingTools columns /></p>
			{split.value ? <TwoColumns rows={rows.rows} language={rows.code} label={title} subject={title} /> : <CodeView rows={rows.rows} language={rows.code} from="view" label={title} subject={title} />}
		</>
	);
}

export function CompareView() {
	const base = baseline.value, mine = shown.value;
	const pairs = useMemo(
		() => base?.result && mine ? align(base.result.trace.passes, mine.trace.passes, base.result.trace.texts, mine.trace.texts) : [],
		[base?.result, mine],
	);
	const [chosen, choose] = useState<Pair | null>(null);
	useEffect(() => choose(null), [base?.result, mine]);
	if (!base)
		return (
			<div class="empty">
				<p>Compare two configurations, or two sources: keep what is on screen as A, then change knobs, level, target or source.</p>
				<button type="button" onClick={pinBaseline}>Keep this as A</button>
			</div>
		);
	if (!base.result || !mine || base.source !== (base.own?.source ?? input.value))
		return <p class="empty">Compiling A… <button type="button" class="link" onClick={() => void compileBaseline()}>again</button></p>;
	const inScope = new Set(runsInScope.value);
	const all = pairs.filter((p) => p.b === undefined || inScope.has(p.b));
	const rows = showEqual.value ? all : all.filter((p) => p.differs), first = all.find((p) => p.differs);
	const same = base.result.trace.ptx === mine.trace.ptx;
	const sources = base.own !== null && base.own.source !== input.value;
	const idOf = (p: Pair) => (mine.trace.passes[p.b ?? -1] ?? base.result!.trace.passes[p.a ?? -1])!;
	return (
		<div class="compare">
			<div class="sides">
				<span><b>A</b> {sources && <em>{base.own!.title || 'a source'}</em>} <code>{words(base.config)}</code></span>
				<span><b>B</b> {sources && <em>{sourceTitle.value}</em>} <code>{words(config.value)}</code></span>
				<button type="button" onClick={swapBaseline}>Swap</button>
				<button type="button" onClick={() => { baseline.value = null; }}>End</button>
				<label class="check" title="Compare configurations alone: A is compiled from whatever source is on screen"><input type="checkbox" checked={!base.own} onChange={(e) => followSource(e.currentTarget.checked)} /> same source for both</label>
			</div>
			<p class="verdict">{same ? 'Both give the same PTX.' : 'The PTX differs.'}{' '}
				{!first ? 'No pass differs.' : <>First difference: <button type="button" class="link" data-testid="first-difference" onClick={() => choose(first)}>{idOf(first).id}{idOf(first).function && ` of ${idOf(first).function}`}</button>.</>}
				{' '}<label class="check"><input type="checkbox" checked={showEqual.value} onChange={(e) => { showEqual.value = e.currentTarget.checked; }} /> equal passes, too</label></p>
			<div class="compare-list" tabIndex={0} role="region" aria-label="Passes of A and B">
				<table>
					<thead><tr><th scope="col">pass</th><th scope="col" colSpan={2}>A: instructions, registers</th><th scope="col" colSpan={2}>B: instructions, registers</th></tr></thead>
					<tbody>
						{rows.map((p, k) => {
							const a = p.a === undefined ? undefined : base.result!.trace.passes[p.a], b = p.b === undefined ? undefined : mine.trace.passes[p.b];
							return (
								<tr key={k} class={`${p.differs ? 'differs' : ''}${p === first ? ' first' : ''}`} aria-current={p === chosen || undefined}>
									<th scope="row">
										<button type="button" class="link" title="What A and B have after this pass" onClick={() => choose(p)}>{idOf(p).id}</button>
										{p.differs && <span class="offscreen"> differs</span>}
									</th>
									<Cell run={a} /><Cell run={b} />
								</tr>
							);
						})}
						{(!same || chosen) && <tr aria-current={!chosen || undefined}><th scope="row"><button type="button" class="link" onClick={() => choose(null)}>PTX</button></th><td colSpan={4} /></tr>}
					</tbody>
				</table>
			</div>
			{(!same || chosen) && <PairDiff base={base.result} mine={mine} pairs={pairs} pair={chosen} origins={!sources} />}
		</div>
	);
}
