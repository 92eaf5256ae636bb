// What the user can do: every change of the store that is more than one assignment.

import { batch, effect } from '@preact/signals';
import type { CompileRequest, Diagnostic, KnobValue } from '@ptxscope/core';
import wasmUrl from '@ptxscope/core/ptxscope.wasm?url';
import { CompileFailure, CompilerClient, Superseded, type Failure, type Limits, type SharedModule } from './compiler/client';
import { decodeLink, encodeLink, LinkError, type LinkState } from './link';
import * as s from './store';
import { value, valueAt, valueOfLine } from './value';
import { forget, isString, keep, recall } from './storage';

/** The module is compiled once; every worker gets it. */
const shared: SharedModule = { module: wasmUrl };
export const client = new CompilerClient(shared);
/** Further workers, so that A/B and runs never delay typing; each starts when it is first needed. */
const lazily = (limits?: Limits) => {
	let made: CompilerClient | undefined;
	return () => made ??= new CompilerClient(shared, limits);
};
const helperClient = lazily();
export const sweeper = lazily();
/** The emulator may take long; it is stopped by the user. */
export const emulator = lazily({ timeoutMs: 120_000, staleMs: 0, heapBytes: 1 << 30 });
/** A check that nobody asked for is given up early. */
export const checker = lazily({ timeoutMs: 8_000, staleMs: 0, heapBytes: 512 << 20 });
/** The debugger's emulator keeps its state between questions: nothing that is asked ends its worker. */
export const debuggee = lazily({ timeoutMs: 30_000, staleMs: Infinity, heapBytes: Infinity });

// ── Compiling ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const debounceMs = 100;
let timer: ReturnType<typeof setTimeout> | undefined;

export const request = (config: s.Config): CompileRequest => ({
	source: s.source.value,
	name: s.example.value ? `${s.example.value}.ll` : `input.${s.sourceKind.value}`,
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
	const text = s.source.value, mark = hash(text);
	keep('inFlight', mark);
	if (s.about.value)
		s.state.value = 'compiling';
	const slow = setTimeout(() => { s.slow.value = true; }, 1000);
	try {
		const result = s.isPtx.value ? await readPtx(text) : await client.ask({ kind: 'compile', request: request(s.config.value) });
		if (result.trace.status === 3)
			throw new CompileFailure('internal', result.trace.stderr.trim());
		const errors = result.trace.diagnostics.filter((d) => d.severity === 'error');
		batch(() => {
			s.problems.value = result.trace.diagnostics;
			if (errors.length === 0) {
				keepSelection(result);
				s.shownSource.value = text;
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
		failed(error, mark);
	} finally {
		clearTimeout(slow);
		s.slow.value = false;
		if (recall('inFlight', isString) === mark)
			forget('inFlight');
	}
}

/** PTX goes on screen as it is; the compiler's reader finds its faults. */
async function readPtx(text: string): Promise<NonNullable<typeof s.shown.value>> {
	const begin = performance.now();
	const { status, stderr } = await client.ask({ kind: 'command', argv: ['fmt', 'input.ptx', '-o', '-'], files: { 'input.ptx': text } });
	const diagnostics: Diagnostic[] = [...stderr.matchAll(/^input\.ptx:(\d+):(\d+): (error|warning): (.*)$/gm)].map((m) => ({
		severity: m[3] as 'error' | 'warning', line: Number(m[1]), col: Number(m[2]), endLine: 0, endCol: 0, code: '', message: m[4]!,
	}));
	if (status !== 0 && diagnostics.length === 0)
		diagnostics.push({ severity: 'error', line: 0, col: 0, endLine: 0, endCol: 0, code: '', message: stderr.trim() || 'this PTX cannot be read' });
	const lines = text.split('\n').length;
	return {
		changes: [], ms: performance.now() - begin,
		trace: {
			version: 1, target: '', passes: [], texts: [], ptx: text, ptxLines: Array.from({ length: lines }, (_, i) => i + 1), diagnostics, remarks: [], functions: [], status: 0, stderr,
		},
	};
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
		error: 'The compiler could not be asked.',
	};
	batch(() => {
		s.state.value = 'crashed';
		s.message.value = failure.why === 'timeout' ? failure.message : failure.why === 'internal' ? 'internal error' : 'the compiler crashed';
		s.banner.value = {
			kind: 'crash',
			text: texts[failure.why as Exclude<Failure, 'load'>] + (count >= 2 ? ' Compiling as you type is off now.' : ''),
			detail: failure.message,
		};
		if (count >= 2)
			s.autoCompile.value = false;
	});
}

/** Shows a new result with the same pass, of the same function, still selected. */
function keepSelection(result: NonNullable<typeof s.shown.value>): void {
	const old = s.shown.value?.trace.passes[s.selected.value];
	const nth = old ? s.shown.value!.trace.passes.slice(0, s.selected.value).filter((r) => r.id === old.id && r.function === old.function).length : 0;
	s.shown.value = result;
	if (!old)
		return;
	const same = result.trace.passes.flatMap((r, i) => r.id === old.id && r.function === old.function ? [i] : []);
	s.selected.value = same[nth] ?? same.at(-1) ?? -1;
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
	followInAddress();
}

// ── Editing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────

export function edit(text: string): void {
	if (text === s.source.value)
		return;
	batch(() => {
		s.source.value = text;
		s.example.value = '';
		s.spot.value = null;
	});
	saveDraft();
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

const exampleFiles = import.meta.glob<string>(['../../examples/*.ll', '../../examples/lessons/*.ll'], { query: '?url', import: 'default', eager: true });
const launchFiles = import.meta.glob<string>(['../../examples/*.launch.json', '../../examples/lessons/*.launch.json'], { query: '?url', import: 'default', eager: true });

async function fetchText(url: string | undefined): Promise<string | null> {
	if (!url)
		return null;
	const response = await fetch(url);
	return response.ok ? response.text() : null;
}

export async function openExample(name: string): Promise<boolean> {
	const text = name === s.defaultExample ? s.defaultSource : await fetchText(exampleFiles[`../../examples/${name}.ll`]);
	if (text === null)
		return false;
	batch(() => {
		s.source.value = text;
		s.example.value = name;
		s.fn.value = '';
	});
	return true;
}

export const launchOf = (name: string) => fetchText(launchFiles[`../../examples/${name}.launch.json`]);

export function openText(text: string): void {
	edit(text);
	s.banner.value = null;
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
	if (!base)
		return;
	try {
		const result = await helperClient().ask({ kind: 'compile', request: request(base.config) });
		if (s.baseline.value?.config === base.config)
			s.baseline.value = { config: base.config, result };
	} catch (error) {
		if (!(error instanceof Superseded))
			s.message.value = 'A could not be compiled';
	}
}

/** The current configuration becomes A; what is changed from here on is B. */
export function pinBaseline(): void {
	s.baseline.value = { config: s.config.value, result: s.state.value === 'ready' ? s.shown.value : null };
	s.tab.value = 'ab';
	if (!s.baseline.value.result)
		void compileBaseline();
}

export function swapBaseline(): void {
	const base = s.baseline.value;
	if (!base)
		return;
	const mine = s.config.value;
	s.baseline.value = { config: mine, result: s.shown.value };
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
	s.pane.value = 'view';
}

/** Moves the selection along the list, or from one changed pass to the next. */
export function moveSelection(step: 1 | -1, changed: boolean): void {
	const list = changed ? s.runsInScope.value.filter((i) => s.changedHere.value.has(i) && s.listedRuns.value.includes(i)) : s.listedRuns.value;
	const next = step > 0 ? list.find((i) => i > s.selected.value) : list.findLast((i) => i < s.selected.value || s.selected.value < 0);
	if (next !== undefined)
		selectRun(next);
}

/** Puts the caret on an input line, where there is one. */
export function goToLine(line: number, col = 1): void {
	if (line <= 0)
		return;
	batch(() => {
		s.goTo.value = { line, col: Math.max(col, 1) };
		s.pane.value = 'ir';
	});
}

export const goToProblem = (problem: Diagnostic): void => goToLine(problem.line, problem.col);

// ── Links ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const differs = (config: s.Config) => ({
	...(config.target !== s.defaultConfig.target && { target: config.target }),
	...(config.level !== s.defaultConfig.level && { level: config.level }),
	...(Object.keys(config.knobs).length > 0 && { knobs: config.knobs }),
});

export function linkState(): LinkState {
	const run = s.shown.value?.trace.passes[s.selected.value];
	const view = {
		...(run && { pass: run.id }),
		...(run?.function && { fn: run.function }),
		...(s.tab.value !== 'diff' && s.tab.value !== 'step' && { tab: s.tab.value }),
		...(!s.changedOnly.value && { all: true }),
		...(s.panel.value !== 'knobs' && { panel: s.panel.value }),
		...(value.value && value.value.param === undefined && { value: value.value.line }),
	};
	return {
		...(s.about.value && { compiler: s.about.value.version }),
		...(s.example.value ? (s.example.value !== s.defaultExample && { example: s.example.value }) : { source: s.source.value }),
		...differs(s.config.value),
		...(s.baseline.value && { a: differs(s.baseline.value.config) }),
		...(Object.keys(view).length > 0 && { view }),
	};
}

/** Longer addresses are refused by some browsers and servers. */
const maxAddress = 64_000, maxFollowed = 500_000;

/** Keeps the address a link to what is on screen, half a second after the last change, so that a reload loses nothing. */
export function followInAddress(): void {
	let timer: ReturnType<typeof setTimeout> | undefined, first = true;
	effect(() => {
		const state = linkState();
		clearTimeout(timer);
		// So much text makes no address, and packing it takes long.
		if ((state.source?.length ?? 0) > maxFollowed)
			return;
		if (first || s.embedded || s.state.value === 'loading') {
			first = s.state.value === 'loading' || s.state.value === 'compiling';
			return;
		}
		timer = setTimeout(async () => {
			const fragment = await encodeLink(state);
			if (fragment.length < maxAddress)
				history.replaceState(history.state, '', `#${fragment}`);
		}, 500);
	});
}

export async function permalink(): Promise<string> {
	const base = location.href.replace(/[?#].*$/, '');
	return `${base}#${await encodeLink(linkState())}`;
}

/** The link is copied and shown, and becomes the page's address. */
export async function share(): Promise<void> {
	const link = await permalink();
	if (!s.embedded)
		history.replaceState(null, '', link.slice(link.indexOf('#')));
	const copied = await copy(link);
	s.shared.value = { link, copied };
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
		state = await decodeLink(fragment);
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
	const before = s.shown.value;
	if (source === undefined && !await openExample(state.example ?? s.defaultExample)) {
		s.banner.value = { kind: 'link', text: `This link names an example that is not here: ${state.example}.` };
		return false;
	}
	batch(() => {
		if (source !== undefined) {
			s.source.value = source;
			s.example.value = '';
		}
		s.config.value = asConfig(state);
		s.baseline.value = a ? { config: asConfig(a), result: null } : null;
		s.tab.value = oneOf(view?.tab, s.tabs) ?? 'diff';
		const panel = oneOf(view?.panel, ['knobs', 'run', 'remarks', 'lesson'] as const);
		if (panel && (!keepPanel || panel === 'run'))
			s.panel.value = panel;
		s.changedOnly.value = !view?.all;
		s.fn.value = '';
		s.spot.value = view?.lines ?? null;
		value.value = null;
	});
	if (view?.pass || view?.value)
		whenShown(before, () => {
			if (view.pass)
				selectRunOf(view.pass, view.fn, view.nth);
			if (view.value)
				value.value = valueOfLine(view.value);
		});
	const line = view?.line ?? view?.lines?.[0] ?? view?.value;
	if (line)
		s.goTo.value = { line, col: 1 };
	return true;
}

const oneOf = <T extends string>(value: string | undefined, all: readonly T[]) => all.find((x) => x === value);

/** Once the result that follows `old` is on screen; setting the configuration always brings one. */
function whenShown(old: typeof s.shown.value, then: () => void): void {
	const stop = effect(() => {
		const result = s.shown.value;
		if (result && result !== old)
			queueMicrotask(() => {
				stop();
				then();
			});
	});
}

function selectRunOf(id: string, name: string | undefined, nth = 1): void {
	const runs = s.shown.value?.trace.passes ?? [];
	const of = runs.flatMap((r, i) => r.id === id && (name === undefined || r.function === name) ? [i] : []);
	const index = nth > 1 ? of.filter((i) => runs[i]!.function !== '')[nth - 1]
		: name !== undefined ? of[0] : of.find((i) => runs[i]!.changed && runs[i]!.function !== '') ?? of[0];
	if (index !== undefined)
		s.selected.value = index;
}

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
