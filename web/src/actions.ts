// What the user can do: every change of the store that is more than one assignment.

import { batch, effect } from '@preact/signals';
import type { CompileRequest, Diagnostic, KnobValue, PassRun, Trace } from '@ptxscope/core';
import wasmUrl from '@ptxscope/core/ptxscope.wasm?url';
import { CompileFailure, CompilerClient, Superseded, type Failure, type Limits, type SharedModule } from './compiler/client';
import { NoClang } from './compiler/cuda';
import { clangClient, clangIsKept, compileCuda } from './cuda';
import { fetchExample, inCuda, launchFrom, launchOf, rememberLaunch, showExample, stopOpening, type ExampleText } from './examples';
import { fresh, isCurrent } from './freshness';
import type { LinkError, LinkState, ViewState } from './link';
import * as s from './store';
import { isMade } from './kernels';
import { listedRuns } from './listing';
import { configOf, runLine } from './runLine';
import { value, valueAt, valueOfLine } from './value';
import { forget, isString, keep, recall } from './storage';

/** The module is compiled once; every worker gets it. */
const shared: SharedModule = { module: wasmUrl };
export const client = new CompilerClient(shared);
/** Further workers, so that A/B and runs never delay typing; each starts when it is first needed. */
const lazily = (limits: Limits = { timeoutMs: 30_000, staleMs: 400, heapBytes: 512 << 20 }) => {
	let made: CompilerClient | undefined;
	return () => made ??= new CompilerClient(shared, limits);
};
const helperClient = lazily();
export const sweeper = lazily();
/** The emulator may take long; it is stopped by the user. */
export const emulator = lazily({ timeoutMs: 120_000, staleMs: 0, heapBytes: 1 << 30 });
/** A check that nobody asked for is given up early. */
export const checker = lazily({ timeoutMs: 20_000, staleMs: 0, heapBytes: 512 << 20 });
/** The debugger's emulator keeps its state between questions: nothing that is asked ends its worker. */
export const debuggee = lazily({ timeoutMs: 30_000, staleMs: Infinity, heapBytes: Infinity });

// ── Compiling ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const debounceMs = 100;
let timer: ReturnType<typeof setTimeout> | undefined;

export const request = (config: s.Config): CompileRequest => ({
	source: s.input.value,
	name: s.fileName.value.endsWith(`.${s.inputKind.value}`) ? s.fileName.value : `input.${s.inputKind.value}`,
	target: config.target,
	level: config.level,
	knobs: config.knobs,
});

/** A short name for a source, for the crash mark. */
function hash(text: string): string {
	let h = 0x811c9dc5;
	for (let i = 0; i < text.length; i++)
		h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
	return (h >>> 0).toString(16);
}

const crashes = new Map<string, number>();

export function compileSoon(): void {
	clearTimeout(timer);
	timer = setTimeout(() => void compileNow(), debounceMs);
}

export async function compileNow(): Promise<void> {
	clearTimeout(timer);
	const text = s.source.value, of = s.config.value, mark = hash(text);
	keep('inFlight', mark);
	s.begun.value = { source: text, config: of };
	if (s.about.value) {
		s.state.value = 'compiling';
		s.message.value = '';
	}
	const begin = performance.now(), slow = setInterval(() => { s.slow.value = Math.round((performance.now() - begin) / 1000); }, 1000);
	try {
		const ask = (change: Partial<CompileRequest> = {}) => client.ask({ kind: 'compile', request: { ...request(of), ...change } });
		const result = s.isPtx.value ? await readPtx(text) : s.isCuda.value ? await compileCuda(text, of, ask) : await ask();
		if (result.trace.status === 3)
			throw new CompileFailure('internal', result.trace.stderr.trim());
		const errors = result.trace.diagnostics.filter((d) => d.severity === 'error');
		batch(() => {
			s.problems.value = result.trace.diagnostics;
			if (errors.length === 0) {
				s.shownKey.value = { source: text, config: of };
				s.ownInOutput.value = '';
				keepSelection(result);
				keepValue();
				s.state.value = 'ready';
				s.message.value = '';
			} else {
				const [first] = errors;
				const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
				s.state.value = 'error';
				s.message.value = `${first!.line > 0 ? `line ${first!.line}: ` : ''}${first!.message}${more}`;
			}
			if (s.banner.value?.kind === 'crash')
				s.banner.value = null;
		});
		if (s.baseline.value)
			void compileBaseline();
	} catch (error) {
		if (error instanceof Superseded)
			return;
		if (error instanceof NoClang) {
			s.state.value = 'error';
			s.message.value = 'CUDA C++ needs clang';
			return;
		}
		failed(error, mark);
	} finally {
		clearInterval(slow);
		s.slow.value = 0;
		if (recall('inFlight', isString) === mark)
			forget('inFlight');
	}
}

/** Ends the compilation that runs; what is on screen stays, and is said to be older. */
export function cancelCompile(): void {
	client.cancel();
	clangClient.cancel();
	batch(() => {
		s.state.value = 'cancelled';
		s.message.value = 'cancelled';
	});
}

/** PTX goes on screen as it is; the compiler's reader finds its faults and its kernels. */
async function readPtx(text: string): Promise<NonNullable<typeof s.shown.value>> {
	const begin = performance.now();
	const { status, stderr, files } = await client.ask({
		kind: 'command', argv: ['fmt', 'input.ptx', '--disable-output', '--trace=trace.json'], files: { 'input.ptx': text },
	});
	const record = files['trace.json'];
	if (!record)
		throw new CompileFailure('internal', stderr.trim() || `status ${status}`);
	const trace = JSON.parse(new TextDecoder().decode(record)) as Trace;
	// Its views have one stage: the text as it was read.
	const input: PassRun = { i: 0, id: 'input', function: '', changed: true, ms: 0, insts: 0, text: 0, lines: trace.ptxLines, level: 'emit' };
	return { changes: [null], ms: performance.now() - begin, trace: { ...trace, passes: [input], texts: [text], ptx: text, status, stderr } };
}

/** LLVM bitcode as text. */
export async function asText(bitcode: Uint8Array): Promise<string | { error: string }> {
	const { status, stdout, stderr } = await helperClient().ask({ kind: 'command', argv: ['fmt', 'input.bc', '-o', '-'], files: { 'input.bc': bitcode } });
	return status === 0 ? stdout : { error: stderr.trim().split('\n')[0] ?? '' };
}

function failed(error: unknown, mark: string): void {
	const failure = error instanceof CompileFailure ? error : new CompileFailure('error', String(error));
	if (failure.why === 'load') {
		s.state.value = 'crashed';
		s.banner.value = { kind: 'load', text: 'The compiler could not be loaded.', detail: failure.message };
		return;
	}
	const count = (crashes.get(mark) ?? 0) + 1;
	crashes.set(mark, count);
	const restarted = ` and was restarted (${Math.round(failure.respawnMs)} ms).`;
	const texts: Record<Exclude<Failure, 'load'>, string> = {
		trap: `The compiler crashed${restarted}`,
		timeout: `The compiler was ${failure.message}${restarted}`,
		internal: 'The compiler met an internal error.',
		clang: `${failure.message}.`,
		error: 'The compiler could not be asked.',
	};
	batch(() => {
		s.state.value = 'crashed';
		s.message.value = failure.why === 'timeout' || failure.why === 'clang' ? failure.message : failure.why === 'internal' ? 'internal error' : 'the compiler crashed';
		s.banner.value = {
			kind: 'crash',
			text: texts[failure.why as Exclude<Failure, 'load'>] + (count >= 2 ? ' Compiling as you type is off now.' : ''),
			detail: failure.message,
		};
		if (count >= 2)
			s.autoCompile.value = false;
	});
}

/** Which run of its pass over its function a run is, from 1. */
const placeOf = (runs: readonly PassRun[], index: number) =>
	runs.slice(0, index + 1).filter((r) => r.id === runs[index]!.id && r.function === runs[index]!.function).length;

/** The view that a link asks for, until there is a result that has it. */
let chosen: ViewState | null = null;

/** Shows a new result with the run that a link asks for, else with the same run of the same pass still selected. */
function keepSelection(result: NonNullable<typeof s.shown.value>): void {
	const runs = s.shown.value?.trace.passes ?? [], old = runs[s.selected.value];
	const nth = old ? placeOf(runs, s.selected.value) : 0;
	s.shown.value = result;
	if (chosen && isCurrent(s.shownKey.value)) {
		s.selected.value = chosen.pass ? runOf(result.trace.passes, chosen.pass, chosen.fn, chosen.nth) : -1;
		value.value = chosen.value ? valueOfLine(chosen.value) : null;
		if (chosen.value && chosen.param)
			value.value = valueAt(chosen.value, chosen.param);
		chosen = null;
	} else if (old) {
		const same = result.trace.passes.flatMap((r, i) => r.id === old.id && r.function === old.function ? [i] : []);
		s.selected.value = same[nth - 1] ?? same.at(-1) ?? -1;
	}
}

/** The run that a link names; -1 where there is none. Links of old name no function for a run over the module, and count without it. */
function runOf(runs: readonly PassRun[], id: string, name: string | undefined, nth = 1): number {
	const of = runs.flatMap((r, i) => r.id === id && (name === undefined || r.function === name) ? [i] : []);
	const index = name !== undefined ? of[nth - 1] ?? of[0]
		: nth > 1 ? of.filter((i) => runs[i]!.function !== '')[nth - 1]
		: of.find((i) => runs[i]!.changed && runs[i]!.function !== '') ?? of[0];
	return index ?? -1;
}

/** The value looked at stays where its line still defines it. */
function keepValue(): void {
	const now = value.value;
	if (now && now.param === undefined && valueOfLine(now.line)?.name !== now.name)
		value.value = null;
	else if (now?.param !== undefined && !valueAt(now.line, now.name))
		value.value = null;
}

export async function boot(): Promise<void> {
	const crashed = recall('inFlight', isString);
	// Who leaves or reloads while something is being compiled has not crashed.
	addEventListener('pagehide', () => forget('inFlight'));
	await openFragment(location.hash.slice(1), true);
	if (crashed !== undefined && crashed === hash(s.source.value)) {
		s.autoCompile.value = false;
		s.banner.value = {
			kind: 'crash',
			text: 'The last visit ended while this source was being compiled, so compiling is off.',
			detail: 'Compile by hand with Ctrl+Enter, or edit first.',
		};
		forget('inFlight');
	}
	if (s.example.value === s.defaultExample && !s.launchText.value)
		void launchOf(s.defaultExample).then((launch) => {
			if (s.example.value !== s.defaultExample || s.launchText.value && !isMade(s.launchText.value))
				return;
			rememberLaunch(s.defaultExample, launch);
			s.launchText.value = launch;
		});
	try {
		s.about.value = await client.start();
	} catch (error) {
		failed(error, '');
		return;
	}
	let first = true;
	effect(() => {
		void s.source.value, s.config.value;
		const auto = s.autoCompile.value;
		if (first)
			first = false;
		else if (auto)
			compileSoon();
	});
	if (s.autoCompile.value)
		await compileNow();
	else
		s.state.value = 'ready';
	const plainVisit = location.hash === '';
	followInAddress();
	if (plainVisit)
		await startInCuda();
}

/** The page that nobody has asked for anything is in CUDA C++, once clang is there, if an earlier visit has kept it. */
async function startInCuda(): Promise<void> {
	const untouched = () => s.source.value === s.defaultSource && s.example.value === s.defaultExample && !s.embedded && !s.lesson.value && !s.own.value
		&& !s.picked.value && s.config.value === s.defaultConfig && s.autoCompile.value && !s.dialog.value && !value.value;
	if (!untouched() || !await clangIsKept())
		return;
	const name = inCuda(s.defaultExample), example = await fetchExample(name);
	if (typeof example !== 'object')
		return;
	await clangClient.translate({ source: example.text, target: s.config.value.target, level: s.config.value.level, lines: true }).catch(() => undefined);
	if (untouched())
		showExample(name, example);
}

// ── Editing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** How much of two texts is the same, from both ends. */
function sharedEnds(a: string, b: string): number {
	const most = Math.min(a.length, b.length);
	let first = 0, last = 0;
	while (first < most && a[first] === b[first])
		first++;
	while (last < most - first && a.at(-1 - last) === b.at(-1 - last))
		last++;
	return first + last;
}

/** The name of a text that has been edited: one of another language that takes the place of all, or most, has nothing of the old name. */
function nameAfter(old: string, text: string): string {
	const [name, base, ending] = /^(.*)\.(cu|ll|mir|ptx)$/.exec(s.fileName.value) ?? [s.fileName.value];
	if (!base || !text.trim() || ending === s.sourceKind.value)
		return name;
	const anew = base === 'input' || !old.trim() || sharedEnds(old, text) < Math.min(old.length, text.length) / 2;
	return anew ? `input.${s.sourceKind.value}` : name;
}

export function edit(text: string): void {
	if (text === s.source.value)
		return;
	stopOpening();
	chosen = null;
	// A link that could not be opened is of no interest any more.
	if (s.banner.value?.kind === 'link')
		s.banner.value = null;
	const asked = runLine(text), old = s.source.value, before = runLine(old);
	batch(() => {
		s.source.value = text;
		s.fileName.value = nameAfter(old, text);
		s.example.value = '';
		s.spot.value = null;
		s.picked.value = null;
		if (asked !== before) {
			if (s.banner.value?.kind === 'info')
				s.banner.value = null;
			followRunLine(asked);
		}
	});
	saveDraft();
}

/** A compiler test says how it is to be compiled. */
function followRunLine(words: string): void {
	const { config, said } = configOf(words);
	if (said.length === 0)
		return;
	s.config.value = config;
	s.banner.value = { kind: 'info', text: `As the RUN line of this source says: ${said.join(' ')}.` };
}

let draftTimer: ReturnType<typeof setTimeout> | undefined;
function saveDraft(): void {
	clearTimeout(draftTimer);
	draftTimer = setTimeout(() => keep('draft', s.source.value), 500);
}

export const hasDraft = () => recall('draft', isString) !== undefined;
export function openDraft(): void {
	const draft = recall('draft', isString);
	if (draft !== undefined)
		edit(draft);
}

/** Opens a text of the user's own, under its name where it has one. */
export function openText(text: string, name = ''): void {
	batch(() => {
		s.banner.value = null;
		s.forgetProblems(text);
		edit(text);
		s.fileName.value = name;
		s.opened.value = text;
	});
}

// ── Settings ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export function setConfig(change: Partial<s.Config>): void {
	s.config.value = { ...s.config.value, ...change };
}

export function setKnob(name: string, value: KnobValue): void {
	const knobs = { ...s.config.value.knobs };
	if (value === s.knobInfo.value.get(name)?.default)
		delete knobs[name];
	else
		knobs[name] = value;
	setConfig({ knobs });
}

export async function compileBaseline(): Promise<void> {
	const base = s.baseline.value;
	if (!base || (base.result && base.source === (base.own?.source ?? s.input.value)))
		return;
	try {
		const plain = request(base.config), source = base.own?.source ?? plain.source;
		const result = await helperClient().ask({ kind: 'compile', request: { ...plain, source, ...(base.own && { name: base.own.name }) } });
		const now = s.baseline.value;
		if (now?.config === base.config && now.own === base.own)
			s.baseline.value = { ...base, result, source };
	} catch (error) {
		if (!(error instanceof Superseded))
			s.message.value = 'A could not be compiled';
	}
}

const present = (): s.Baseline => ({
	config: s.config.value, own: { source: s.input.value, title: s.sourceTitle.value, name: request(s.config.value).name! },
	result: fresh.value ? s.shown.value : null, source: s.input.value,
});

/** What is on screen becomes A; what is changed from here on, source or configuration, is B. */
export function pinBaseline(): void {
	s.baseline.value = present();
	s.tab.value = 'ab';
	void compileBaseline();
}

/** A keeps the source that it was made from, or is a configuration alone, for whatever source is on screen. */
export function followSource(follows: boolean): void {
	const base = s.baseline.value;
	if (!base)
		return;
	s.baseline.value = { ...base, own: follows ? null : present().own, result: null };
	void compileBaseline();
}

export function swapBaseline(): void {
	const base = s.baseline.value;
	if (!base)
		return;
	s.baseline.value = { ...present(), ...(!base.own && { own: null }) };
	if (base.own && base.own.source !== s.input.value)
		openText(base.own.source, base.own.title.replace(/, edited$/, ''));
	s.config.value = base.config;
}

// ── Passes ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export function selectRun(index: number): void {
	batch(() => {
		s.selected.value = index;
		if (s.tab.value === 'ab')
			s.tab.value = 'diff';
	});
}

/** Selects a run by pointer: in a narrow window its view comes to the front. */
export function openRun(index: number): void {
	selectRun(index);
	showPane('view');
}

/** Moves the selection along the list, or from one changed pass to the next. */
export function moveSelection(step: 1 | -1, changed: boolean): void {
	const list = changed ? s.runsInScope.value.filter((i) => s.changedHere.value.has(i) && listedRuns.value.includes(i)) : listedRuns.value;
	const next = step > 0 ? list.find((i) => i > s.current.value) : list.findLast((i) => i < s.current.value);
	if (next !== undefined)
		selectRun(next);
}

/** Lights an input line and all that came from it, in every pane, and brings it into view; neither focus nor tab nor pane changes. */
export function reveal(line: number, from: s.Source): void {
	if (line > 0)
		s.picked.value = { line, from };
}

/** Puts the caret on an input line. */
export function focusLine(line: number, col = 1): void {
	if (line > 0)
		s.goTo.value = { line, col: Math.max(col, 1) };
}

/** Brings a pane to the front where a window has room for one or two. */
export function showPane(pane: s.Pane): void {
	s.pane.value = pane;
}

/** Goes to an input line: what a place in a list or a problem stands for. */
export function goToLine(line: number, col = 1): void {
	if (line <= 0)
		return;
	batch(() => {
		reveal(line, 'list');
		focusLine(line, col);
		showPane('ir');
	});
}

export const goToProblem = (problem: Diagnostic): void => goToLine(problem.line, problem.col);

// ── Links ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const differs = (config: s.Config) => ({
	...(config.target !== s.defaultConfig.target && { target: config.target }),
	...(config.level !== s.defaultConfig.level && { level: config.level }),
	...(Object.keys(config.knobs).length > 0 && { knobs: config.knobs }),
});

/** Fetched when the first link is opened or made. */
const links = () => import('./link');

/** The launch as a link holds it: not at all where it follows from the source, by name where an example has it. */
function launchInLink(): Pick<LinkState, 'launch' | 'launchOf'> {
	const text = s.launchText.value, name = launchFrom(text);
	if (!text || isMade(text) || (name && name === s.example.value))
		return {};
	return name ? { launchOf: name } : { launch: text };
}

/** There is room for one or two panes. */
const narrow = matchMedia('(max-width: 1200px)');

/** Tabs of the panel that do not bring it to the front: knobs are its first, and a lesson stands in its own place. */
const besides: ReadonlySet<string> = new Set(['knobs', 'lesson']);

/** The pane that a link is about: the one it names, else the one that has what it names. */
const paneOf = (view: ViewState | undefined): s.Pane => oneOf(view?.pane, s.panes)
	?? (view?.pass || view?.tab || view?.value ? 'view' : view?.panel && !besides.has(view.panel) ? 'panel' : 'ir');

export function linkState(): LinkState {
	const runs = s.shown.value?.trace.passes ?? [], run = runs[s.selected.value];
	const nth = run ? placeOf(runs, s.selected.value) : 1;
	const view = {
		...(run && { pass: run.id, fn: run.function }),
		...(nth > 1 && { nth }),
		...(s.tab.value !== 'diff' && s.tab.value !== 'step' && { tab: s.tab.value }),
		...(!s.changedOnly.value && { all: true }),
		...(s.fn.value && { only: s.fn.value }),
		...(s.runLevel.value !== 'ptx' && { level: s.runLevel.value }),
		...(s.panel.value !== 'knobs' && { panel: s.panel.value }),
		...(narrow.matches && s.pane.value !== 'ir' && { pane: s.pane.value }),
		...(s.spot.value && { lines: s.spot.value }),
		...(value.value && { value: value.value.line, ...(value.value.param !== undefined && { param: value.value.name }) }),
	};
	return {
		...(s.about.value && { compiler: s.about.value.version }),
		...(s.example.value ? (s.example.value !== s.defaultExample && { example: s.example.value }) : { source: s.source.value }),
		...(!s.example.value && s.fileName.value && { file: s.fileName.value }),
		...differs(s.config.value),
		...launchInLink(),
		...(s.sanitize.value.length > 0 && { sanitize: s.sanitize.value.join() }),
		...(s.seed.value && { seed: s.seed.value }),
		...(s.programArgs.value && { args: s.programArgs.value }),
		...(s.baseline.value && { a: {
			...differs(s.baseline.value.config),
			...(s.baseline.value.own && s.baseline.value.own.source !== s.input.value && { source: s.baseline.value.own.source, file: s.baseline.value.own.title }),
		} }),
		...(s.lesson.value && { lesson: s.lesson.value }),
		...(s.own.value && (s.panel.value === 'own' || s.ownInOutput.value) && { own: s.own.value }),
		...(Object.keys(view).length > 0 && { view }),
	};
}

/** Longer addresses are refused by some browsers and servers. */
const maxAddress = 64_000, maxFollowed = 500_000;

/** What the browser's back and forward go between: sources and passes. The rest changes an entry of the history in place. */
const stationOf = ({ example, source, view }: LinkState) =>
	JSON.stringify([source === undefined ? example ?? s.defaultExample : '', view?.pass, view?.fn, view?.nth]);
/** The station of the present entry; '' while the page goes to another one. */
let station = '';
let addressTimer: ReturnType<typeof setTimeout> | undefined;
function stopAddressing(): void {
	clearTimeout(addressTimer);
	addressTimer = undefined;
}

/** Opens the link that the address has become: by hand, by back or by forward. */
export async function followAddress(): Promise<void> {
	station = '';
	// What is still on screen belongs to the entry that has been left.
	stopAddressing();
	const fragment = location.hash.slice(1);
	if (fragment)
		await openFragment(fragment);
	else
		await openState({});
}

/** Keeps the address a link to what is on screen, half a second after the last change, so that a reload loses nothing. */
export function followInAddress(): void {
	let first = true;
	station = stationOf(linkState());
	effect(() => {
		const state = linkState();
		stopAddressing();
		// A link that is being opened is not yet what is on screen.
		if (chosen)
			return;
		// So much text makes no address, and packing it takes long.
		if ((state.source?.length ?? 0) > maxFollowed)
			return;
		if (first || s.embedded || s.state.value === 'loading') {
			first = s.state.value === 'loading' || s.state.value === 'compiling';
			return;
		}
		const mine = addressTimer = setTimeout(async () => {
			const fragment = await (await links()).encodeLink(state), now = stationOf(state);
			if (mine !== addressTimer)
				return;
			const goes = station !== '' && station !== now;
			station = now;
			if (fragment.length >= maxAddress || location.hash === `#${fragment}`)
				return;
			if (goes)
				history.pushState(null, '', `#${fragment}`);
			else
				history.replaceState(history.state, '', `#${fragment}`);
		}, 500);
	});
}

export async function permalink(): Promise<string> {
	const base = location.href.replace(/[?#].*$/, '');
	return `${base}#${await (await links()).encodeLink(linkState())}`;
}

/** A short link to the open lesson, or to the step that is on screen. */
export async function lessonAddress(step: boolean): Promise<string> {
	const { id, at, text, step: now } = s.lesson.value ?? {};
	const base = location.href.replace(/[?#].*$/, '');
	return `${base}#${await (await links()).encodeLink({ lesson: { ...(id && { id }), ...(at && { at }), ...(text && { text }), ...(step && now && { step: now }), go: true } })}`;
}

/** The link is copied and shown, and becomes the page's address. */
export async function share(): Promise<void> {
	const link = await permalink();
	if (!s.embedded)
		history.replaceState(null, '', link.slice(link.indexOf('#')));
	const of = JSON.stringify(linkState());
	const copied = await copy(link);
	s.shared.value = { link, copied, of };
}

/** Copies where the browser lets us; false means that the caller must show the text instead. */
export async function copy(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return false;
	}
}

const asConfig = (state: NonNullable<LinkState['a']>): s.Config => ({
	target: state.target ?? s.defaultConfig.target,
	level: (state.level ?? s.defaultConfig.level) as s.Config['level'],
	knobs: state.knobs ?? {},
});

/** Opens what a fragment holds. At start-up an empty fragment keeps the default; a bad one says so and changes nothing. */
export async function openFragment(fragment: string, starting = false): Promise<void> {
	let state: LinkState | null;
	try {
		state = fragment ? await (await links()).decodeLink(fragment) : null;
	} catch (error) {
		s.banner.value = { kind: 'link', text: `This link cannot be opened: ${(error as LinkError).message}.`, detail: fragment };
		return;
	}
	if (!state)
		return;
	if (await openState(state) && starting && state.compiler)
		noteVersion(state.compiler);
}

/** Shows a state, of a link or of a lesson's step; false where its example is not here. */
export async function openState(state: LinkState, { keepPanel = false } = {}): Promise<boolean> {
	const { source, view, a } = state;
	if (!keepPanel) {
		s.lesson.value = state.lesson ?? null;
		s.own.value = state.own ?? null;
		// The lesson says what is on screen, once it is there.
		if (state.lesson?.go)
			return true;
	}
	let example: ExampleText | undefined;
	if (source === undefined) {
		const got = await fetchExample(state.example ?? s.defaultExample);
		if (got === 'unknown')
			s.banner.value = { kind: 'link', text: `This link names an example that is not here: ${state.example}.` };
		if (typeof got !== 'object')
			return false;
		example = got;
	} else {
		stopOpening();
	}
	const borrowed = state.launchOf ? await launchOf(state.launchOf) : '';
	if (state.launchOf)
		rememberLaunch(state.launchOf, borrowed);
	// Setting the configuration always brings a result. Until then the address is left as it is, too.
	chosen = view ?? null;
	batch(() => {
		if (example) {
			showExample(state.example ?? s.defaultExample, example);
		} else {
			s.forgetProblems(source!);
			s.source.value = source!;
			s.example.value = '';
			s.fileName.value = state.file ?? '';
			s.opened.value = source!;
			s.launchText.value = borrowed;
		}
		if (state.launch !== undefined)
			s.launchText.value = state.launch;
		const words = (state.sanitize ?? '').split(',');
		s.sanitize.value = s.sanitizerNames.filter((name) => words.includes(name) || words.includes('all'));
		s.seed.value = /^\d{1,19}$/.exec(state.seed ?? '')?.[0] ?? '';
		s.programArgs.value = state.args ?? '';
		s.config.value = asConfig(state);
		s.baseline.value = a ? {
			config: asConfig(a), result: null, source: '',
			own: a.source === undefined ? null : { source: a.source, title: a.file ?? '', name: /\.(?:ll|mir|ptx)$/.exec(a.file ?? '') ? a.file! : 'input.ll' },
		} : null;
		s.tab.value = oneOf(view?.tab, s.tabs) ?? 'diff';
		const panel = oneOf(view?.panel, ['knobs', 'run', 'remarks', 'lesson', 'own'] as const);
		if (panel && (!keepPanel || panel === 'run'))
			s.panel.value = panel;
		if (!s.wantedPanes.length || s.wantedPanes.includes(paneOf(view)))
			showPane(paneOf(view));
		s.changedOnly.value = !view?.all;
		s.fn.value = view?.only ?? '';
		s.runLevel.value = oneOf(view?.level, s.runLevels) ?? 'ptx';
		s.spot.value = view?.lines ?? null;
		const line = view?.line ?? (view?.lines ? 0 : view?.value ?? 0);
		s.picked.value = line > 0 ? { line, from: 'list' } : null;
		value.value = null;
	});
	return true;
}

const oneOf = <T extends string>(value: string | undefined, all: readonly T[]) => all.find((x) => x === value);

function noteVersion(made: string): void {
	const stop = effect(() => {
		const version = s.about.value?.version;
		if (!version)
			return;
		queueMicrotask(() => stop());
		if (version !== made && !s.banner.value)
			s.banner.value = { kind: 'info', text: `This link was made with ${made}; this page runs ${version}. Output may differ.` };
	});
}
