// "Run on GPU": the button, the form for a server, and the measured run beside the emulated one.

import { useEffect, useRef, useState } from 'preact/hooks';
import type { RemoteResult } from '@ptxscope/core/remote.js';
import type { Compared, Difference } from '../compareBuffers';
import { changedSince, isCurrent } from '../freshness';
import type { Launch, RunAnswer } from '../launch';
import { addressProblem, asking, choosing, compared, devices, forgetServer, lookAtServer, measurable, measured, runOnGpu, server, setServer, stop, trouble, type Measured } from '../runner';
import { embedded } from '../store';

/** A frame in somebody else's page may not make one press this. */
export function RunnerButton() {
	if (embedded)
		return null;
	return asking.value
		? <button type="button" onClick={stop}>Stop GPU</button>
		: <button
			type="button" disabled={!!server.value && !measurable.value} data-testid="run-on-gpu"
			title={server.value ? `Run this PTX on ${server.value.url} and compare` : 'Name a machine with a GPU first'} onClick={() => void runOnGpu()}
		>Run on GPU</button>;
}

function ServerForm() {
	const kept = server.value;
	const [url, setUrl] = useState(kept?.url ?? ''), [token, setToken] = useState(kept?.token ?? ''), problem = url ? addressProblem(url) : '';
	return (
		<fieldset class="runner-form" data-testid="runner-settings">
			<legend>Machine with a GPU</legend>
			<label>Address <input type="url" value={url} placeholder="http://127.0.0.1:4174" spellcheck={false} onInput={(e) => setUrl(e.currentTarget.value.trim())} /></label>
			<label>Token <input type="password" autocomplete="off" value={token} spellcheck={false} onInput={(e) => setToken(e.currentTarget.value.trim())} /></label>
			{devices.value.length > 0 && kept && (
				<label>Device <select value={kept.device} onChange={(e) => setServer({ ...kept, device: e.currentTarget.value })}>
					<option value="">the first</option>
					{devices.value.filter((d) => d.kind !== 'ptxas').map((d) => <option key={d.class} value={d.class}>{d.name}</option>)}
				</select></label>
			)}
			{problem && <p class="bad">{problem}</p>}
			<p class="quiet">Kept on this device only: no link holds it. PTX and launch are sent there when you press Run on GPU.</p>
			<div class="filters">
				<button type="button" class="primary" disabled={!url || !!problem} onClick={() => { setServer({ url, token, device: '' }); lookAtServer(); }}>Connect</button>
				{kept && <button type="button" onClick={forgetServer}>Forget</button>}
				<button type="button" onClick={() => { choosing.value = false; }}>Close</button>
			</div>
			{kept && devices.value.length > 0 && <p class="good" data-testid="runner-devices">{devices.value.map((d) => d.name).join(', ')}</p>}
		</fieldset>
	);
}

const difference = ({ index, emulated, measured: got, ulps }: Difference) => `[${index}] is ${got}, the emulator's ${emulated}${ulps === null ? '' : `: ${ulps} ULP${ulps === 1n ? '' : 's'} apart`}`;

function BufferRow({ name, count, different, first, worst }: Compared) {
	return (
		<li data-buffer={name} data-different={different}>
			<code>{name}</code>{' '}
			{different === 0 ? <span class="good">equal, all {count} elements bit by bit</span>
				: <span class="bad">{different} of {count} differ; the first: {difference(first!)}{worst && worst.index !== first!.index && `; the farthest: ${difference(worst)}`}</span>}
		</li>
	);
}

const none = '–';
const number = (value: number | undefined) => value === undefined ? none : value.toLocaleString('en', { maximumSignificantDigits: 4 });

/** What both have, side by side: [what, emulated, measured]. */
function rowsOf(result: RemoteResult, emulated: RunAnswer | null, launch: Launch): [string, string, string][] {
	const [gx, gy, gz] = launch.grid, [bx, by, bz] = launch.block, f = result.function, stats = emulated?.stats, p = result.ptxas?.ok ? result.ptxas : undefined;
	const warps = gx * gy * gz * Math.ceil(bx * by * bz / (result.device.warp ?? 32));
	return [
		['time', none, result.time ? `${number(result.time.medianMs * 1000)} µs, median of ${result.time.launches}` : none],
		['clock', none, result.device.clockMHz ? `${result.device.clockMHz} MHz as reported` : none],
		['registers', none, `${f?.registers ?? none}${p ? ` (ptxas: ${p.registers}, ${p.spillStoreBytes + p.spillLoadBytes} bytes spilled)` : ''}`],
		['shared, local memory', none, f ? `${f.sharedBytes}, ${f.localBytes} bytes` : none],
		['machine code', none, p ? `${p.sassInstructions} instructions, ${p.sassBytes} bytes` : none],
		['occupancy', none, f ? `${Math.round(100 * f.occupancy)} %` : none],
		['instructions per warp', number(stats && stats.warpInstructions! / warps), none],
		['global sectors', number(stats?.globalSectors), none],
		['shared bank conflicts', number(stats?.sharedBankConflicts), none],
	];
}

function Result({ of }: { of: Measured }) {
	const result = of.job.result!, changed = changedSince(of.key), { fault } = result, box = useRef<HTMLElement>(null);
	useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [of]);
	return (
		<section ref={box} class={`result${changed ? ' outdated' : ''}`} data-testid="gpu-result" data-outdated={changed || undefined} aria-label="On the GPU">
			<h3 class="printed-head">{result.device.name}, driver {result.device.driver}{of.job.cached && ', from store'}</h3>
			{changed && <p class="quiet">From before the {changed} changed.</p>}
			{fault && <p class="bad" data-testid="gpu-fault">{fault.result}: {fault.message ?? fault.text}{fault.line ? `, line ${fault.line} of the PTX` : ''}</p>}
			{!of.emulated && <p class="quiet">The emulator did not run this; there is nothing to compare with.</p>}
			{of.emulated && of.emulated.faults.length > 0 && !fault && <p class="bad">The emulator ends in a fault: {of.emulated.faults[0]!.message}</p>}
			{of.emulated && !fault && <ul class="compared">{compared.value.map((c) => <BufferRow key={c.name} {...c} />)}</ul>}
			{of.emulated && (result.printf || of.emulated.printf) && <p class={result.printf === (of.emulated.printf ?? '') ? 'good' : 'bad'}>The printed text is {result.printf === (of.emulated.printf ?? '') ? 'the same' : 'not the same'}.</p>}
			<div class="values">
				<table data-testid="emulated-measured">
					<caption class="quiet">Emulated against measured. The runner has no access to the GPU's counters, so what only they tell stands under emulated alone.</caption>
					<thead><tr><th scope="col" /><th scope="col">emulated</th><th scope="col">measured</th></tr></thead>
					<tbody>{rowsOf(result, of.emulated, of.launch).map(([what, emulated, got]) => <tr key={what}><th scope="row">{what}</th><td>{emulated}</td><td>{got}</td></tr>)}</tbody>
				</table>
			</div>
			{result.printf && <pre class="printed" tabIndex={0} role="region" aria-label="Printed on the GPU">{result.printf}{result.printfCut && '…'}</pre>}
		</section>
	);
}

/** Everything below the buttons. */
export function RunnerPart() {
	const t = trouble.value, m = measured.value;
	if (embedded)
		return null;
	return (
		<div class="runner">
			{!choosing.value && server.value && <p class="quiet">GPU: {server.value.url} <button type="button" class="link" onClick={() => { choosing.value = true; }}>change…</button></p>}
			{choosing.value && <ServerForm />}
			<div aria-live="polite">
				{asking.value && <p class="quiet">{asking.value}</p>}
				{t && isCurrent(t.key) && <pre class="run-error" data-testid="runner-error">{t.line ? `line ${t.line} of the PTX: ` : ''}{t.message}</pre>}
			</div>
			{m && <Result of={m} />}
		</div>
	);
}
