import { signal } from '@preact/signals';
import { goToLine, selectRun } from '../actions';
import { asNumbers, parseLaunch, wrongPlaces, type Launch, type Scalar } from '../launch';
import {
	changeLaunch, checked, checkNow, launchText, ran, runError, runLevel, running, runNow, stopRunning, useGuess, type Ran, type RunLevel,
} from '../running';
import { end, session, start } from '../debugging';
import { pane, shown, source, state, tab } from '../store';

const buffer = signal('');
const editing = signal(false);

function Triple({ label, value, onChange }: { label: string; value: readonly number[]; onChange: (value: [number, number, number]) => void }) {
	return (
		<span class="triple" role="group" aria-label={label}>
			<span>{label}</span>
			{['x', 'y', 'z'].map((axis, i) => (
				<input
					key={axis} type="number" min="1" aria-label={`${label} ${axis}`} value={value[i]}
					onChange={(e) => {
						const next = [...value] as [number, number, number];
						next[i] = Math.max(1, Math.round(e.currentTarget.valueAsNumber || 1));
						onChange(next);
					}}
				/>
			))}
		</span>
	);
}

const argument = (arg: Record<string, unknown>) => Object.entries(arg).map(([k, v]) => k === 'buffer' ? String(v) : `${k} ${JSON.stringify(v)}`).join(' ');

function LaunchForm({ launch }: { launch: Launch }) {
	return (
		<div class="launch-form">
			<code>{launch.kernel}</code>
			<Triple label="grid" value={launch.grid} onChange={(grid) => changeLaunch({ grid })} />
			<Triple label="block" value={launch.block} onChange={(block) => changeLaunch({ block })} />
			<span class="quiet">({launch.args.map(argument).join(', ')})</span>
		</div>
	);
}

const statNames: Record<string, string> = {
	threadInstructions: 'thread instructions', warpInstructions: 'warp instructions', divergentBranches: 'divergent branches',
	simtEfficiency: 'lanes busy', globalSectors: 'global sectors', sharedBankConflicts: 'bank conflicts', barriers: 'barriers',
};

const shortly = (value: number) => Number.isInteger(value) ? value.toLocaleString('en') : Math.abs(value) <= 1 ? `${Math.round(value * 100)} %` : value.toPrecision(4);

/** Values by index as columns; many values become the extremes of their stretch. */
function Plot({ values, wrong }: { values: number[]; wrong: ReadonlySet<number> }) {
	const width = 600, height = 90, columns = Math.min(values.length, width / 2);
	const finite = values.filter(Number.isFinite);
	const low = Math.min(0, ...finite), high = Math.max(0, ...finite);
	const y = (v: number) => 4 + (height - 8) * (1 - (v - low) / (high - low || 1));
	const bars = Array.from({ length: columns }, (_, c) => {
		const from = Math.floor(c * values.length / columns), to = Math.max(from + 1, Math.floor((c + 1) * values.length / columns));
		const part = values.slice(from, to).filter(Number.isFinite);
		const bad = [...wrong].some((i) => i >= from && i < to);
		return { top: y(Math.max(0, ...part)), bottom: y(Math.min(0, ...part)), bad };
	});
	return (
		<svg class="plot" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={`${values.length} values from ${low} to ${high}`}>
			{bars.map((b, c) => <rect key={c} class={b.bad ? 'bad' : ''} x={c * width / columns} y={b.top} width={Math.max(0.6, width / columns - 0.6)} height={Math.max(0.8, b.bottom - b.top)} />)}
		</svg>
	);
}

function BufferView({ result, name }: { result: Ran; name: string }) {
	const { type, values } = result.answer.buffers[name]!;
	const expected = result.launch.expect?.[name];
	const wrong = wrongPlaces(values, type, expected);
	const bad = new Set(wrong ?? []);
	const first = wrong?.length ? Math.max(0, wrong[0]! - 4) : 0;
	const rows = values.slice(first, first + 128);
	return (
		<>
			<Plot values={asNumbers(values)} wrong={bad} />
			<p class="quiet">
				{type} × {values.length}
				{wrong && (wrong.length === 0 ? ', as expected' : `, ${wrong.length} not as expected, first at ${wrong[0]}`)}
			</p>
			<div class="values" tabIndex={0} role="region" aria-label={`Values of ${name}`}>
				<table>
					<thead><tr><th scope="col">index</th><th scope="col">value</th>{expected?.values && <th scope="col">expected</th>}</tr></thead>
					<tbody>
						{rows.map((value: Scalar, i) => (
							<tr key={first + i} class={bad.has(first + i) ? 'wrong' : ''}>
								<th scope="row">{first + i}</th><td>{value}</td>{expected?.values && <td>{expected.values[first + i]}</td>}
							</tr>
						))}
					</tbody>
				</table>
				{values.length > first + rows.length && <p class="quiet">and {values.length - first - rows.length} more</p>}
			</div>
		</>
	);
}

function Result({ result }: { result: Ran }) {
	const { buffers, stats, faults } = result.answer;
	const names = Object.keys(buffers);
	const shownName = names.includes(buffer.value) ? buffer.value
		: names.find((n) => result.launch.expect?.[n]) ?? names.at(-1);
	return (
		<div class="result" data-testid="run-result">
			{result.source !== source.value && <p class="quiet">From before the last edit.</p>}
			{faults.length > 0 && (
				<ol class="problems">
					{faults.map((f, i) => (
						<li key={i} class="error">
							<button type="button" onClick={() => goToLine(f.origin ?? 0)}>
								<span class="severity">{f.kind}</span>{f.origin ? <span class="place">line {f.origin}</span> : null}
								<span class="text">{f.message}{f.thread && ` in thread (${f.thread.join(', ')}) of block (${f.block?.join(', ')})`}</span>
							</button>
						</li>
					))}
				</ol>
			)}
			<dl class="stats">
				{Object.entries(stats).map(([key, value]) => (
					<div key={key}><dt>{statNames[key] ?? key.replace(/([A-Z])/g, ' $1').toLowerCase()}</dt><dd>{shortly(value)}</dd></div>
				))}
			</dl>
			<div class="buffer-tabs" role="group" aria-label="Buffers">
				{names.map((name) => {
					const expected = wrongPlaces(buffers[name]!.values, buffers[name]!.type, result.launch.expect?.[name]);
					return (
						<button key={name} type="button" aria-pressed={name === shownName} onClick={() => { buffer.value = name; }}>
							{name}{expected && <span class={expected.length ? 'bad' : 'good'}>{expected.length ? ' ✗' : ' ✓'}</span>}
						</button>
					);
				})}
			</div>
			{shownName && <BufferView result={result} name={shownName} />}
		</div>
	);
}

function Checked() {
	const c = checked.value;
	if (!c)
		return null;
	const { ok, stages, pass, message } = c.verdict;
	const index = pass ? shown.value?.trace.passes.findIndex((r) => r.id === pass && r.changed) ?? -1 : -1;
	return (
		<p class={`check-result ${ok ? 'good' : 'bad'}`} data-testid="check-result">
			{ok ? `✓ The kernel was executed ${stages} times, as IR, after every pass that changed it and as PTX: it always computes the same.`
				: <>✗ {pass ? <>The first wrong result comes after {index >= 0
					? <button type="button" class="link" onClick={() => selectRun(index)}>{pass}</button> : <strong>{pass}</strong>}</> : 'The PTX computes something else'}: {message}.</>}
		</p>
	);
}

const levels: ReadonlyArray<{ id: RunLevel; title: string }> = [
	{ id: 'ptx', title: 'PTX' }, { id: 'mir', title: 'machine IR' }, { id: 'ir', title: 'LLVM IR' },
];

export function RunPanel() {
	const launch = launchText.value ? parseLaunch(launchText.value) : null;
	return (
		<div class="run" data-testid="run">
			<div class="filters">
				{running.value
					? <button type="button" onClick={stopRunning}>Stop</button>
					: <button type="button" class="primary" disabled={!launch || typeof launch === 'string'} onClick={() => void runNow()}>Run</button>}
				<select aria-label="What to execute" value={runLevel.value} disabled={!!session.value} onChange={(e) => { runLevel.value = e.currentTarget.value as RunLevel; }}>
					{levels.map((l) => <option key={l.id} value={l.id}>{l.title}</option>)}
				</select>
				<button
					type="button" disabled={!!running.value || !launch || typeof launch === 'string' || state.value === 'loading'} aria-pressed={!!session.value}
					title="Execute the kernel step by step" onClick={() => session.value ? end() : void start()}
				>{session.value ? 'End stepping' : 'Step through'}</button>
				<button type="button" disabled={!!running.value || !launch || typeof launch === 'string'} title="Execute the code after every pass and compare" onClick={() => void checkNow()}>Check every pass</button>
				<span class="gap" />
				<button type="button" aria-pressed={editing.value} onClick={() => { editing.value = !editing.value; }}>Edit launch</button>
			</div>
			<div class="run-body">
				{!launch && <p class="empty">There is no launch for this source. <button type="button" class="link" onClick={useGuess}>Make one from the kernel's signature</button></p>}
				{launch && typeof launch !== 'string' && <LaunchForm launch={launch} />}
				{typeof launch === 'string' && <p class="bad-launch">{launch}</p>}
				{editing.value && (
					<textarea
						class="launch-text" aria-label="Launch description, JSON" spellcheck={false} rows={10} value={launchText.value}
						onInput={(e) => { launchText.value = e.currentTarget.value; }}
					/>
				)}
				<div aria-live="polite">
					{running.value && <p class="quiet">{running.value === 'run' ? 'Running…' : 'Running the code after every pass…'}</p>}
					{runError.value && <pre class="run-error">{runError.value}</pre>}
					<Checked />
				</div>
				{session.value && <p class="quiet">The kernel stands still: <button type="button" class="link" onClick={() => { tab.value = 'step'; pane.value = 'view'; }}>step on</button></p>}
				{ran.value && <Result result={ran.value} />}
			</div>
		</div>
	);
}
