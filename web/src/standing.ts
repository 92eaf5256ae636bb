// What is seen of a kernel that stands still (debugging.ts moves it).

import { computed, signal } from '@preact/signals';
import type { MemoryPlace, WarpState } from '@ptxscope/core';
import type { Snapshot } from './compiler/protocol';
import type { Launch } from './launch';
import type { Key, RunLevel } from './store';

export interface Session {
	level: RunLevel;
	/** The executed text, and the input line of each of its lines. */
	text: string;
	origins: number[];
	launch: Launch;
	/** To tell when what is executed is no longer what is on screen. */
	key: Key;
}

export const session = signal<Session | null>(null);
export const snapshot = signal<Snapshot | null>(null);
/** The registers as they were at the stop before, to mark what changed. */
export const before = signal<Snapshot | null>(null);
/** The warp looked at, and one of its lanes. */
export const focus = signal<{ block: number; warp: number } | null>(null);
export const lane = signal(0);
/** Lines of the executed text at which to stop. */
export const breakpoints = signal<ReadonlySet<number>>(new Set());
/** Steps at the stops before this one. */
export const history = signal<readonly number[]>([]);
/** How far a run that goes on has come, or null. */
export const busy = signal<{ steps: number; part: number } | null>(null);
export const memoryPlace = signal<MemoryPlace | null>(null);

/** The focused warp, or the one that runs next. */
export const focused = computed<WarpState | undefined>(() => {
	const now = snapshot.value, { block, warp } = focus.value ?? now?.progress?.at ?? {};
	return now?.warps.find((w) => w.block === block && w.warp === warp);
});

/** Lines of the executed text at which warps stand, each with the lanes of the focused warp there (0: only others). */
export const standing = computed(() => {
	const lines = new Map<number, number>(), mine = focused.value;
	for (const w of snapshot.value?.warps ?? [])
		for (const p of w.paths)
			if (p.line > 0)
				lines.set(p.line, (lines.get(p.line) ?? 0) | (w === mine ? p.mask : 0));
	return lines;
});

/** The line that the focused warp runs next. */
export const currentLine = computed(() => focused.value?.line ?? snapshot.value?.progress?.at?.line ?? 0);

/** The input line that a line of the executed text came from. */
export const originOf = (line: number): number => session.value?.origins[line - 1] ?? 0;

export function toggleBreakpoint(line: number): void {
	const next = new Set(breakpoints.value);
	if (!next.delete(line))
		next.add(line);
	breakpoints.value = next;
}
