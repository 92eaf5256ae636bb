// The contents of a buffer after a run: as a table, as a plot over the index, or as an image.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { asNumbers, wrongPlaces, type Scalar } from '../launch';
import { download } from '../download';
import type { Ran } from '../running';
import { CopyButton } from '../ui/CopyButton';

const views = { table: 'Table', plot: 'Plot', image: 'Image' } as const;
export const view = signal<keyof typeof views>('table');
/** Columns of the image; 0: about square. */
const columns = signal(0);

/** Integers as they are, floats in as many digits as their type holds. */
const written = (value: Scalar | undefined, type: string): string =>
	typeof value !== 'number' || !type.startsWith('f') ? String(value ?? '') : String(Number(value.toPrecision(type === 'f64' ? 15 : type === 'f32' ? 8 : 4)));

/** Values by index as columns; many values become the extremes of their stretch. */
function Plot({ values, wrong, type }: { values: number[]; wrong: ReadonlySet<number>; type: string }) {
	const width = 600, height = 90, bars = Math.min(values.length, width / 2);
	const finite = values.filter(Number.isFinite);
	const low = Math.min(0, ...finite), high = Math.max(0, ...finite);
	const y = (v: number) => 4 + (height - 8) * (1 - (v - low) / (high - low || 1));
	const all = Array.from({ length: bars }, (_, c) => {
		const from = Math.floor(c * values.length / bars), to = Math.max(from + 1, Math.floor((c + 1) * values.length / bars));
		const part = values.slice(from, to).filter(Number.isFinite);
		const bad = [...wrong].some((i) => i >= from && i < to);
		return { top: y(Math.max(0, ...part)), bottom: y(Math.min(0, ...part)), bad };
	});
	return (
		<figure class="plotted">
			<svg class="plot" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={`${values.length} values from ${written(low, type)} to ${written(high, type)}`}>
				{all.map((b, c) => <rect key={c} class={b.bad ? 'bad' : ''} x={c * width / bars} y={b.top} width={Math.max(0.6, width / bars - 0.6)} height={Math.max(0.8, b.bottom - b.top)} />)}
			</svg>
			<figcaption class="quiet">{written(low, type)} to {written(high, type)}, index 0 to {values.length - 1}</figcaption>
		</figure>
	);
}

/** Each value a pixel between black (the least) and white. */
function Image({ values, type }: { values: number[]; type: string }) {
	const canvas = useRef<HTMLCanvasElement>(null);
	const width = Math.max(1, Math.min(values.length, columns.value || Math.ceil(Math.sqrt(values.length)))), height = Math.ceil(values.length / width);
	const finite = values.filter(Number.isFinite), low = finite.reduce((a, b) => Math.min(a, b), Infinity), high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
	useEffect(() => {
		const pen = canvas.current?.getContext('2d');
		if (!pen)
			return;
		const picture = pen.createImageData(width, height);
		values.forEach((v, i) => {
			const shade = Number.isFinite(v) ? Math.round(255 * (v - low) / (high - low || 1)) : 0;
			// What is no number is red.
			picture.data.set([Number.isFinite(v) ? shade : 255, shade, shade, 255], 4 * i);
		});
		pen.putImageData(picture, 0, 0);
	}, [values, width]);
	return (
		<figure class="pictured">
			<canvas ref={canvas} class="image" width={width} height={height} role="img" aria-label={`${values.length} values as an image of ${width} by ${height}`} data-testid="buffer-image" />
			<figcaption class="quiet">
				<label>columns <input
					type="number" min="1" max={values.length} value={width}
					onChange={(e) => { columns.value = Math.max(1, Math.round(e.currentTarget.valueAsNumber || 0)); }}
				/></label>
				{' '}black is {written(low, type)}, white {written(high, type)}
			</figcaption>
		</figure>
	);
}

function Table({ values, wrong, type, expected, name }: { values: readonly Scalar[]; wrong: readonly number[]; type: string; expected: readonly Scalar[] | undefined; name: string }) {
	const bad = new Set(wrong);
	const first = wrong.length ? Math.max(0, wrong[0]! - 4) : 0, rows = values.slice(first, first + 128);
	return (
		<div class="values" tabIndex={0} role="region" aria-label={`Values of ${name}`}>
			<table>
				<thead><tr><th scope="col">index</th><th scope="col">value</th>{expected && <th scope="col">expected</th>}</tr></thead>
				<tbody>
					{rows.map((value, i) => (
						<tr key={first + i} class={bad.has(first + i) ? 'wrong' : ''}>
							<th scope="row">{first + i}</th><td>{written(value, type)}</td>{expected && <td>{written(expected[first + i], type)}</td>}
						</tr>
					))}
				</tbody>
			</table>
			{values.length > first + rows.length && <p class="quiet">and {values.length - first - rows.length} more</p>}
		</div>
	);
}

const lines = (values: readonly Scalar[]) => `${values.join('\n')}\n`;

export function BufferView({ result, name, compare }: { result: Ran; name: string; compare: boolean }) {
	const { type, values } = result.answer.buffers[name]!;
	const expected = compare ? result.launch.expect?.[name] : undefined;
	const wrong = wrongPlaces(values, type, expected);
	return (
		<>
			<div class="buffer-head">
				<span class="quiet">
					{type} × {values.length}
					{wrong && (wrong.length === 0 ? ', as expected' : `, ${wrong.length} not as expected, first at ${wrong[0]}`)}
				</span>
				<span class="choice">
					<CopyButton text={() => lines(values)} what={`values of ${name}, one a line`} />
					<button type="button" title={`Save the values of ${name}, one a line`} onClick={() => download(`${result.launch.kernel}.${name}.csv`, lines(values))}>Save</button>
				</span>
				<span class="choice" role="group" aria-label="Show as">
					{(Object.keys(views) as (keyof typeof views)[]).map((v) => (
						<button key={v} type="button" aria-pressed={view.value === v} onClick={() => { view.value = v; }}>{views[v]}</button>
					))}
				</span>
			</div>
			{view.value === 'image' ? <Image values={asNumbers(values)} type={type} />
				: view.value === 'plot' ? <Plot values={asNumbers(values)} wrong={new Set(wrong ?? [])} type={type} />
				: <Table values={values} wrong={wrong ?? []} type={type} expected={expected?.values} name={name} />}
		</>
	);
}
