// What the last run executed, by lines of the PTX, of the input, and by blocks; and where it faulted. Lines of the executed text are
// followed to the input through the trace's origins, so that every text that has lines of that origin is marked.

import { computed, signal } from '@preact/signals';
import type { CfgBlock } from './cfg';
import { isCurrent } from './freshness';
import type { Language } from './lang/grammar';
import type { Access, ProfileRow } from './launch';
import { ran } from './running';
import { shown, shownKey } from './store';

/** The last run, where it is one of what is on screen. */
const present = computed(() => {
	const run = ran.value;
	return run && isCurrent(run.key) && isCurrent(shownKey.value) ? run : null;
});

/** Counts by line of the PTX on screen: known where that is what was executed. */
export const profile = computed<readonly ProfileRow[]>(() => present.value?.level === 'ptx' ? present.value.answer.profile ?? [] : []);

/** The input line of a line of the executed text: machine code counts in lines of the input, and so does IR. */
const originOf = (line: number): number => present.value?.level === 'ptx' ? shown.value?.trace.ptxLines[line - 1] ?? 0 : line;

/** Counts by input line: those of the instruction from it that was executed most. */
export const profileByOrigin = computed(() => {
	const map = new Map<number, ProfileRow>();
	for (const row of present.value?.answer.profile ?? []) {
		const origin = originOf(row.line), known = map.get(origin);
		if (origin && (!known || row.executions > known.executions))
			map.set(origin, row);
	}
	return map;
});

/** What a count says in words. */
export const inWords = (p: ProfileRow): string => [
	`executed by ${p.executions} warps, ${Math.round(p.lanes / 32 * 100)} % of lanes active`,
	p.divergent ? `${p.divergent} times divergent` : '', p.sectors ? `${p.sectors} memory sectors in ${p.requests} requests` : '',
	p.bankConflicts ? `${p.bankConflicts} bank conflicts` : '',
].filter(Boolean).join(', ');

/** Heat between 0 and 1. Where everything was executed equally often, heat would say nothing: there is none. */
export function heatScale(counts: Iterable<ProfileRow>): (executions: number) => number {
	let most = 1, least = Infinity;
	for (const { executions } of counts)
		[most, least] = [Math.max(most, executions), Math.min(least, executions)];
	return (executions) => least === most ? 0 : executions / most;
}

export interface FaultPlace {
	/** Of the input; 0: none. */
	origin: number;
	/** Of the PTX on screen; 0: another text was executed. */
	ptxLine: number;
}

/** Where a fault of the last run is; null where that was a run of something else. */
export function placeOf({ line = 0, origin = 0 }: Access): FaultPlace | null {
	if (!present.value)
		return null;
	return present.value.level === 'ptx' ? { origin: originOf(line), ptxLine: line } : { origin, ptxLine: 0 };
}

/** The access of a report that was clicked: it is marked instead of the first fault. */
export const pointedAt = signal<{ of: unknown; access: Access } | null>(null);

export const faultPlace = computed(() => {
	const run = present.value, pointed = pointedAt.value;
	const fault = pointed && pointed.of === run?.answer ? pointed.access : run?.answer.faults[0];
	return fault ? placeOf(fault) : null;
});

/** Executions by function and block number: labels of the PTX and its comments carry the machine block's number. */
export const profileOfBlocks = computed(() => {
	const all = new Map<string, Map<string, number>>();
	if (profile.value.length === 0)
		return all;
	const byLine = new Map(profile.value.map((p) => [p.line, p.executions]));
	let blocks: Map<string, number> | undefined, block = '';
	(shown.value?.trace.ptx ?? '').split('\n').forEach((line, i) => {
		const fn = /^(?:\.\w+\s+)*\.(?:entry|func)\b(?:\s*\([^)]*\))?\s+([$%\w]+)/.exec(line)?.[1];
		if (fn)
			all.set(fn, blocks = new Map());
		const name = /^(?:\/\/ %bb\.|\$L__BB\d+_)(\d+):/.exec(line)?.[1];
		if (name !== undefined)
			block = name;
		const runs = byLine.get(i + 1);
		if (blocks && runs !== undefined)
			blocks.set(block, Math.max(blocks.get(block) ?? 0, runs));
	});
	return all;
});

/** A machine block is found by its number; a block of IR by the lines that its code comes from. */
export function heatOfBlock(
	language: Language, block: CfgBlock, lines: readonly number[], blocks: ReadonlyMap<string, number> | undefined, origins: ReadonlyMap<number, ProfileRow>,
): number | undefined {
	if (origins.size === 0)
		return undefined;
	const exact = language === 'mir' ? blocks?.get(block.name) : undefined;
	if (exact !== undefined)
		return exact;
	// Code moves between blocks, mostly to where it runs less: the most frequent of its lines' counts stands for the block.
	const votes = new Map<number, number>();
	for (let i = block.start; i <= block.start + block.lines.length; i++) {
		const runs = origins.get(lines[i] ?? 0)?.executions;
		if (runs !== undefined)
			votes.set(runs, (votes.get(runs) ?? 0) + 1);
	}
	return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
