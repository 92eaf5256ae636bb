// A modulo schedule as a table: a row per cycle of the interval, a column per unit; colours tell the stages apart.

import { reveal } from '../actions';
import type { ModuloSchedule } from '../moduloSchedule';
import { hot } from '../store';

export function ModuloTable({ schedule: { block, interval, units, places } }: { schedule: ModuloSchedule }) {
	const stages = Math.max(...places.map((p) => p.stage)) + 1;
	return (
		<figure class="chart" data-testid="modulo-schedule">
			<figcaption>Modulo schedule of {block}: an iteration begins each {interval} cycles, {stages} of them overlap; the number in front is the stage</figcaption>
			<table class="modulo">
				<thead><tr><th scope="col">cycle</th>{units.map((unit) => <th key={unit} scope="col">{unit}</th>)}</tr></thead>
				<tbody>
					{Array.from({ length: interval }, (_, row) => (
						<tr key={row}>
							<th scope="row">{row}</th>
							{units.map((unit) => (
								<td key={unit}>
									{places.filter((p) => p.row === row && p.unit === unit).map((p) => (
										<button
											key={p.cycle} type="button" class={`stage-${p.stage % 4}`} title={`stage ${p.stage}: cycle ${p.cycle} of its iteration`} onClick={() => reveal(p.line, 'view')}
											onMouseEnter={() => { hot.value = p.line ? { line: p.line, from: 'list' } : null; }} onMouseLeave={() => { hot.value = null; }}
										>{p.stage}: {p.mnemonic}</button>
									))}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</figure>
	);
}
