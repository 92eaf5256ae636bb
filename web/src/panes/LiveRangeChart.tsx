// Live ranges of a machine function: a row per register, a column per instruction. Colours say what the allocator did to a value.

import type { PassRun } from '@ptxscope/core';
import { reveal } from '../actions';
import type { LiveRange } from '../liveRanges';
import type { Liveness } from '../liveness';
import { hot, shown } from '../store';
import { fatesOf } from '../fates';

const width = 640, left = 64, top = 16, rowHeight = 11, mostRows = 150;

const spanOf = ({ runs }: LiveRange) => runs.at(-1)!.to - runs[0]!.from;

export function LiveRangeChart({ run, liveness: { insts, blocks }, ranges }: { run: PassRun; liveness: Liveness; ranges: LiveRange[] }) {
	const { trace } = shown.value!;
	const fates = fatesOf(trace, run.function);
	const drawn = ranges.length <= mostRows ? ranges : ranges.toSorted((a, b) => spanOf(b) - spanOf(a)).slice(0, mostRows).sort((a, b) => a.runs[0]!.from - b.runs[0]!.from);
	const height = top + drawn.length * rowHeight + 4;
	const x = (k: number) => left + (width - left - 8) * k / insts.length, cell = Math.max(1.5, x(1) - x(0));
	const originOf = (r: LiveRange) => run.lines?.[insts[r.defs[0] ?? r.runs[0]!.from]!.line - 1] ?? 0;
	return (
		<figure class="chart" data-testid="live-ranges">
			<figcaption>
				Live ranges of {run.function} after {run.id}: {ranges.length} registers over {insts.length} instructions
				{drawn.length < ranges.length && `, the ${drawn.length} longest`}
				{fates.size > 0 && `; coloured: ${[...new Set([...fates.values()].map((f) => f.kind))].join(', ')}`}
			</figcaption>
			<svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`Live ranges of ${drawn.length} registers over ${insts.length} instructions`}>
				{blocks.map((b, i) => (
					<g key={b.name}>
						<line class="grid" x1={x(b.at)} x2={x(b.at)} y1={top - 4} y2={height} />
						{x(blocks[i + 1]?.at ?? insts.length) - x(b.at) > 26 && <text x={x(b.at) + 3} y={10}>bb.{b.name}</text>}
					</g>
				))}
				{drawn.map((r, row) => {
					const fate = fates.get(r.register), y = top + row * rowHeight, origin = originOf(r);
					return (
						<g
							key={r.register} class={`range point ${fate?.kind ?? ''}`} data-register={r.register} onClick={() => reveal(origin, 'view')}
							onMouseEnter={() => { hot.value = origin ? { line: origin, from: 'list' } : null; }} onMouseLeave={() => { hot.value = null; }}
						>
							<title>{`%${r.register} (${r.class})${fate ? `: ${fate.reason}` : ''}`}</title>
							<text x={left - 6} y={y + 8} text-anchor="end" font-size="9">%{r.register}</text>
							{r.runs.map(({ from, to }) => <rect key={from} x={x(from)} y={y} width={x(to + 1) - x(from)} height={rowHeight - 2} />)}
							{r.uses.map((at) => <rect key={at} class="use" x={x(at)} y={y + 2} width={cell} height={rowHeight - 6} />)}
						</g>
					);
				})}
			</svg>
		</figure>
	);
}
