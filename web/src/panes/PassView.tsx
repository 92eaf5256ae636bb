import { useMemo } from 'preact/hooks';
import { session } from '../standing';
import { download } from '../download';
import { languageOf } from '../lang/grammar';
import { split } from '../reading';
import { stale } from '../freshness';
import { current, isPtx, levelOf, passInfo, shown, tab, type Tab } from '../store';
import { value } from '../value';
import { searchPattern } from '../search';
import { CodeView } from '../ui/CodeView';
import { CopyButton } from '../ui/CopyButton';
import { lazy } from '../ui/lazy';
import { FullButton, ReadingTools } from '../ui/PaneTools';
import { Tabs } from '../ui/Tabs';
import { registers } from '../instructions';
import { diffRows, wholeRows } from './diffRows';

const CfgView = lazy(() => import('./CfgView').then((m) => m.CfgView));
const PressureView = lazy(() => import('./PressureView').then((m) => m.PressureView));
const DebugPanel = lazy(() => import('./DebugPanel').then((m) => m.DebugPanel));
const CallsView = lazy(() => import('./CallsView').then((m) => m.CallsView));
const ValueView = lazy(() => import('./ValueView').then((m) => m.ValueView));
const TwoColumns = lazy(() => import('./TwoColumns').then((m) => m.TwoColumns));
const CompareView = lazy(() => import('./CompareView').then((m) => m.CompareView));

const textOf = (index: number) => {
	const { trace } = shown.value!;
	const text = trace.passes[index]!.text;
	return text === null ? '' : trace.texts[text] ?? '';
};

const languageAt = (index: number) => languageOf(levelOf(shown.value!.trace.passes[index]!), textOf(index));

/** The code before and after one lowering, side by side; lines of common origin light up together. */
function Crossing({ before, after }: { before: number; after: number }) {
	const side = (index: number, from: 'list' | 'view', label: string) =>
		<CodeView rows={wholeRows(shown.value!, index)} language={languageAt(index)} from={from} label={label} searched={searchPattern.value} />;
	return <div class="side-by-side">{side(before, 'list', 'Before the pass')}{side(after, 'view', 'After the pass')}</div>;
}

const hunk = (step: 1 | -1) => dispatchEvent(new CustomEvent('ptxscope:hunk', { detail: step }));

function Diff({ index }: { index: number }) {
	const result = shown.value!, { trace, changes } = result;
	const run = trace.passes[index]!, change = changes[index];
	const rows = useMemo(() => change && !change.crossing ? diffRows(result, index, change) : null, [result, index, change]);
	const language = languageAt(index), subject = `${run.function}/${language}`;

	if (run.text === null)
		return <p class="empty">This text was left out because the compilation is very large.</p>;
	if (change?.crossing)
		return <Crossing before={change.before} after={index} />;
	if (!rows)
		return <FullText index={index} />;
	const hunks = rows.filter((row) => row.hunk).length;
	return (
		<div class="diff">
			{split.value ? <TwoColumns rows={rows} language={language} label={`What ${run.id} changed`} subject={subject} />
				: <CodeView rows={rows} language={language} from="view" label={`What ${run.id} changed`} subject={subject} searched={searchPattern.value} />}
			{hunks > 1 && (
				<div class="hunks">
					<span>{hunks} changes</span>
					<button type="button" title="Previous change: [" aria-label="Previous change" onClick={() => hunk(-1)}>↑</button>
					<button type="button" title="Next change: ]" aria-label="Next change" onClick={() => hunk(1)}>↓</button>
				</div>
			)}
		</div>
	);
}

function FullText({ index }: { index: number }) {
	const run = shown.value!.trace.passes[index]!, language = languageAt(index);
	return <CodeView rows={wholeRows(shown.value!, index)} language={language} from="view" label={`Text after ${run.id}`} subject={`${run.function}/${language}`} searched={searchPattern.value} />;
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
			<span class="summary">{info?.summary !== info?.title && info?.summary}</span>
			<Tools index={index} />
		</p>
	);
}

/** What can be done with the text of the run on screen. */
function Tools({ index }: { index: number }) {
	const { trace } = shown.value!;
	const run = trace.passes[index]!;
	const name = () => `${run.function || 'module'}.${run.id}.${languageAt(index) === 'llvm' ? 'll' : 'mir'}`;
	return (
		<span class="tools">
			<CopyButton text={() => textOf(index)} what="text after this pass" />
			<button type="button" title="Download the text after this pass, as it is printed" onClick={() => download(name(), textOf(index))}>Save</button>
			{tab.value !== 'cfg' && tab.value !== 'calls' && <ReadingTools columns={tab.value === 'diff' && !trace.passes[index]!.changed === false} />}
		</span>
	);
}

const tabs: ReadonlyArray<{ id: Tab; title: string }> = [
	{ id: 'diff', title: 'Diff' }, { id: 'text', title: 'Code' }, { id: 'cfg', title: 'Control flow' },
	{ id: 'value', title: 'Follow a value' }, { id: 'calls', title: 'Call graph' }, { id: 'pressure', title: 'Registers' }, { id: 'ab', title: 'Compare' },
];

function Content({ index }: { index: number }) {
	if (tab.value === 'step')
		return session.value ? <DebugPanel /> : null;
	if (isPtx.value && !['cfg', 'text', 'pressure'].includes(tab.value))
		return <p class="empty">This source is PTX already: no pass changes it, so there is nothing to compare. Code, Control flow and Registers show it, and Run executes it.</p>;
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
	const shownTabs = [...(session.value ? [{ id: 'step' as const, title: 'Stepping' }] : []), ...tabs.map((t) => t.id === 'value' && of ? { ...t, title: <>Follow <code>{of.name}</code></> } : t)];
	return (
		<section class={`pane view${stale.value ? ' stale' : ''}`} aria-label="Selected pass">
			<header>
				<Tabs label="Views of the pass" value={tab.value} tabs={shownTabs} controls="pass-view" onSelect={(id) => { tab.value = id; }} />
				<span class="icons"><FullButton pane="view" /></span>
			</header>
			<div class="body" id="pass-view" role="tabpanel" aria-labelledby={`tab-pass-view-${tab.value}`} data-testid="pass-diff">
				<Content index={index} />
			</div>
		</section>
	);
}
