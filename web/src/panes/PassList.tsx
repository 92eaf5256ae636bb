import { computed } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { moveSelection, openRun, selectRun } from '../actions';
import { stale } from '../freshness';
import { registers } from '../instructions';
import { kernels } from '../kernels';
import { bundled, listedRuns } from '../listing';
import { checked } from '../running';
import { found, inPtx, search, searchPattern } from '../search';
import { FullButton } from '../ui/PaneTools';
import { verdict } from '../verdict';
import {
	changedHere, changedOnly, counts, current, fn, functions, isPtx, passFilter, passInfo, shown,
} from '../store';

const groupNames: Record<string, string> = {
	input: 'Input', ir: 'LLVM IR', isel: 'Instruction selection', 'pre-ra': 'Before register allocation', ra: 'Register allocation',
	'post-ra': 'After register allocation', emission: 'Emission',
};

/** What a pass did to the text, or to what is searched for. */
function Delta({ runs }: { runs: readonly number[] }) {
	const changes = runs.map((i) => shown.value?.changes[i]);
	const total = (of: (i: number) => number | undefined) => runs.reduce((n, i) => n + (of(i) ?? 0), 0);
	const plus = (n: number, title?: string) => n > 0 && <span class="plus" title={title}>+{n}</span>;
	const minus = (n: number, title?: string) => n > 0 && <span class="minus" title={title}>−{n}</span>;
	if (searchPattern.value) {
		const more = total((i) => found.value.get(i)?.more), touched = total((i) => found.value.get(i)?.touched), left = total((i) => found.value.get(i)?.left);
		return <span class="delta">{plus(more, 'so many more than before')}{minus(-more, 'so many fewer than before')}{more === 0 && <span title={touched ? 'lines with it are changed' : 'so many here'}>{touched ? `±${touched}` : left}</span>}</span>;
	}
	if (changes.some((c) => c?.crossing))
		return <span class="delta lowered" title="The code is lowered to another form here">lowered</span>;
	return <span class="delta">{plus(changes.reduce((n, c) => n + (c?.added ?? 0), 0))}{minus(changes.reduce((n, c) => n + (c?.removed ?? 0), 0))}</span>;
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

function Verdict({ runs }: { runs: readonly number[] }) {
	const known = runs.map((i) => verdicts.value.get(i)).filter((ok) => ok !== undefined), ok = known.every(Boolean);
	return <span class="same-result">{known.length > 0 && <span class={ok ? 'good' : 'bad'} title={ok ? 'Computes the same as the input' : 'Computes something else'}>{ok ? '✓' : '✗'}</span>}</span>;
}

/** How many registers more or fewer are live at the fullest place; all of them where no pass before has counted. */
function RegistersDelta({ index }: { index: number }) {
	const { passes } = shown.value!.trace, run = passes[index]!, now = registers(run.pressure);
	if (now === null)
		return <span class="regs" />;
	const before = passes.findLast((r, i) => i < index && r.function === run.function && r.pressure !== null);
	const was = registers(before?.pressure), more = was === null ? null : now - was;
	return (
		<span class="regs" title={`${now} registers live at the fullest place${was === null ? '' : `, ${was} before`}`}>
			{more === null ? now : more > 0 ? `+${more}` : more < 0 ? `−${-more}` : ''}
		</span>
	);
}

const Milliseconds = ({ runs }: { runs: readonly number[] }) => {
	const ms = runs.reduce((n, i) => n + shown.value!.trace.passes[i]!.ms, 0);
	return <span class="ms" title="Milliseconds in this pass">{ms >= 10 ? Math.round(ms) : ms > 1 ? ms.toFixed(1) : ''}</span>;
};

/** The identifier inside a mangled name, for a narrow place. */
function plainName(name: string): string {
	const m = /^_ZN?(?:\d+_GLOBAL__N_1)?(?:L|K)?(\d+)(.*)$/.exec(name);
	return m ? m[2]!.slice(0, Number(m[1])) : name;
}

/** `follows`: the row above is of the same pass, whose name is not said again. */
function Item({ index, several, follows }: { index: number; several: boolean; follows: boolean }) {
	const run = shown.value!.trace.passes[index]!, info = passInfo.value.get(run.id), changes = changedHere.value.has(index);
	return (
		<div
			class={`pass${changes ? '' : ' same'}${follows ? ' follows' : ''}`} role="option" id={`pass-${index}`} aria-selected={current.value === index}
			data-testid="pass" data-pass={run.id} data-changed={String(changes)} data-function={run.function || undefined}
			title={[info?.title, info?.summary].filter(Boolean).join('\n') || undefined} onClick={() => openRun(index)}
		>
			<span class="name">
				{!follows && <>{run.id}{' '}</>}
				{(several || !run.function) && <span class="fn" title={run.function || undefined}>{plainName(run.function) || 'module'}</span>}
			</span>
			<Delta runs={[index]} /><Verdict runs={[index]} /><RegistersDelta index={index} /><Milliseconds runs={[index]} />
		</div>
	);
}

/** One row for a pass over many functions; it opens where one of them is chosen. */
function Folded({ runs }: { runs: readonly number[] }) {
	const { id } = shown.value!.trace.passes[runs[0]!]!, info = passInfo.value.get(id);
	return (
		<div
			class="pass folded" role="option" aria-selected={false} data-testid="pass" data-pass={id} data-changed={String(runs.some((i) => changedHere.value.has(i)))}
			title={[info?.title, info?.summary].filter(Boolean).join('\n') || undefined} onClick={() => selectRun(runs[0]!)}
		>
			<span class="name">{id} <span class="fn">{runs.length} functions</span></span>
			<Delta runs={runs} /><Verdict runs={runs} /><span class="regs" /><Milliseconds runs={runs} />
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

/** What the search has found, in a sentence. */
function summary(): string {
	const passes = shown.value?.trace.passes ?? [];
	const inInput = [...found.value].reduce((n, [i, f]) => n + (passes[i]!.id === 'input' ? f.left : 0), 0);
	const more = [...found.value.values()].filter((f) => f.more > 0).length, fewer = [...found.value.values()].filter((f) => f.more < 0).length;
	const times = (n: number) => n === 1 ? 'once' : `${n} times`;
	return `In the input ${inInput ? times(inInput) : 'nowhere'}; added by ${more}, removed by ${fewer} passes; in the PTX ${inPtx.value ? times(inPtx.value) : 'nowhere'}.`;
}

export function PassList() {
	const list = useRef<HTMLDivElement>(null);
	const runs = shown.value?.trace.passes ?? [];
	const listed = listedRuns.value;
	const several = functions.value.length > 1 && !functions.value.includes(fn.value);

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
				<span class="icons"><FullButton pane="passes" /></span>
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
			<div class="filters">
				<input
					type="search" placeholder="Find in the code of all passes" aria-label="Find in the code of all passes" value={search.value} spellcheck={false}
					title="An opcode, a value or any text: the list shows which passes add or remove it" onInput={(e) => { search.value = e.currentTarget.value; }}
				/>
			</div>
			{searchPattern.value && <p class="found-in" role="status" data-testid="found-in">{summary()}</p>}
			{listed.length > 0 && (
				<div class="columns" aria-hidden="true">
					<span>pass</span><span class="delta">{searchPattern.value ? 'found' : 'change'}</span><span class="same-result" title="Does the code after the pass compute the same?">ok</span>
					<span class="regs" title="How many registers more or fewer are live at the fullest place">regs</span><span class="ms" title="Milliseconds, where it is more than one">ms</span>
				</div>
			)}
			<div
				ref={list} class="list" role="listbox" aria-label="Passes in pipeline order" tabIndex={0} data-testid="pass-list"
				aria-activedescendant={listed.includes(current.value) ? `pass-${current.value}` : undefined} onKeyDown={keys}
			>
				{grouped(listed).map((group) => (
					<div key={`${group.title}${group.runs[0]}`} role="group" aria-label={group.title}>
						<div class="group" aria-hidden="true">{group.title}</div>
						{bundled(group.runs).map((bundle) => bundle.folded ? <Folded key={bundle.runs[0]} runs={bundle.runs} />
							: bundle.runs.map((i, k) => <Item key={i} index={i} several={several} follows={several && k > 0} />))}
					</div>
				))}
			</div>
			{listed.length === 0 && (
				<p class="empty">{isPtx.value ? 'This source is PTX already: nothing is compiled, and Run executes it as it stands.'
					: runs.length === 0 ? 'Passes appear here once something compiles.' : searchPattern.value ? 'No pass adds or removes it.' : 'No pass matches.'}</p>
			)}
		</section>
	);
}
