// Runs of the kernel on the emulator, and the check that executes the code after every pass.

import { effect, signal } from '@preact/signals';
import { checker, emulator, request } from './actions';
import { compileArguments } from '@ptxscope/core';
import { CompileFailure, Superseded } from './compiler/client';
import { fresh, isCurrent, presentKey, unwatchedKey } from './freshness';
import { launchable } from './kernels';
import { compactJson, parseLaunch, type Launch, type RunAnswer } from './launch';
import { config, embedded, input, inputKind, isPtx, launchText, panel, runLevel, sanitize, seed, shown, source, sourceKind, type Key, type RunLevel } from './store';

export const running = signal<'' | 'run' | 'check'>('');
/** Why the last run or check of this key gave no result. */
export const failure = signal<{ text: string; key: Key } | null>(null);
export const fail = (text: string, key = presentKey()): void => { failure.value = text ? { text, key } : null; };

export interface Ran {
	answer: RunAnswer;
	launch: Launch;
	level: RunLevel;
	key: Key;
}
export const ran = signal<Ran | null>(null);

/** What `check --json` says. */
export interface Verdict {
	ok: boolean;
	stages: number;
	/** The fault in which every stage ends. */
	fault?: string;
	/** Elements that were not compared, as they derive from poison or undef; true: nothing was. */
	undefined?: number | true;
	/** The first pass after which the kernel computes something else; '' is the PTX. */
	pass?: string;
	level?: string;
	message?: string;
}
/** The last verdict, the kernel that was executed for it, and what it is of. */
export const checked = signal<{ verdict: Verdict; kernel: string; key: Key; asked: boolean } | null>(null);

/** PTX that comes in is executed at once. */
let wasPtx: boolean | undefined;
effect(() => {
	const now = isPtx.value;
	if (!fresh.value)
		return;
	const came = now && wasPtx === false;
	wasPtx = now;
	if (came)
		queueMicrotask(() => {
			panel.value = 'run';
			if (typeof launchable.value !== 'string')
				void runNow();
		});
});

/** Writes a change of the form back into the text. */
export function changeLaunch(change: Partial<Launch>): void {
	const launch = parseLaunch(launchText.value);
	if (typeof launch !== 'string')
		launchText.value = compactJson({ ...launch, ...change });
}

/** The program to execute: the PTX on screen itself, so that its lines are the profile's lines, or the source. */
export function program(level: RunLevel): { name: string; text: string } {
	if (inputKind.value !== 'll')
		return { name: `input.${inputKind.value}`, text: source.value };
	return level === 'ptx' && fresh.value ? { name: 'input.ptx', text: shown.value!.trace.ptx } : { name: 'input.ll', text: input.value };
}

/** The level at which the source can be executed: PTX is PTX already, and machine code has no IR. */
export const executedLevel = (): RunLevel => sourceKind.value === 'ptx' ? 'ptx' : sourceKind.value === 'mir' && runLevel.value === 'ir' ? 'mir' : runLevel.value;

/** The options that a run shares with a compilation. */
const options = () => compileArguments(request(config.value)).filter((a) => a.startsWith('-') && a !== '-o' && a !== '-' && !a.startsWith('--trace'));

/** What watches a run, and the order of its warps. */
const watchOptions = () => [...(sanitize.value.length ? [`--sanitize=${sanitize.value.join()}`] : []), ...(seed.value ? [`--schedule=seed:${seed.value}`] : [])];

const withoutExpected = ({ expect: _, ...rest }: Launch) => JSON.stringify(rest);

async function ask(kind: 'run' | 'check', { name, text: code }: { name: string; text: string }, argv: string[], done: (stdout: string, launch: Launch, key: Key) => void): Promise<void> {
	// The check is of the compiler's own passes, and a run of what is on screen.
	const launch = launchable.value, key = kind === 'check' ? { ...unwatchedKey(), own: '' } : presentKey();
	if (typeof launch === 'string') {
		fail(launch, key);
		return;
	}
	const files = { [name]: code, 'launch.json': withoutExpected(launch) };
	running.value = kind;
	fail('');
	try {
		const answer = await emulator().ask({ kind: 'command', argv: [kind, name, '--launch', 'launch.json', '--json', ...argv], files });
		if (answer.stdout.trim().startsWith('{'))
			done(answer.stdout, launch, key);
		else
			fail(answer.stderr.trim() || answer.stdout.trim() || `the emulator ended with status ${answer.status}`, key);
	} catch (error) {
		if (!(error instanceof Superseded))
			fail(error instanceof CompileFailure ? error.message : String(error), key);
	} finally {
		running.value = '';
	}
}

export function runNow(): Promise<void> {
	const level = executedLevel();
	return ask('run', program(level), ['--profile', `--level=${level}`, ...watchOptions(), ...options()], (json, launch, key) => {
		ran.value = { answer: JSON.parse(json) as RunAnswer, launch, level, key };
	});
}

export function checkNow(): Promise<void> {
	return ask('check', { name: 'input.ll', text: input.value }, options(), (json, launch, key) => {
		checked.value = { verdict: JSON.parse(json) as Verdict, kernel: launch.kernel, key, asked: true };
	});
}

/** The check by itself, a while after a compilation and in a worker of its own; what cannot be executed is left alone. */
function checkQuietly(): void {
	const launch = launchable.value, key = { ...unwatchedKey(), own: '' };
	if (typeof launch === 'string' || checked.value && isCurrent(checked.value.key))
		return;
	const files = { 'input.ll': input.value, 'launch.json': withoutExpected(launch) };
	checker().ask({ kind: 'command', argv: ['check', 'input.ll', '--launch', 'launch.json', '--json', ...options()], files }).then((answer) => {
		if (answer.stdout.trim().startsWith('{') && isCurrent(key))
			checked.value = { verdict: JSON.parse(answer.stdout) as Verdict, kernel: launch.kernel, key, asked: false };
	}).catch(() => undefined);
}

let checkTimer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
	const settled = fresh.value && inputKind.value === 'll' && !embedded;
	void source.value, config.value, launchText.value;
	clearTimeout(checkTimer);
	if (settled && launchText.value)
		checkTimer = setTimeout(checkQuietly, 1200);
});

export function stopRunning(): void {
	emulator().cancel();
	running.value = '';
	fail('Stopped.');
}
