// Two configurations side by side: pipelines aligned by pass, the first difference marked, both PTX texts diffed.

import { diffArrays } from 'diff';
import { useMemo } from 'preact/hooks';
import type { PassRun } from '@ptxscope/core';
import { compileBaseline, pinBaseline, selectRun, swapBaseline } from '../actions';
import { baseline, config, runsInScope, shown, shownSource, type Config } from '../store';
import { CodeView } from '../ui/CodeView';
import { comparable } from '../compiler/diff';
import { changeRows } from './diffRows';
import { registers } from '../instructions';

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

export function CompareView() {
	const base = baseline.value, mine = shown.value;
	const pairs = useMemo(
		() => base?.result && mine ? align(base.result.trace.passes, mine.trace.passes, base.result.trace.texts, mine.trace.texts) : [],
		[base?.result, mine],
	);
	const ptx = useMemo(() => base?.result && mine
		? changeRows('ptx', comparable(base.result.trace.ptx, base.result.trace.ptxLines), comparable(mine.trace.ptx, mine.trace.ptxLines), true) : [], [base?.result, mine]);
	if (!base)
		return (
			<div class="empty">
				<p>Compare two configurations: keep the present one as A, then change knobs, level or target.</p>
				<button type="button" onClick={pinBaseline}>Keep this as A</button>
			</div>
		);
	if (!base.result || !mine || base.source !== shownSource.value)
		return <p class="empty">Compiling A… <button type="button" class="link" onClick={() => void compileBaseline()}>again</button></p>;
	const inScope = new Set(runsInScope.value);
	const rows = pairs.filter((p) => p.b === undefined || inScope.has(p.b));
	const first = rows.findIndex((p) => p.differs);
	const same = base.result.trace.ptx === mine.trace.ptx;
	return (
		<div class="compare">
			<div class="sides">
				<span><b>A</b> <code>{words(base.config)}</code></span>
				<span><b>B</b> <code>{words(config.value)}</code></span>
				<button type="button" onClick={swapBaseline}>Swap</button>
				<button type="button" onClick={() => { baseline.value = null; }}>End</button>
			</div>
			<p class="verdict">{same ? 'Both give the same PTX.' : 'The PTX differs.'}{' '}
				{first < 0 ? 'No pass differs.' : <>First difference: <strong>{(mine.trace.passes[rows[first]!.b ?? -1] ?? base.result.trace.passes[rows[first]!.a ?? -1])?.id}</strong>.</>}</p>
			<div class="compare-list" tabIndex={0} role="region" aria-label="Passes of A and B">
				<table>
					<thead><tr><th scope="col">pass</th><th scope="col" colSpan={2}>A: instructions, registers</th><th scope="col" colSpan={2}>B: instructions, registers</th></tr></thead>
					<tbody>
						{rows.map((p, k) => {
							const a = p.a === undefined ? undefined : base.result!.trace.passes[p.a], b = p.b === undefined ? undefined : mine.trace.passes[p.b];
							return (
								<tr key={k} class={`${p.differs ? 'differs' : ''}${k === first ? ' first' : ''}`}>
									<th scope="row">
										{p.b === undefined ? a!.id : <button type="button" class="link" onClick={() => selectRun(p.b!)}>{b!.id}</button>}
										{p.differs && <span class="offscreen"> differs</span>}
									</th>
									<Cell run={a} /><Cell run={b} />
								</tr>
							);
						})}
					</tbody>
				</table>
			</div>
			{!same && <CodeView rows={ptx} language="ptx" from="view" label="PTX of A and B" />}
		</div>
	);
}
