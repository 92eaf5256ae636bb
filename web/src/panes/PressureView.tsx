// Registers live at the fullest place after every pass, and the number of instructions: two step lines over the pipeline.

import { useMemo } from 'preact/hooks';
import type { PassRun } from '@ptxscope/core';
import { reveal, selectRun } from '../actions';
import { valueOfLine } from '../value';
import { liveRanges } from '../liveRanges';
import { readLiveness, type Liveness } from '../liveness';
import { moduloSchedules } from '../moduloSchedule';
import { pressureAlong } from '../pressureAlong';
import { current, hot, isPtx, levelOf, runsInScope, selected, shown } from '../store';
import { LiveRangeChart } from './LiveRangeChart';
import { ModuloTable } from './ModuloTable';
import { registers } from '../instructions';

const width = 640, height = 150, left = 40, bottom = 20;

function Chart({ title, unit, points }: { title: string; unit: string; points: { index: number; run: PassRun; value: number }[] }) {
	const most = Math.max(1, ...points.map((p) => p.value));
	const x = (k: number) => left + (width - left - 8) * (points.length < 2 ? 0.5 : k / (points.length - 1));
	const y = (value: number) => 8 + (height - bottom - 8) * (1 - value / most);
	const path = points.map((p, k) => k === 0 ? `M${x(0)} ${y(p.value)}` : `H${x(k)}V${y(p.value)}`).join('');
	return (
		<figure class="chart">
			<figcaption>{title}</figcaption>
			<svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title}: from ${points[0]!.value} to ${points.at(-1)!.value}, at most ${most}`}>
				{[0, most / 2, most].map((v) => (
					<g key={v}>
						<line class="grid" x1={left} x2={width - 8} y1={y(v)} y2={y(v)} />
						<text x={left - 6} y={y(v) + 4} text-anchor="end">{Math.round(v)}</text>
					</g>
				))}
				<path class="line" d={path} />
				{points.map((p, k) => (
					<g key={p.index} class={`point${p.index === selected.value ? ' on' : ''}`} onClick={() => selectRun(p.index)}>
						<rect x={x(k) - 4} y={0} width={8} height={height} fill="transparent" />
						<circle cx={x(k)} cy={y(p.value)} r={p.index === selected.value ? 4 : 2.5} />
						<title>{`${p.run.id}: ${p.value} ${unit}`}</title>
					</g>
				))}
			</svg>
		</figure>
	);
}

/** Registers alive along the code of one machine text, with its blocks marked. */
function AlongChart({ run, liveness }: { run: PassRun; liveness: Liveness }) {
	const { points, peak: fullest } = useMemo(() => pressureAlong(liveness), [liveness]), { blocks, insts } = liveness;
	const budget = shown.value!.trace.functions.find((f) => f.name === run.function)?.budget?.registers;
	const peak = fullest.live, top = points[fullest.at]!;
	/** The budget stretches the scale where the code comes near it. */
	const near = budget && budget.limit <= 2 * peak, most = Math.max(1, peak, near ? budget.limit : 0);
	const x = (k: number) => left + (width - left - 8) * k / points.length, y = (v: number) => 8 + (height - bottom - 8) * (1 - v / most);
	const area = `M${x(0)} ${y(0)}${points.map((p, k) => `L${x(k).toFixed(1)} ${y(p.live).toFixed(1)}H${x(k + 1).toFixed(1)}`).join('')}V${y(0)}Z`;
	const light = (e: MouseEvent & { currentTarget: SVGSVGElement }) => {
		const box = e.currentTarget.getBoundingClientRect(), at = (e.clientX - box.left) / box.width * width;
		const point = points[Math.floor((at - left) / (width - left - 8) * points.length)];
		const origin = point && run.lines?.[point.line - 1];
		hot.value = origin ? { line: origin, from: 'list' } : null;
	};
	return (
		<figure class="chart" data-testid="pressure-along">
			<figcaption>Registers alive along the code of {run.function} after {run.id}: {peak} at the fullest place, line {top.line} of its text{budget && `; budget: ${budget.limit} (${budget.by})`}</figcaption>
			<svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Registers alive along ${points.length} instructions, at most ${peak}`} onMouseMove={light} onMouseLeave={() => { hot.value = null; }}>
				{[0, most / 2, most].map((v) => (
					<g key={v}>
						<line class="grid" x1={left} x2={width - 8} y1={y(v)} y2={y(v)} />
						<text x={left - 6} y={y(v) + 4} text-anchor="end">{Math.round(v)}</text>
					</g>
				))}
				<path class="area" d={area} />
				{near && (
					<g data-testid="budget-line">
						<line class="budget" x1={left} x2={width - 8} y1={y(budget.limit)} y2={y(budget.limit)} />
						<text x={width - 10} y={y(budget.limit) + 12} text-anchor="end">{budget.by}</text>
					</g>
				)}
				{blocks.map((b, i) => (
					<g key={b.name}>
						<line class="grid" x1={x(b.at)} x2={x(b.at)} y1={8} y2={height - bottom} />
						{x(blocks[i + 1]?.at ?? points.length) - x(b.at) > 26 && <text x={x(b.at) + 3} y={height - 6}>bb.{b.name}</text>}
					</g>
				))}
				{peak > 0 && <line class="peak" x1={x(fullest.at + .5)} x2={x(fullest.at + .5)} y1={8} y2={height - bottom} />}
			</svg>
			<Alive run={run} registers={fullest.registers} insts={insts} />
		</figure>
	);
}

/** Who is alive at the fullest place: each register with the value that it holds. */
function Alive({ run, registers: alive, insts }: { run: PassRun; registers: string[]; insts: Liveness['insts'] }) {
	const originOf = (name: string) => run.lines?.[(insts.find((i) => i.defs.includes(name))?.line ?? 0) - 1] ?? 0;
	return (
		<details class="alive" data-testid="alive-at-peak" open>
			<summary>Alive there: {alive.length} values</summary>
			{alive.sort((a, b) => originOf(a) - originOf(b) || Number(a) - Number(b)).map((name) => {
				const origin = originOf(name), of = origin ? valueOfLine(origin) : null;
				return (
					<button key={name} type="button" class="value-name" disabled={!origin} title={origin ? `from line ${origin} of the input` : 'of no line of the input'} onClick={() => reveal(origin, 'view')}>
						%{name}{of && <span class="quiet"> {of.name}</span>}
					</button>
				);
			})}
		</details>
	);
}

/** The machine text to look along: of the selected run, or the last one of its function. */
function machineRun(): number {
	const { passes } = shown.value!.trace, index = current.value, run = passes[index];
	if (run && levelOf(run) === 'mir' && run.text !== null && run.function)
		return index;
	const name = run?.function || passes.findLast((r) => r.function)?.function;
	return passes.findLastIndex((r) => r.function === name && levelOf(r) === 'mir' && r.text !== null);
}

export function PressureView() {
	const runs = shown.value!.trace.passes;
	const all = runsInScope.value.map((index) => ({ index, run: runs[index]! }));
	const pressure = all.flatMap((p) => {
		const value = registers(p.run.pressure);
		return value === null ? [] : [{ ...p, value }];
	});
	const size = all.filter((p) => p.run.insts > 0).map((p) => ({ ...p, value: p.run.insts }));
	const machine = machineRun(), { texts, functions } = shown.value!.trace;
	// PTX that was not compiled has one text for all its functions: the kernel is looked along.
	const ptxFunction = isPtx.value ? (functions.find((f) => f.kernel) ?? functions[0])?.name ?? '' : '';
	const run = ptxFunction && runs[0] ? { ...runs[0], id: 'the input', function: ptxFunction } : runs[machine];
	const liveness = useMemo(() => readLiveness(texts[run?.text ?? -1] ?? '', ptxFunction), [texts, machine, ptxFunction]);
	const ranges = useMemo(() => liveRanges(liveness), [liveness]);
	if (pressure.length === 0 && size.length === 0 && liveness.insts.length === 0)
		return <p class="empty">The passes of this compilation report neither sizes nor registers.</p>;
	return (
		<div class="charts" tabIndex={0} role="region" aria-label="Charts over the pipeline">
			{run && liveness.insts.length > 0 && <AlongChart run={run} liveness={liveness} />}
			{run && moduloSchedules(shown.value!.trace, run.function).map((schedule) => <ModuloTable key={schedule.block} schedule={schedule} />)}
			{run && ranges.length > 0 && <LiveRangeChart run={run} liveness={liveness} ranges={ranges} />}
			{pressure.length > 0 && <Chart title="Registers live at the fullest place, after every pass" unit="registers" points={pressure} />}
			{size.length > 0 && <Chart title="Instructions after every pass" unit="instructions" points={size} />}
		</div>
	);
}
