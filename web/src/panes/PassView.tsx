import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PassRun } from '@ptxscope/core';
import { goToLine } from '../actions';
import { session } from '../debugging';
import { download } from '../download';
import { languageOf } from '../lang/grammar';
import { stale } from '../freshness';
import { current, isPtx, levelOf, passInfo, shown, tab, type Tab } from '../store';
import { value } from '../value';
import { CodeView, textRows, type Row } from '../ui/CodeView';
import { lazy } from '../ui/lazy';
import { CopyButton } from '../ui/CopyButton';
import { Tabs } from '../ui/Tabs';
import { diffRows } from './diffRows';
import { registers } from './PassList';

const CfgView = lazy(() => import('./CfgView').then((m) => m.CfgView));
const PressureView = lazy(() => import('./PressureView').then((m) => m.PressureView));
const DebugPanel = lazy(() => import('./DebugPanel').then((m) => m.DebugPanel));
const CallsView = lazy(() => import('./CallsView').then((m) => m.CallsView));
const ValueView = lazy(() => import('./ValueView').then((m) => m.ValueView));
const CompareView = lazy(() => import('./CompareView').then((m) => m.CompareView));

const pick = (row: Row) => goToLine(row.origin);

const textOf = (index: number) => {
	const { trace } = shown.value!;
	const text = trace.passes[index]!.text;
	return text === null ? '' : trace.texts[text] ?? '';
};

const wholes = new WeakMap<PassRun, Row[]>();

/** The whole text after a run as rows, once. */
function rowsOf(run: PassRun): Row[] {
	let rows = wholes.get(run);
	if (!rows)
		wholes.set(run, rows = textRows(shown.value!.trace.texts[run.text ?? -1] ?? '', run.lines));
	return rows;
}

/** The code before and after one lowering, side by side; lines of common origin light up together. */
function Crossing({ before, after }: { before: number; after: number }) {
	const { passes } = shown.value!.trace;
	const side = (index: number, from: 'list' | 'view', label: string) => {
		const run = passes[index]!, text = textOf(index);
		return <CodeView rows={rowsOf(run)} language={languageOf(levelOf(run), text)} from={from} label={label} onPick={pick} />;
	};
	return <div class="side-by-side">{side(before, 'list', 'Before the pass')}{side(after, 'view', 'After the pass')}</div>;
}

function Diff({ index }: { index: number }) {
	const { trace, changes } = shown.value!;
	const run = trace.passes[index]!, change = changes[index];
	const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
	useEffect(() => setOpened(new Set<number>()), [index, trace]);
	const view = useMemo(() => change && !change.crossing ? diffRows(trace, index, change, opened) : null, [trace, index, change, opened]);
	const text = textOf(index), language = languageOf(levelOf(run), text);
	const box = useRef<HTMLDivElement>(null);
	const subject = `${run.function}/${language}`;

	const jump = (step: 1 | -1) => {
		const code = box.current?.querySelector('.code');
		if (!code || !view)
			return;
		const height = code.querySelector<HTMLElement>('.row')?.offsetHeight ?? 18, margin = 2;
		const at = Math.round(code.scrollTop / height) + margin;
		const next = step > 0 ? view.hunks.find((h) => h > at) : view.hunks.findLast((h) => h < at);
		if (next !== undefined)
			code.scrollTo({ top: (next - margin) * height });
	};
	useEffect(() => {
		const listen = (e: Event) => jump((e as CustomEvent<1 | -1>).detail);
		addEventListener('ptxscope:hunk', listen);
		return () => removeEventListener('ptxscope:hunk', listen);
	});

	if (run.text === null)
		return <p class="empty">This text was left out because the compilation is very large.</p>;
	if (change?.crossing)
		return <Crossing before={change.before} after={index} />;
	if (!view)
		return <CodeView rows={rowsOf(run)} language={language} from="view" label={`Text after ${run.id}`} subject={subject} onPick={pick} />;
	return (
		<div class="diff" ref={box}>
			<CodeView
				rows={view.rows} language={language} from="view" label={`What ${run.id} changed`} subject={subject} onPick={pick}
				onFold={(row) => setOpened(new Set([...opened, view.folds.get(row)!]))}
			/>
			{view.hunks.length > 1 && (
				<div class="hunks">
					<span>{view.hunks.length} changes</span>
					<button type="button" title="Previous change: [" aria-label="Previous change" onClick={() => jump(-1)}>↑</button>
					<button type="button" title="Next change: ]" aria-label="Next change" onClick={() => jump(1)}>↓</button>
				</div>
			)}
		</div>
	);
}

function FullText({ index }: { index: number }) {
	const run = shown.value!.trace.passes[index]!, text = textOf(index);
	return <CodeView rows={rowsOf(run)} language={languageOf(levelOf(run), text)} from="view" label={`Text after ${run.id}`} subject={run.function} onPick={pick} />;
}

const arrow = (from: number | null | undefined, to: number) => from !== null && from !== undefined && from !== to ? `${from} → ${to}` : `${to}`;

function Heading({ index }: { index: number }) {
	const { trace, changes } = shown.value!;
	const run = trace.passes[index]!, info = passInfo.value.get(run.id), change = changes[index];
	const before = change && !change.crossing ? trace.passes[change.before] : undefined;
	const regs = registers(run.pressure);
	const facts = [
		run.changed || run.id === 'input' ? '' : 'nothing changed',
		run.insts ? `${arrow(before?.insts, run.insts)} instructions` : '',
		regs === null ? '' : `${arrow(registers(before?.pressure), regs)} registers`,
	];
	return (
		<p class="pass-heading">
			<strong>{info?.title ?? (run.id === 'input' ? 'The input, as it was read' : run.id)}</strong>
			{run.function && <code>{run.function}</code>}
			<span class="quiet">{facts.filter(Boolean).join(' · ')}</span>
			{info?.summary && info.summary !== info.title && <span class="summary">{info.summary}</span>}
		</p>
	);
}

/** What can be taken away of the run on screen. */
function Tools({ index }: { index: number }) {
	const { trace } = shown.value!;
	const run = trace.passes[index]!;
	const name = () => `${run.function || 'module'}.${run.id}.${languageOf(levelOf(run), textOf(index)) === 'llvm' ? 'll' : 'mir'}`;
	return (
		<span class="tools">
			<CopyButton text={() => textOf(index)} what="text after this pass" />
			<button type="button" title="Download the text after this pass" onClick={() => download(name(), textOf(index))}>Save</button>
			<button type="button" class="save-all" title="Download the record of the whole compilation as JSON" onClick={() => download('trace.json', JSON.stringify(trace), 'application/json')}>Save all</button>
		</span>
	);
}

const tabs: ReadonlyArray<{ id: Tab; title: string }> = [
	{ id: 'diff', title: 'Diff' }, { id: 'text', title: 'Text' }, { id: 'cfg', title: 'CFG' },
	{ id: 'value', title: 'Value' }, { id: 'calls', title: 'Calls' }, { id: 'pressure', title: 'Pressure' }, { id: 'ab', title: 'A/B' },
];

function Content({ index }: { index: number }) {
	if (tab.value === 'step')
		return session.value ? <DebugPanel /> : null;
	if (isPtx.value && !['cfg', 'text', 'pressure'].includes(tab.value))
		return <p class="empty">This source is PTX already: no pass changes it, so there is nothing to compare. Text, CFG and Pressure show it, and Run executes it.</p>;
	if (tab.value === 'ab')
		return <CompareView />;
	if (!shown.value || index < 0)
		return <p class="empty">Choose a pass to see what it did.</p>;
	if (tab.value === 'pressure')
		return <PressureView />;
	if (tab.value === 'value')
		return <ValueView />;
	const View = tab.value === 'cfg' ? CfgView : tab.value === 'calls' ? CallsView : tab.value === 'text' ? FullText : Diff;
	return <><Heading index={index} /><View index={index} /></>;
}

export function PassView() {
	const index = current.value, of = value.value;
	const shownTabs = [...(session.value ? [{ id: 'step' as const, title: 'Stepping' }] : []), ...tabs.map((t) => t.id === 'value' && of ? { ...t, title: <>Value <code>{of.name}</code></> } : t)];
	return (
		<section class={`pane view${stale.value ? ' stale' : ''}`} aria-label="Selected pass">
			<header>
				<Tabs label="Views of the pass" value={tab.value} tabs={shownTabs} controls="pass-view" onSelect={(id) => { tab.value = id; }} />
				{shown.value && index >= 0 && tab.value !== 'step' && <Tools index={index} />}
			</header>
			<div class="body" id="pass-view" role="tabpanel" aria-labelledby={`tab-pass-view-${tab.value}`} data-testid="pass-diff">
				<Content index={index} />
			</div>
		</section>
	);
}
