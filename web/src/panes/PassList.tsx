import { computed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { PassRun, Pressure } from '@ptxscope/core';
import { moveSelection, openRun, selectRun } from '../actions';
import { stale } from '../freshness';
import { kernels } from '../kernels';
import { checked } from '../running';
import { verdict } from '../verdict';
import {
	changedHere, changedOnly, counts, current, fn, functions, isPtx, listedRuns, passFilter, passInfo, shown,
} from '../store';

/** 32-bit registers live at the fullest place: what limits occupancy. */
export const registers = (p: Pressure | null | undefined) =>
	p ? Math.ceil(p.r16 / 2) + p.r32 + p.f32 + 2 * (p.r64 + p.f64) : null;

const groupNames: Record<string, string> = {
	input: 'Input', ir: 'LLVM IR', isel: 'Instruction selection', 'pre-ra': 'Before register allocation', ra: 'Register allocation',
	'post-ra': 'After register allocation', emission: 'Emission',
};

function Delta({ index }: { index: number }) {
	const change = shown.value?.changes[index];
	if (change?.crossing)
		return <span class="delta lowered" title="The code is lowered to another form here">lowered</span>;
	return (
		<span class="delta">
			{change && change.added > 0 && <span class="plus">+{change.added}</span>}
			{change && change.removed > 0 && <span class="minus">−{change.removed}</span>}
		</span>
	);
}

/** The check's verdicts by run: every pass that changed something was followed by a run, up to the first wrong one. */
const verdicts = computed(() => {
	const map = new Map<number, boolean>();
	const runs = shown.value?.trace.passes ?? [], check = checked.value;
	if (!check || !verdict.value?.compared)
		return map;
	const { pass } = check.verdict, others = new Set(kernels.value.map((k) => k.name).filter((name) => name !== check.kernel));
	const end = pass ? runs.findLastIndex((r) => r.id === pass && r.changed) : runs.length;
	runs.forEach((run, i) => {
		// Other kernels were not executed.
		if (run.changed && run.function && !others.has(run.function) && run.id !== 'input' && i <= end)
			map.set(i, run.id !== pass);
	});
	return map;
});

function Verdict({ index }: { index: number }) {
	const ok = verdicts.value.get(index);
	if (ok === undefined)
		return null;
	return <span class={ok ? 'good' : 'bad'} title={ok ? 'Computes the same as the input' : 'Computes something else'}>{ok ? '✓' : '✗'}</span>;
}

/** The identifier inside a mangled name, for a narrow place. */
function plainName(name: string): string {
	const m = /^_ZN?(?:\d+_GLOBAL__N_1)?(?:L|K)?(\d+)(.*)$/.exec(name);
	return m ? m[2]!.slice(0, Number(m[1])) : name;
}

/** `follows`: the row above is of the same pass, whose name is not said again. */
function Item({ run, index, most, several, follows }: { run: PassRun; index: number; most: number; several: boolean; follows: boolean }) {
	const info = passInfo.value.get(run.id);
	const regs = registers(run.pressure), changes = changedHere.value.has(index);
	return (
		<div
			class={`pass${changes ? '' : ' same'}${follows ? ' follows' : ''}`} role="option" id={`pass-${index}`} aria-selected={current.value === index}
			data-testid="pass" data-pass={run.id} data-changed={String(changes)} data-function={run.function || undefined}
			title={[info?.title, info?.summary].filter(Boolean).join('\n') || undefined} onClick={() => openRun(index)}
		>
			<span class="no">{index}</span>
			<span class="name">
				{!follows && <>{run.id}{' '}</>}
				{(several || !run.function) && <span class="fn" title={run.function || undefined}>{follows ? '' : ' '}{plainName(run.function) || 'module'}</span>}
			</span>
			<Delta index={index} />
			<Verdict index={index} />
			<span class="regs" title={regs === null ? undefined : `${regs} registers live at the fullest place`}>
				{regs !== null && <><span class="bar" style={{ width: `${Math.round(regs / most * 18)}px` }} />{regs}</>}
			</span>
			<span class="ms" title="Milliseconds in this pass">{run.ms >= 10 ? Math.round(run.ms) : run.ms >= 0.1 ? run.ms.toFixed(1) : ''}</span>
		</div>
	);
}

/** Neighbours of one group under one heading. */
function grouped(listed: readonly number[]): { title: string; runs: number[] }[] {
	const groups: { title: string; runs: number[] }[] = [];
	for (const i of listed) {
		const run = shown.value!.trace.passes[i]!;
		const group = passInfo.value.get(run.id)?.group ?? 'input', title = groupNames[group] ?? group;
		if (groups.at(-1)?.title !== title)
			groups.push({ title, runs: [] });
		groups.at(-1)!.runs.push(i);
	}
	return groups;
}

export function PassList() {
	const list = useRef<HTMLDivElement>(null);
	const runs = shown.value?.trace.passes ?? [];
	const listed = listedRuns.value;
	const several = functions.value.length > 1 && !functions.value.includes(fn.value);
	const most = Math.max(1, ...runs.map((r) => registers(r.pressure) ?? 0));

	useEffect(() => {
		list.current?.querySelector(`#pass-${current.value}`)?.scrollIntoView({ block: 'nearest' });
	}, [current.value]);

	const keys = (e: KeyboardEvent) => {
		const to = e.key === 'Home' ? listed[0] : e.key === 'End' ? listed.at(-1) : undefined;
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		if (e.key === 'ArrowDown' || e.key === 'ArrowUp')
			moveSelection(e.key === 'ArrowDown' ? 1 : -1, false);
		else if (to !== undefined)
			selectRun(to);
		else
			return;
		e.preventDefault();
	};

	return (
		<section class={`pane passes${stale.value ? ' stale' : ''}`} aria-label="Passes">
			<header>
				<h2>Passes</h2>
				<span class="quiet" data-testid="pass-count">{counts.value.changed} of {counts.value.all}</span>
				<label class="check">
					<input type="checkbox" checked={changedOnly.value} onChange={(e) => { changedOnly.value = e.currentTarget.checked; }} />
					changed only
				</label>
			</header>
			<div class="filters">
				<input
					type="search" placeholder="Filter passes" aria-label="Filter passes" value={passFilter.value} spellcheck={false}
					onInput={(e) => { passFilter.value = e.currentTarget.value; }}
					onKeyDown={(e) => {
						if (e.key !== 'ArrowDown' && e.key !== 'Enter')
							return;
						if (listed[0] !== undefined)
							selectRun(listed[0]);
						list.current?.focus();
						e.preventDefault();
					}}
				/>
				{functions.value.length > 1 && (
					<select aria-label="Function" value={fn.value} onChange={(e) => { fn.value = e.currentTarget.value; }}>
						<option value="">all functions</option>
						{functions.value.map((name) => <option key={name} value={name}>{name}</option>)}
					</select>
				)}
			</div>
			<div
				ref={list} class="list" role="listbox" aria-label="Passes in pipeline order" tabIndex={0} data-testid="pass-list"
				aria-activedescendant={listed.includes(current.value) ? `pass-${current.value}` : undefined} onKeyDown={keys}
			>
				{grouped(listed).map((group) => (
					<div key={`${group.title}${group.runs[0]}`} role="group" aria-label={group.title}>
						<div class="group" aria-hidden="true">{group.title}</div>
						{group.runs.map((i, k) => (
							<Item key={i} run={runs[i]!} index={i} most={most} several={several} follows={several && k > 0 && runs[group.runs[k - 1]!]!.id === runs[i]!.id} />
						))}
					</div>
				))}
			</div>
			{listed.length === 0 && (
				<p class="empty">{isPtx.value ? 'This source is PTX already: nothing is compiled, and Run executes it as it stands.'
					: runs.length === 0 ? 'Passes appear here once something compiles.' : 'No pass matches.'}</p>
			)}
		</section>
	);
}
