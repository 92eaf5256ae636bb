// The page's state: one store of signals. Components read them; actions.ts changes them.

import { computed, signal } from '@preact/signals';
import type { Diagnostic, KnobInfo, KnobValue, PassInfo, PassRun } from '@ptxscope/core';
import type { About, Compiled } from './compiler/protocol';
import type { LessonLink } from './link';
import defaults from './defaults.json';
import defaultSource from '../../examples/saxpy.ll?raw';

export interface Config {
	target: string;
	level: 0 | 1 | 2 | 3;
	/** Only knobs that differ from their defaults. */
	knobs: Record<string, KnobValue>;
}

/** What results belong to: whatever is computed from these three is out of date once one of them changes (freshness.ts). */
export interface Key {
	source: string;
	config: Config;
	/** The launch description, JSON. */
	launch: string;
	/** The pass of the user's own that is in the output, or ''. */
	own?: string;
	/** What watches a run and orders its warps (sanitize.ts). */
	watch?: string;
}

export const defaultExample = defaults.example;
export const defaultConfig: Config = { target: defaults.target, level: defaults.level as Config['level'], knobs: {} };
export { defaultSource };

export const source = signal(defaultSource);
/** The example whose text the source is, or '' once edited. */
export const example = signal(defaultExample);
/** The name under which the source came, or that of its example; '' where it has none. */
export const fileName = signal(`${defaults.example}.ll`);
/** The text that was opened, to tell whether it has been edited since. */
export const opened = signal(defaultSource);
/** What the source is called on screen. */
export const sourceTitle = computed(() => fileName.value ? `${fileName.value}${opened.value === source.value ? '' : ', edited'}` : 'edited');
export const config = signal<Config>(defaultConfig);
/** The launch description as JSON; '' until there is a kernel to launch. */
export const launchText = signal('');
/** Compile as you type. Off after a crash, until asked for. */
export const autoCompile = signal(true);

/** A text that is PTX already is read and executed, not compiled. */
export const isPtx = computed(() => /^\s*\.version\s+\d/m.test(source.value.slice(0, 4000)) && !/^\s*(?:define|declare|target)\s/m.test(source.value.slice(0, 4000)));
/** Machine IR starts in the middle of the pipeline. */
export const isMir = computed(() => /^---(?:\s|$)/m.test(source.value.slice(0, 4000)) && /^name:\s/m.test(source.value.slice(0, 200_000)));
/** CUDA C++ has its own words, and none of the definitions of LLVM IR. */
export const isCuda = computed(() => {
	const text = source.value.slice(0, 200_000);
	return !isPtx.value && !isMir.value && /\b__(?:global|device)__\b|^\s*#\s*include\b|\bthreadIdx\b/m.test(text) && !/^(?:define|declare|target|source_filename)\b/m.test(text);
});
export const sourceKind = computed<'cu' | 'll' | 'mir' | 'ptx'>(() => isPtx.value ? 'ptx' : isMir.value ? 'mir' : isCuda.value ? 'cu' : 'll');
/** The last CUDA C++ that had no errors as LLVM IR, and the line of it that each line of the IR comes from. */
export const translated = signal<{ source: string; ir: string; lines: number[] } | null>(null);
/** What the compiler and the emulator read: the source, or what clang has made of it. */
export const input = computed(() => !isCuda.value ? source.value : translated.value?.source === source.value ? translated.value.ir : '');
export const inputKind = computed(() => sourceKind.value === 'cu' ? 'll' : sourceKind.value);
/** Whole programs, and most kernels, are there in CUDA C++ alone. */
export const isProgramName = (name: string) => name.startsWith('programs/');
export const isKernelName = (name: string) => name.startsWith('kernels/');
/** The list of examples has neither the gallery's further kernels nor the sources of lessons. */
export const isUnlisted = (name: string) => isKernelName(name) || name.startsWith('lessons/');
/** The file that an example's text is in: examples are named after their IR, those in CUDA C++ with their extension. */
export const exampleFile = (name: string) => name.endsWith('.cu') ? name : `${name}.${isProgramName(name) || isKernelName(name) ? 'cu' : 'll'}`;
export const exampleName = (name: string) => name.replace(/\.cu$/, '');

/** What a whole program's main gets, as typed: words, those with blanks in quotes. */
export const programArgs = signal('');

export const runLevels = ['ptx', 'mir', 'ir'] as const;
/** Which code a run executes. */
export type RunLevel = typeof runLevels[number];
export const runLevel = signal<RunLevel>('ptx');

export const about = signal<About | null>(null);
/** The last result that had PTX. */
export const shown = signal<Compiled | null>(null);
/** What `shown` was compiled from. */
export const shownKey = signal<Omit<Key, 'launch'>>({ source: '', config: defaultConfig });
export const shownSource = computed(() => shownKey.value.source);
export const problems = signal<Diagnostic[]>([]);
/** A text that is opened in place of another has none of its problems; a text that is edited keeps them until it has been compiled. */
export function forgetProblems(text: string): void {
	if (text !== source.peek())
		problems.value = [];
}

export type State = 'loading' | 'compiling' | 'ready' | 'error' | 'crashed' | 'cancelled';
export const state = signal<State>('loading');
/** What the compilation that was begun last is of. */
export const begun = signal<Pick<Key, 'source' | 'config'>>({ source: '', config: defaultConfig });
/** What the status line says besides the state. */
export const message = signal('');
/** Seconds that the running compilation has taken so far; 0 within the first. */
export const slow = signal(0);

export interface Banner {
	kind: 'crash' | 'link' | 'load' | 'offline' | 'info';
	text: string;
	detail?: string;
}
export const banner = signal<Banner | null>(null);
/** The link made last, and the state that it holds, as JSON. */
export const shared = signal<{ link: string; copied: boolean; of: string } | null>(null);
/** The example being fetched, or ''. */
export const opening = signal('');
/** Which dialog is open. */
export const dialog = signal<'examples' | 'help' | 'share' | 'report' | null>(null);

/** Sanitizers that watch runs, in the order of `sanitizerNames`, and the seed of the order in which warps take turns; '' is the usual one. */
export const sanitizerNames = ['memory', 'race', 'init', 'sync', 'leak'] as const;
export type SanitizerName = typeof sanitizerNames[number];
export const sanitize = signal<readonly SanitizerName[]>([]);
export const seed = signal('');

const query = new URLSearchParams(location.search);
/** Shown inside somebody else's page. */
export const embedded = query.get('embed') === '1';
/** Panes that an embedder asked for, or all. */
export const wantedPanes = query.get('panes')?.split(',').filter(Boolean) ?? [];

/** What is compared with: a configuration and, unless it follows the source on screen (`own` is null), a source of its own. */
export interface Baseline {
	config: Config;
	own: { source: string; title: string; name: string } | null;
	result: Compiled | null;
	/** What the result is of. */
	source: string;
}
export const baseline = signal<Baseline | null>(null);

// ── Selection ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The run that was chosen: an index into the shown trace's passes, or -1. `current` is the one on screen. */
export const selected = signal(-1);
export const changedOnly = signal(true);
export const passFilter = signal('');
/** The function looked at, or '' for all. */
export const fn = signal('');
export const tabs = ['diff', 'text', 'cfg', 'value', 'calls', 'pressure', 'ab'] as const;
/** `step` stands first while a kernel is stepped through; no link holds it. */
export type Tab = typeof tabs[number] | 'step';
export const tab = signal<Tab>('diff');
export type Panel = 'knobs' | 'run' | 'remarks' | 'lesson' | 'own';
export const panel = signal<Panel>('knobs');
export const knobFilter = signal('');
/** Which knobs are listed; '' follows what is known: those that matter here, and until then all. */
export const showKnobs = signal<'' | 'all' | 'matter' | 'edited'>('');
/** Only knobs that this pass reads, or ''. */
export const knobPass = signal('');
/** The lesson that is open beside everything else. */
export const lesson = signal<LessonLink | null>(null);
/** A pass of the user's own as it is written; null until somebody wants one. */
export const own = signal<{ after: string; code: string } | null>(null);
/** The one that is in the output on screen, as text; '' where there is none. */
export const ownInOutput = signal('');
/** Which pane a narrow window shows. */
export const panes = ['ir', 'passes', 'view', 'ptx', 'panel'] as const;
export type Pane = typeof panes[number];
export const pane = signal<Pane>(panes.find((p) => p === wantedPanes[0]) ?? 'ir');

export type Source = 'ir' | 'view' | 'ptx' | 'list';
/** The input line that the pointer or the caret is on, anywhere, and where. */
export const hot = signal<{ line: number; from: Source } | null>(null);
/** The input line that was clicked, anywhere: lit in every pane until another is, or the text changes. */
export const picked = signal<{ line: number; from: Source } | null>(null);
/** Input lines that a lesson or a link points at, lit in every pane until the next edit. */
export const spot = signal<[number, number] | null>(null);
/** Where the caret should go in the editor. */
export const goTo = signal<{ line: number; col: number } | null>(null);

export const passInfo = computed(() => new Map<string, PassInfo>(about.value?.passes.map((p) => [p.id, p]) ?? []));
export const knobInfo = computed(() => new Map<string, KnobInfo>(about.value?.knobs.map((k) => [k.name, k]) ?? []));
export const levelOf = (run: PassRun) => run.level ?? passInfo.value.get(run.id)?.level;

export const functions = computed(() => {
	const names = new Set<string>();
	for (const run of shown.value?.trace.passes ?? [])
		if (run.function)
			names.add(run.function);
	return [...names];
});

/** Runs of the chosen function (and of the module), as indices. */
export const runsInScope = computed(() => {
	const all = shown.value?.trace.passes ?? [];
	const only = functions.value.includes(fn.value) ? fn.value : '';
	const { texts = [] } = shown.value?.trace ?? {};
	// Of the module outside its functions only changes are worth a row; a lowering leaves nothing there.
	const worth = (run: PassRun) => run.function !== '' || (run.changed && run.id !== 'input' && !!texts[run.text ?? -1]?.trim());
	return all.map((_, i) => i).filter((i) => (!only || !all[i]!.function || all[i]!.function === only) && worth(all[i]!));
});

/** A run that changed the text of its function; a pass over the module counts as change for every function that it saw. */
export const changedHere = computed(() => {
	const result = shown.value, set = new Set<number>();
	result?.trace.passes.forEach((run, i) => {
		if (run.changed && (run.function === '' || run.text === null || run.id === 'input' || result.changes[i] !== null))
			set.add(i);
	});
	return set;
});

/** The run on screen: the chosen one, else the first that changed a function; -1 where there is none. */
export const current = computed(() => {
	const all = shown.value?.trace.passes ?? [];
	if (selected.value in all)
		return selected.value;
	const changed = runsInScope.value.filter((i) => changedHere.value.has(i) && all[i]!.id !== 'input');
	return changed.find((i) => all[i]!.function !== '') ?? changed[0] ?? (isPtx.value && all.length > 0 ? 0 : -1);
});

/** How many runs there are, and how many changed something; the input is none. */
export const counts = computed(() => {
	const runs = runsInScope.value.filter((i) => shown.value!.trace.passes[i]!.id !== 'input');
	return { all: runs.length, changed: runs.filter((i) => changedHere.value.has(i)).length };
});

/** Does the text have each word of the query, or a part of a word? */
export const hasWords = (query: string, text: string) => query.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));

/** Letters of the query in order, so that `nvremat` finds nvptx-remat-block. */
export function fuzzy(query: string, text: string): boolean {
	const q = query.toLowerCase(), t = text.toLowerCase();
	let at = 0;
	for (const c of q) {
		if (c === ' ')
			continue;
		at = t.indexOf(c, at) + 1;
		if (at === 0)
			return false;
	}
	return true;
}
