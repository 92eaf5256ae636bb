// Runs of the kernel on the emulator, and the check that executes the code after every pass.

import { batch, effect, signal } from '@preact/signals';
import { checker, emulator, launchOf, request } from './actions';
import { compileArguments } from '@ptxscope/core';
import { CompileFailure, Superseded } from './compiler/client';
import { guessLaunch, guessPtxLaunch, parseLaunch, type Launch, type RunAnswer } from './launch';
import { config, embedded, example, shown, isPtx, panel, shownSource, source, sourceKind, state, type Config } from './store';

export type RunLevel = 'ptx' | 'mir' | 'ir';

export const launchText = signal('');
export const runLevel = signal<RunLevel>('ptx');
export const running = signal<'' | 'run' | 'check'>('');
export const runError = signal('');
export interface Ran {
	answer: RunAnswer;
	launch: Launch;
	level: RunLevel;
	/** What it was run from, to tell when it is out of date. */
	source: string;
}
export const ran = signal<Ran | null>(null);

/** What `check --json` says. `pass` is the first after which the kernel computes something else; '' is the PTX. */
export interface Verdict {
	ok: boolean;
	stages: number;
	pass?: string;
	level?: string;
	message?: string;
}
export const checked = signal<{ verdict: Verdict; source: string; config: Config } | null>(null);

let launchFor = '';
/** Follows the example until the user edits the launch. */
effect(() => {
	const name = example.value;
	if (!name || name === launchFor)
		return;
	launchFor = name;
	void launchOf(name).then((text) => {
		if (text !== null && launchFor === name)
			batch(() => {
				launchText.value = text;
				ran.value = null;
				checked.value = null;
			});
	});
});

export function useGuess(): void {
	const guess = sourceKind.value === 'ptx' ? guessPtxLaunch(source.value) : guessLaunch(source.value);
	if (guess)
		launchText.value = JSON.stringify(guess, null, 2);
}

/** PTX that comes in is executed at once: its launch is kept where it names one of its kernels, else guessed. */
let wasPtx: boolean | undefined;
effect(() => {
	const now = isPtx.value;
	if (state.value === 'loading' || state.value === 'compiling' || shownSource.value !== source.value)
		return;
	const came = now && wasPtx === false && state.value === 'ready';
	wasPtx = now;
	if (!came)
		return;
	queueMicrotask(() => {
		const launch = parseLaunch(launchText.value);
		if (typeof launch === 'string' || !new RegExp(`\\.entry\\s+${launch.kernel.replace(/\$/g, '\\$')}\\b`).test(source.value))
			useGuess();
		panel.value = 'run';
		if (launchText.value)
			void runNow();
	});
});

/** Writes a change of the form back into the text. */
export function changeLaunch(change: Partial<Launch>): void {
	const launch = parseLaunch(launchText.value);
	if (typeof launch !== 'string')
		launchText.value = compactJson({ ...launch, ...change });
}

/** JSON with one line per entry, and arrays of numbers on one line. */
export function compactJson(value: unknown): string {
	return JSON.stringify(value, null, 2).replace(/\[\s+((?:[^[\]{}]|\{[^{}]*\})*?)\s+\]/g, (_, inner: string) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`);
}

/** The program to execute: the PTX on screen itself, so that its lines are the profile's lines, or the source. */
export function program(level: RunLevel): { name: string; text: string } {
	const result = shown.value;
	if (sourceKind.value !== 'll')
		return { name: `input.${sourceKind.value}`, text: source.value };
	return level === 'ptx' && result && shownSource.value === source.value && state.value === 'ready'
		? { name: 'input.ptx', text: result.trace.ptx } : { name: 'input.ll', text: source.value };
}

/** The options that a run shares with a compilation. */
const options = () => compileArguments(request(config.value)).filter((a) => a.startsWith('-') && a !== '-o' && a !== '-' && !a.startsWith('--trace'));

async function ask(kind: 'run' | 'check', { name, text: code }: { name: string; text: string }, argv: string[], done: (stdout: string, launch: Launch, text: string) => void): Promise<void> {
	const launch = parseLaunch(launchText.value);
	if (typeof launch === 'string') {
		runError.value = launch;
		return;
	}
	const text = source.value;
	const { expect: _, ...rest } = launch;
	const files = { [name]: code, 'launch.json': JSON.stringify(rest) };
	running.value = kind;
	runError.value = '';
	try {
		const answer = await emulator().ask({ kind: 'command', argv: [kind, name, '--launch', 'launch.json', '--json', ...argv], files });
		if (answer.stdout.trim().startsWith('{'))
			done(answer.stdout, launch, text);
		else
			runError.value = answer.stderr.trim() || answer.stdout.trim() || `the emulator ended with status ${answer.status}`;
	} catch (error) {
		if (!(error instanceof Superseded))
			runError.value = error instanceof CompileFailure ? error.message : String(error);
	} finally {
		running.value = '';
	}
}

export function runNow(): Promise<void> {
	const level = sourceKind.value === 'ptx' ? 'ptx' : runLevel.value;
	return ask('run', program(level), ['--profile', `--level=${level}`, ...options()], (json, launch, text) => {
		ran.value = { answer: JSON.parse(json) as RunAnswer, launch, level, source: text };
	});
}

export function checkNow(): Promise<void> {
	const checkedConfig = config.value;
	return ask('check', { name: 'input.ll', text: source.value }, options(), (json, _, text) => {
		checked.value = { verdict: JSON.parse(json) as Verdict, source: text, config: checkedConfig };
	});
}

/** The check by itself, a while after a compilation and in a worker of its own; what cannot be executed is left alone. */
function checkQuietly(): void {
	const launch = parseLaunch(launchText.value), text = source.value, of = config.value;
	if (typeof launch === 'string' || checked.value?.source === text && checked.value.config === of)
		return;
	const { expect: _, ...rest } = launch;
	const files = { 'input.ll': text, 'launch.json': JSON.stringify(rest) };
	checker().ask({ kind: 'command', argv: ['check', 'input.ll', '--launch', 'launch.json', '--json', ...options()], files }).then((answer) => {
		if (answer.stdout.trim().startsWith('{') && source.value === text && config.value === of)
			checked.value = { verdict: JSON.parse(answer.stdout) as Verdict, source: text, config: of };
	}).catch(() => undefined);
}

let checkTimer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
	const settled = state.value === 'ready' && shownSource.value === source.value && sourceKind.value === 'll' && !embedded;
	void config.value, launchText.value;
	clearTimeout(checkTimer);
	if (settled && launchText.value)
		checkTimer = setTimeout(checkQuietly, 1200);
});

export function stopRunning(): void {
	emulator().cancel();
	running.value = '';
	runError.value = 'Stopped.';
}
