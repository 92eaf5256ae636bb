// Registers live at the fullest place after every pass, and the number of instructions: two step lines over the pipeline.

import type { PassRun } from '@ptxscope/core';
import { selectRun } from '../actions';
import { runsInScope, selected, shown } from '../store';
import { registers } from './PassList';

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

export function PressureView() {
	const runs = shown.value!.trace.passes;
	const all = runsInScope.value.map((index) => ({ index, run: runs[index]! }));
	const pressure = all.flatMap((p) => {
		const value = registers(p.run.pressure);
		return value === null ? [] : [{ ...p, value }];
	});
	const size = all.filter((p) => p.run.insts > 0).map((p) => ({ ...p, value: p.run.insts }));
	if (pressure.length === 0 && size.length === 0)
		return <p class="empty">The passes of this compilation report neither sizes nor registers.</p>;
	return (
		<div class="charts" tabIndex={0} role="region" aria-label="Charts over the pipeline">
			{pressure.length > 0 && <Chart title="Registers live at the fullest place, after every pass" unit="registers" points={pressure} />}
			{size.length > 0 && <Chart title="Instructions after every pass" unit="instructions" points={size} />}
		</div>
	);
}
