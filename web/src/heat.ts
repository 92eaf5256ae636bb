// How often the blocks of a picture were executed, from the profile of the last run of the PTX.

import { computed } from '@preact/signals';
import type { CfgBlock } from './cfg';
import type { Language } from './lang/grammar';
import { ran } from './running';
import { shown, shownSource } from './store';

/** The last run's counts, where they are of the PTX on screen. */
export const profile = computed(() => {
	const run = ran.value;
	return run && run.level === 'ptx' && run.source === shownSource.value ? run.answer.profile ?? [] : [];
});

/** Executions by input line: the most that an instruction from it had. */
export const profileByOrigin = computed(() => {
	const map = new Map<number, number>(), origins = shown.value?.trace.ptxLines ?? [];
	for (const row of profile.value) {
		const origin = origins[row.line - 1];
		if (origin)
			map.set(origin, Math.max(map.get(origin) ?? 0, row.executions));
	}
	return map;
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
	language: Language, block: CfgBlock, lines: readonly number[], blocks: ReadonlyMap<string, number> | undefined, origins: ReadonlyMap<number, number>,
): number | undefined {
	if (origins.size === 0)
		return undefined;
	const exact = language === 'mir' ? blocks?.get(block.name) : undefined;
	if (exact !== undefined)
		return exact;
	// Code moves between blocks, mostly to where it runs less: the most frequent of its lines' counts stands for the block.
	const votes = new Map<number, number>();
	for (let i = block.start; i <= block.start + block.lines.length; i++) {
		const runs = origins.get(lines[i] ?? 0);
		if (runs !== undefined)
			votes.set(runs, (votes.get(runs) ?? 0) + 1);
	}
	return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
