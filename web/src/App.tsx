import { useEffect } from 'preact/hooks';
import { compileNow, followAddress, moveSelection, share } from './actions';
import { session } from './standing';
import { followDrops } from './files';
import { IrPane } from './panes/IrPane';
import { PassList } from './panes/PassList';
import { PassView } from './panes/PassView';
import { PtxPane } from './panes/PtxPane';
import { full } from './reading';
import { dialog, embedded, lesson, pane, panel, picked, shown, wantedPanes, type Pane, type Panel } from './store';
import { Banner } from './ui/Banner';
import { Explain } from './ui/Explain';
import { Header } from './ui/Header';
import { findIn, FullButton } from './ui/PaneTools';
import { sizeStyle, Splitter } from './ui/Splitter';
import { StatusLine } from './ui/StatusLine';
import { Tabs } from './ui/Tabs';
import { Tour, tourPane } from './ui/Tour';
import { lazy } from './ui/lazy';

const KnobPanel = lazy(() => import('./panes/KnobPanel').then((m) => m.KnobPanel));
const Remarks = lazy(() => import('./panes/Remarks').then((m) => m.Remarks));
const RunPanel = lazy(() => import('./panes/RunPanel').then((m) => m.RunPanel));
const Dialogs = lazy(() => import('./ui/Dialogs').then((m) => m.Dialogs));
const Lessons = lazy(() => import('./panes/Lessons').then((m) => m.Lessons));
const LessonDock = lazy(() => import('./panes/LessonDock').then((m) => m.LessonDock));
const OwnPass = lazy(() => import('./panes/OwnPass').then((m) => m.OwnPass));

/** The run panel, once it has been shown, stays. */
let ranBefore = false;

function BottomPanel() {
	ranBefore ||= panel.value === 'run';
	const tabs: ReadonlyArray<{ id: Panel; title: string; count?: number }> = [
		{ id: 'knobs', title: 'Knobs' },
		{ id: 'remarks', title: 'Remarks', count: shown.value?.trace.remarks.length ?? 0 },
		{ id: 'run', title: 'Run' },
		{ id: 'lesson', title: 'Lessons' },
		{ id: 'own', title: 'Own pass' },
	];
	return (
		<section class="pane panel" aria-label="Knobs, remarks, running and lessons">
			<header>
				<Tabs label="Panels" value={panel.value} tabs={tabs} controls="panel" onSelect={(id) => { panel.value = id; }} />
				<span class="icons"><FullButton pane="panel" /></span>
			</header>
			<div class="body" id="panel" role="tabpanel" aria-labelledby={`tab-panel-${panel.value}`}>
				<div hidden={panel.value !== 'knobs'}><KnobPanel /></div>
				<div hidden={panel.value !== 'remarks'}>{panel.value === 'remarks' && <Remarks />}</div>
				<div hidden={panel.value !== 'run'}>{ranBefore && <RunPanel />}</div>
				<div hidden={panel.value !== 'lesson'}>{panel.value === 'lesson' && <Lessons />}</div>
				<div hidden={panel.value !== 'own'}>{panel.value === 'own' && <OwnPass />}</div>
			</div>
		</section>
	);
}

const narrowPanes: ReadonlyArray<{ id: Pane; title: string }> = [
	{ id: 'ir', title: 'IR' }, { id: 'passes', title: 'Passes' }, { id: 'view', title: 'Pass' },
	{ id: 'ptx', title: 'PTX' }, { id: 'panel', title: 'Run, knobs' },
];
const shownPanes = wantedPanes.length ? narrowPanes.filter((p) => wantedPanes.includes(p.id)) : narrowPanes;

/** F6 goes from pane to pane, as in editors and browsers: past the many fields of a pane at once. */
function nextPane(step: 1 | -1): void {
	const panes = [...document.querySelectorAll<HTMLElement>('.pane, .dock')].filter((p) => p.checkVisibility({ visibilityProperty: true }));
	const at = panes.findIndex((p) => p.contains(document.activeElement));
	const next = panes[(at + step + panes.length) % panes.length];
	(next?.querySelector<HTMLElement>('.monaco textarea, textarea, .list, .code, [role=tab][aria-selected=true]') ?? next)?.focus();
}

/** Keys that work everywhere but in a text field. */
function globalKeys(e: KeyboardEvent): void {
	const target = e.target as HTMLElement;
	if (e.key === 'F6' && !dialog.value) {
		nextPane(e.shiftKey ? -1 : 1);
		e.preventDefault();
		return;
	}
	if ((e.ctrlKey || e.metaKey) && !e.altKey && e.key === 'f' && !target.closest('.monaco, textarea, dialog')) {
		// In the pane that has the focus, else in the one under the pointer; a pane without a text has the browser's own search.
		if (findIn(target.closest('.pane') ?? document.querySelector('.pane:hover')))
			e.preventDefault();
		return;
	}
	if (e.key === 'Escape' && !dialog.value && !e.defaultPrevented && !target.closest('.monaco')) {
		if (full.value)
			full.value = '';
		else
			picked.value = null;
		return;
	}
	if ((e.ctrlKey || e.metaKey) && !e.altKey) {
		const action: Record<string, () => void> = { Enter: () => void compileNow(), s: () => void share() };
		if (action[e.key]) {
			action[e.key]!();
			e.preventDefault();
		}
		return;
	}
	// A dialog that Escape has closed says so a moment later; the next key is not for it.
	if (e.altKey || document.querySelector('dialog[open]') || target.closest('input:not([type=checkbox]), textarea, select, .monaco, dialog'))
		return;
	const debug: Record<string, 'stepInstruction' | 'stepLine' | 'proceed' | 'stepBack'> = { s: 'stepInstruction', l: 'stepLine', c: 'proceed', b: 'stepBack' };
	const step = debug[e.key];
	if (session.value && step) {
		void import('./debugging').then((d) => d[step]());
		e.preventDefault();
		return;
	}
	const action: Record<string, () => void> = {
		j: () => moveSelection(1, false), k: () => moveSelection(-1, false),
		n: () => moveSelection(1, true), p: () => moveSelection(-1, true),
		'[': () => dispatchEvent(new CustomEvent('ptxscope:hunk', { detail: -1 })),
		']': () => dispatchEvent(new CustomEvent('ptxscope:hunk', { detail: 1 })),
		'?': () => { dialog.value = 'help'; }, e: () => { dialog.value = 'examples'; },
	};
	if (action[e.key]) {
		action[e.key]!();
		e.preventDefault();
	}
}

export function App() {
	useEffect(() => {
		const noDrops = followDrops();
		const follow = () => void followAddress();
		addEventListener('keydown', globalKeys);
		addEventListener('hashchange', follow);
		return () => {
			noDrops();
			removeEventListener('keydown', globalKeys);
			removeEventListener('hashchange', follow);
		};
	}, []);
	const panes = wantedPanes.length ? { 'data-panes': wantedPanes.join(' ') } : {};
	return (
		<div class={`app${embedded ? ' embedded' : ''}`} data-pane={pane.value} data-full={full.value || undefined} data-tour={tourPane()} {...panes}>
			<Header />
			<div class="strips"><Tour /><Banner /></div>
			<div class="stage">
			<main class="main" style={sizeStyle({ left: 35, middle: 24, bottom: 36, lower: 46 })}>
				<h1 class="offscreen">ptxscope: LLVM IR to PTX, every pass visible</h1>
				<div class="column left">
					<IrPane />
					<Splitter name="bottom" label="Height of the lower left panel" axis="y" initial={36} reversed />
					<BottomPanel />
				</div>
				<Splitter name="left" label="Width of the editor" axis="x" initial={35} />
				<PassList />
				<Splitter name="middle" label="Width of the pass list" axis="x" initial={24} min={10} max={40} />
				<div class="column right">
					<PassView />
					<Splitter name="lower" label="Height of the PTX" axis="y" initial={46} reversed />
					<PtxPane />
				</div>
				<div class="narrow-tabs">
					<Tabs label="Panes" value={pane.value} tabs={shownPanes} controls="app" onSelect={(id) => { pane.value = id; }} />
				</div>
			</main>
			{lesson.value && <LessonDock />}
			</div>
			<StatusLine />
			{dialog.value && <Dialogs />}
			<Explain />
		</div>
	);
}
