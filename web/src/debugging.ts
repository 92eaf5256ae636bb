// The debugger: a kernel that stands still between two warp instructions. The emulator runs in a worker of its own, in slices, so that
// a long way can be watched and left at any time.

import { batch, effect } from '@preact/signals';
import type { Goal, MemoryPlace } from '@ptxscope/core';
import { debuggee, request } from './actions';
import { CompileFailure, Superseded } from './compiler/client';
import type { DebugQuestion, Snapshot } from './compiler/protocol';
import type { Access, Fault } from './launch';
import { changedSince, unwatchedKey } from './freshness';
import { launchable } from './kernels';
import { executedLevel, fail, program, ran } from './running';
import { before, breakpoints, busy, currentLine, focus, focused, history, lane, memoryPlace, originOf, session, snapshot } from './standing';
import { config, hot, pane, shown as compiled, sourceKind, tab, translated } from './store';

/** Warps take turns after every instruction, so that they advance together. */
const options = { quantum: 1, profile: true };
const slice = 200_000;
let cancelled = false;

function lightOrigin(): void {
	const origin = originOf(currentLine.value);
	if (origin)
		hot.value = { line: origin, from: 'list' };
}

async function ask(question: DebugQuestion): Promise<Snapshot | null> {
	const at = focus.peek() ?? snapshot.peek()?.progress?.at;
	const place = memoryPlace.peek();
	try {
		return await debuggee().ask({
			kind: 'debug', question,
			wanted: { ...(at && { registers: { block: at.block, warp: at.warp } }), ...(place && { memory: place }) },
		});
	} catch (error) {
		if (!(error instanceof Superseded)) {
			end();
			fail(error instanceof CompileFailure ? `The emulator stopped: ${error.message}` : String(error));
		}
		return null;
	}
}

function show(next: Snapshot): void {
	batch(() => {
		before.value = snapshot.value;
		snapshot.value = next;
		const at = next.progress?.at, mine = focus.value;
		// Without a choice of the user's the focus follows the warp that moved; a warp that has ended is left.
		if (at && (!mine || !next.warps.some((w) => w.block === mine.block && w.warp === mine.warp && w.live !== 0)))
			focus.value = { block: at.block, warp: at.warp };
		lightOrigin();
	});
	if (next.result && session.value) {
		const { launch, level, key, origins } = session.value;
		// Lines of machine code are lines of its text here; runs count in lines of the input.
		const profile = next.result.profile?.map((row) => level === 'mir' ? { ...row, line: origins[row.line - 1] ?? 0 } : row);
		ran.value = { answer: { ...next.result, stats: { ...next.result.stats }, ...(profile && { profile }) }, launch, level, key };
	}
	// The registers in the answer are those of the warp that was looked at before.
	const stale = next.registers === null && focused.value?.live;
	if (stale)
		void look();
}

/** What is seen from here, without a step. */
export async function look(): Promise<void> {
	const next = await ask({ do: 'look' });
	if (next)
		batch(() => { snapshot.value = next; });
}

export async function start(): Promise<void> {
	const launch = launchable.value, key = unwatchedKey();
	if (typeof launch === 'string') {
		fail(launch);
		return;
	}
	const { expect: _, ...bare } = launch;
	const level = executedLevel(), { name, text } = program(level);
	const plain = request(config.value);
	fail('');
	const next = await ask({
		do: 'start', launch: JSON.stringify(bare), options,
		program: { source: text, name, at: level, ...(plain.target && { target: plain.target }), level: plain.level ?? 3, knobs: name.endsWith('.ptx') ? {} : plain.knobs ?? {} },
	});
	if (!next)
		return;
	if (next.error || !next.loaded) {
		fail(next.error ?? 'the emulator did not start');
		return;
	}
	const { loaded } = next;
	// PTX is executed as it stands on screen: its lines, and where they came from, are known here.
	batch(() => {
		const ofInput = translated.value?.source === key.source ? translated.value.lines : undefined;
		const origins = name.endsWith('.ptx') && sourceKind.value !== 'ptx' ? compiled.value?.trace.ptxLines ?? []
			: ofInput ? loaded.origins.map((line) => ofInput[line - 1] ?? 0) : loaded.origins;
		session.value = { level, text: name.endsWith('.ptx') ? text : loaded.text, origins, launch, key };
		before.value = null;
		snapshot.value = null;
		focus.value = null;
		history.value = [];
		lane.value = 0;
		memoryPlace.value = launch.args.find((a) => typeof a.buffer === 'string') ? { buffer: Object.keys(launch.buffers).at(-1)! } : null;
		show(next);
		tab.value = 'step';
		pane.value = 'view';
	});
	await look();
}

export function end(): void {
	cancelled = true;
	batch(() => {
		session.value = null;
		if (tab.value === 'step')
			tab.value = 'diff';
		snapshot.value = null;
		before.value = null;
		busy.value = null;
		hot.value = null;
	});
}

/** Runs to a goal in slices; what has been reached when it is cancelled stays. */
async function go(goal: Goal): Promise<void> {
	if (busy.value || !session.value)
		return;
	cancelled = false;
	const from = snapshot.value?.progress?.steps ?? 0;
	busy.value = { steps: snapshot.value?.progress?.steps ?? 0, part: snapshot.value?.progress?.progress ?? 0 };
	let next = await ask({ do: 'step', goal, budget: slice });
	while (next?.progress?.state === 'running' && !cancelled && session.value) {
		busy.value = { steps: next.progress.steps, part: next.progress.progress };
		next = await ask({ do: 'resume', budget: slice });
	}
	batch(() => {
		busy.value = null;
		if (next && session.value) {
			history.value = [...history.value, from];
			show(next);
		}
	});
}

export const cancel = (): void => { cancelled = true; };

/** A choice of warp counts for steps; runs are for all. */
const mine = () => focus.value ?? {};
export const stepInstruction = () => go({ to: 'instruction', count: 1, ...mine() });
/** The executed lines that come from another line of the source than this one: of CUDA C++ a line is many instructions. */
function otherSourceLines(): number[] {
	const here = originOf(currentLine.value), origins = sourceKind.value === 'cu' ? session.value?.origins ?? [] : [];
	return origins.flatMap((line, i) => line && line !== here ? [i + 1] : []);
}
export const stepLine = () => {
	const lines = otherSourceLines();
	return go({ to: 'line', ...(lines.length > 0 && { lines, of: 'text' as const }), ...mine() });
};
export const runToBarrier = () => go({ to: 'barrier', ...mine() });
export const runToLine = (line: number) => go({ to: 'line', lines: [line], of: 'text' });

/** On to the next breakpoint, or to the end. */
export const proceed = () => go(breakpoints.value.size ? { to: 'line', lines: [...breakpoints.value], of: 'text' } : { to: 'end' });

const stateNow = () => snapshot.value?.progress?.state;

/** Executes to the instruction that faults, and stands in front of it, looking at its warp and lane. */
export async function stepToFault({ line = 0, thread, block }: Fault): Promise<void> {
	await start();
	await go({ to: 'end' });
	const steps = snapshot.value?.progress?.steps ?? 0;
	if (!session.value || stateNow() !== 'faulted')
		return;
	await restart();
	if (steps > 1)
		await go({ to: 'instruction', count: steps - 1 });
	lookAtThread(thread, block);
	if (line > 0 && currentLine.value !== line && stateNow() === 'stopped')
		await go({ to: 'line', lines: [line], of: 'text' });
}

/** Looks at the warp and the lane of a thread. */
function lookAtThread(thread: number[] | undefined, block: number[] | undefined): void {
	if (!thread || !block || !session.value)
		return;
	const { block: [bx, by], grid: [gx, gy] } = session.value.launch;
	const linear = (at: readonly number[], x: number, y: number) => (at[0] ?? 0) + x * ((at[1] ?? 0) + y * (at[2] ?? 0));
	const index = linear(thread, bx, by);
	lane.value = index % 32;
	focusOn(linear(block, gx, gy), Math.floor(index / 32));
}

/** Executes until the thread stands in front of the access for the `visit`th time, looking at its warp and lane. */
export async function stepToAccess({ line = 0, origin = 0, thread, block }: Access, visit = 1): Promise<void> {
	await start();
	lookAtThread(thread, block);
	// Machine code has lines of its own in the debugger.
	const ofText = session.value?.level !== 'mir', lines = [ofText ? line : origin];
	const isThere = () => (focused.value?.mask ?? 0) >>> lane.value & 1 && (ofText ? currentLine.value : originOf(currentLine.value)) === lines[0];
	let visits = isThere() ? 1 : 0;
	while (visits < visit && session.value && stateNow() === 'stopped') {
		await go({ to: 'line', lines, of: ofText ? 'text' : 'input', ...mine() });
		if (stateNow() !== 'stopped' || cancelled)
			return;
		visits += isThere() ? 1 : 0;
	}
}

export async function restart(): Promise<void> {
	if (!session.value || busy.value)
		return;
	const { expect: _, ...bare } = session.value.launch;
	const next = await ask({ do: 'restart', launch: JSON.stringify(bare), options });
	if (next)
		batch(() => {
			history.value = [];
			snapshot.value = null;
			show(next);
		});
}

/** Back to the stop before: from the start again, as many steps. The schedule is the same every time. */
export async function stepBack(): Promise<void> {
	const was = snapshot.value, steps = history.value.at(-1), rest = history.value.slice(0, -1);
	if (!session.value || busy.value || steps === undefined)
		return;
	await restart();
	if (steps > 0)
		await go({ to: 'instruction', count: steps });
	batch(() => {
		before.value = was;
		history.value = rest;
	});
}

export function focusOn(block: number, warp: number): void {
	focus.value = { block, warp };
	lightOrigin();
	void look();
}

export function lookAt(place: MemoryPlace | null): void {
	memoryPlace.value = place;
	void look();
}

// A change of source, configuration or launch leaves what is executed behind: its lines would be those of another text.
effect(() => {
	const now = session.value;
	if (now && changedSince(now.key))
		queueMicrotask(end);
});
// Breakpoints are lines of a text.
let lastText = '';
effect(() => {
	const text = session.value?.text;
	if (text !== undefined && text !== lastText) {
		if (lastText)
			breakpoints.value = new Set();
		lastText = text;
	}
});
