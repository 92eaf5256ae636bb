// A kernel that stands still: what can be done next, where its warps are, and what the lanes of one of them hold.

import { signal } from '@preact/signals';
import type { MemoryPlace, Register, WarpState } from '@ptxscope/core';
import { cancel, end, focusOn, lookAt, proceed, restart, runToBarrier, runToLine, stepBack, stepInstruction, stepLine } from '../debugging';
import { before, breakpoints, busy, currentLine, focused, history, lane, memoryPlace, originOf, session, snapshot, toggleBreakpoint } from '../standing';
import { lineHtml } from '../lang/grammar';
import { sourceKind } from '../store';

/** What is shown beside the warps. */
const looking = signal<'registers' | 'memory'>('registers');

const lanes = Array.from({ length: 32 }, (_, i) => i);
const has = (mask: number, bit: number) => ((mask >>> bit) & 1) === 1;

function maskInWords(mask: number): string {
	const on = lanes.filter((i) => has(mask, i));
	if (on.length === 32)
		return 'all lanes';
	if (on.length === 0)
		return 'no lane';
	const runs: string[] = [];
	for (let i = 0; i < on.length;) {
		let k = i;
		while (on[k + 1] === on[k]! + 1)
			k++;
		runs.push(k > i ? `${on[i]}–${on[k]}` : `${on[i]}`);
		i = k + 1;
	}
	return `lane${on.length > 1 ? 's' : ''} ${runs.join(', ')}`;
}

/** 32 small cells: active, alive but elsewhere, gone. */
function Lanes({ warp, mask }: { warp: WarpState; mask: number }) {
	return (
		<span class="lanes" role="img" aria-label={`${maskInWords(mask)} active`} title={`${maskInWords(mask)} active`}>
			{lanes.map((i) => <i key={i} class={has(mask, i) ? 'on' : has(warp.live, i) ? 'off' : 'gone'} />)}
		</span>
	);
}

const stateWords: Record<WarpState['state'], string> = { ready: '', barrier: 'at a barrier', waiting: 'waits', done: 'done' };

/** Past so many warps only those around the focused one are listed. */
const mostWarps = 48;

function Warps() {
	const warps = snapshot.value?.warps ?? [], mine = focused.value;
	const at = Math.max(0, warps.indexOf(mine!));
	const from = warps.length <= mostWarps ? 0 : Math.max(0, Math.min(at - mostWarps / 2, warps.length - mostWarps));
	const listed = warps.slice(from, from + mostWarps);
	return (
		<div class="warps" tabIndex={0} role="region" aria-label="Warps" data-testid="warps">
			<table>
				<thead><tr><th scope="col">block</th><th scope="col">warp</th><th scope="col">lanes</th><th scope="col">line</th><th scope="col" /></tr></thead>
				<tbody>
					{listed.map((w) => (
						<tr key={`${w.block}.${w.warp}`} aria-current={w === mine || undefined} data-warp={`${w.block}.${w.warp}`} onClick={() => focusOn(w.block, w.warp)}>
							<td>{w.block}</td>
							<td><button type="button" class="link" onClick={() => focusOn(w.block, w.warp)}>{w.warp}</button></td>
							<td><Lanes warp={w} mask={w.mask} /></td>
							<td>{w.line || ''}</td>
							<td class="quiet">{stateWords[w.state]}{w.paths.length > 1 ? ` ${w.paths.length} paths` : ''}</td>
						</tr>
					))}
				</tbody>
			</table>
			{warps.length > listed.length && <p class="quiet">{warps.length - listed.length} warps more are resident.</p>}
			{warps.length === 0 && <p class="quiet">No warp is resident.</p>}
		</div>
	);
}

/** Where the lanes of the focused warp have parted. */
function Paths() {
	const w = focused.value;
	if (!w || w.paths.length < 2)
		return null;
	return (
		<ul class="paths" aria-label="Paths of the warp">
			{w.paths.map((p) => (
				<li key={p.path} class={p.running ? 'running' : ''}>
					<Lanes warp={w} mask={p.mask} /> line {p.line}{p.running ? ' runs next' : stateWords[p.state] && `, ${stateWords[p.state]}`}
				</li>
			))}
		</ul>
	);
}

function written(value: Register['values'][number] | undefined, type: string): string {
	if (value === undefined)
		return '';
	if (typeof value === 'boolean')
		return value ? 'true' : 'false';
	if (typeof value === 'number' && /^(?:b?f|float|double|half)/.test(type))
		return Number.isInteger(value) && Math.abs(value) < 1e15 ? value.toFixed(1) : String(Number(value.toPrecision(9)));
	return String(value);
}

const isPointer = (r: Register) => r.bits === 64 && /^(?:b64|u64|ptr)/.test(r.type);
const inHex = (v: Register['values'][number]) => `0x${BigInt.asUintN(64, BigInt(v as bigint)).toString(16)}`;

function RegisterRow({ register: r, old, mask, used }: { register: Register; old: Register | undefined; mask: number; used: boolean }) {
	const active = lanes.filter((i) => has(mask, i));
	const same = active.every((i) => r.raw[i] === r.raw[active[0]!]);
	const changed = old !== undefined && active.some((i) => old.raw[i] !== r.raw[i]);
	const value = r.values[lane.value], shown = isPointer(r) && value !== undefined ? inHex(value) : written(value, r.type);
	const all = active.map((i) => `lane ${i}: ${written(r.values[i], r.type)}`).join('\n');
	return (
		<tr class={`${changed ? 'changed' : ''}${used ? ' used' : ''}`} data-register={r.name}>
			<th scope="row">{r.name}</th>
			<td class="quiet">{r.type}</td>
			<td class="value">{shown}</td>
			<td class="quiet" title={all}>{same ? 'same' : `${new Set(active.map((i) => r.raw[i])).size} values`}</td>
		</tr>
	);
}

function Registers() {
	const now = snapshot.value, w = focused.value;
	if (!now?.registers || !w)
		return <p class="quiet">No warp to look at: choose one, or take a step.</p>;
	const old = new Map(before.value?.registers?.map((r) => [r.name, r]));
	// Those of the line that runs next come first.
	const words = new Set(session.value!.text.split('\n')[currentLine.value - 1]?.match(/[%$][\w.]+/g));
	const sorted = [...now.registers.filter((r) => words.has(r.name)), ...now.registers.filter((r) => !words.has(r.name))];
	return (
		<div class="registers" tabIndex={0} role="region" aria-label="Registers" data-testid="registers">
			<table>
				<thead><tr><th scope="col">register</th><th scope="col">type</th><th scope="col">lane {lane.value}</th><th scope="col" title="What the active lanes of the warp have in the register">lanes</th></tr></thead>
				<tbody>{sorted.map((r) => <RegisterRow key={r.name} register={r} old={old.get(r.name)} mask={w.mask} used={words.has(r.name)} />)}</tbody>
			</table>
			{now.registers.length === 0 && <p class="quiet">Nothing is in a register here.</p>}
		</div>
	);
}

/** The number that the bits of an IEEE half stand for. */
function half(bits: number): number {
	const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, fraction = bits & 1023;
	if (exponent === 31)
		return fraction ? NaN : sign * Infinity;
	return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : fraction * 2 ** -24);
}

const readers: Readonly<Record<string, (view: DataView, at: number) => string>> = {
	i8: (v, i) => String(v.getInt8(i)), u8: (v, i) => String(v.getUint8(i)), i16: (v, i) => String(v.getInt16(i, true)), u16: (v, i) => String(v.getUint16(i, true)),
	i32: (v, i) => String(v.getInt32(i, true)), u32: (v, i) => String(v.getUint32(i, true)), i64: (v, i) => String(v.getBigInt64(i, true)),
	u64: (v, i) => String(v.getBigUint64(i, true)), f32: (v, i) => String(Number(v.getFloat32(i, true).toPrecision(7))), f64: (v, i) => String(v.getFloat64(i, true)),
	f16: (v, i) => String(Number(half(v.getUint16(i, true)).toPrecision(5))),
};

const placeName = (p: MemoryPlace) => 'buffer' in p ? `buffer ${p.buffer}` : 'shared' in p ? 'shared memory' : 'param' in p ? 'parameters' : 'local' in p ? 'local memory' : 'symbol';

/** Elements shown at once. */
const window = 256;

function Memory() {
	const now = snapshot.value, place = memoryPlace.value, { launch } = session.value!;
	const w = focused.value;
	const thread = w ? w.warp * 32 + lane.value : 0;
	const places: MemoryPlace[] = [
		...Object.keys(launch.buffers).map((buffer) => ({ buffer })),
		...(w ? [{ shared: w.block }, { local: { block: w.block, thread } }] : []), { param: true },
	];
	const bytes = now?.memory, old = before.value?.memory;
	const type = place && 'buffer' in place ? launch.buffers[place.buffer]?.type ?? 'u32' : 'u32';
	const size = Number(/\d+/.exec(type)?.[0] ?? 32) / 8, read = readers[type] ?? readers.u32!;
	const view = bytes && new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const past = old && bytes && old.byteLength === bytes.byteLength ? new DataView(old.buffer, old.byteOffset, old.byteLength) : undefined;
	const count = bytes ? Math.floor(bytes.byteLength / size) : 0;
	return (
		<div class="memory">
			<select
				aria-label="Memory" value={place ? placeName(place) : ''}
				onChange={(e) => lookAt(places.find((p) => placeName(p) === e.currentTarget.value) ?? null)}
			>
				<option value="">choose memory…</option>
				{places.map((p) => <option key={placeName(p)} value={placeName(p)}>{placeName(p)}</option>)}
			</select>
			{place && !bytes && <p class="quiet">There is none.</p>}
			{view && (
				<div class="cells" tabIndex={0} role="region" aria-label={placeName(place!)} data-testid="memory">
					{Array.from({ length: Math.min(count, window) }, (_, i) => {
						const value = read(view, i * size);
						return <span key={i} class={past && read(past, i * size) !== value ? 'changed' : ''} title={`element ${i}`}>{value}</span>;
					})}
				</div>
			)}
			{count > window && <p class="quiet">{type} × {count}, the first {window} shown</p>}
		</div>
	);
}

function Stops() {
	const lines = [...breakpoints.value].sort((a, b) => a - b);
	return (
		<form
			class="stops" onSubmit={(e) => {
				e.preventDefault();
				const field = e.currentTarget.elements.namedItem('line') as HTMLInputElement;
				if (field.valueAsNumber > 0)
					void runToLine(Math.round(field.valueAsNumber));
			}}
		>
			<label>Run to line <input type="number" name="line" min="1" /></label>
			<button type="submit" disabled={!!busy.value}>Go</button>
			<span class="quiet">{lines.length ? 'stops at' : 'A click on a line number sets a stop.'}</span>
			{lines.map((l) => <button key={l} type="button" aria-label={`Take away the stop at line ${l}`} title="Take it away" onClick={() => toggleBreakpoint(l)}>{l} ×</button>)}
		</form>
	);
}

function Where() {
	const progress = snapshot.value?.progress, w = focused.value, { text, level } = session.value!;
	if (!progress)
		return null;
	const line = currentLine.value, origin = originOf(line), code = text.split('\n')[line - 1]?.trim() ?? '';
	const steps = `${progress.steps.toLocaleString('en')} warp instructions`;
	if (progress.state === 'done')
		return <p class="where" data-state="done"><strong>The kernel has ended</strong> after {steps}.</p>;
	if (progress.state === 'faulted')
		return <p class="where bad" data-state="faulted"><strong>{progress.fault?.kind ?? 'fault'}</strong> {progress.fault?.message} at line {progress.fault?.line}, after {steps}.</p>;
	return (
		<p class="where" data-state={progress.state} data-line={line} data-origin={origin} data-steps={progress.steps}>
			{sourceKind.value === 'cu' && origin > 0
				? <><strong>Line {origin}</strong> of the source<span class="quiet"> ({level === 'ptx' ? 'PTX' : 'IR'} {line})</span></>
				: <><strong>Line {line}</strong>{origin > 0 && level !== 'ir' && <span class="quiet"> (IR {origin})</span>}</>}
			{' '}<code dangerouslySetInnerHTML={{ __html: lineHtml(level === 'ir' ? 'llvm' : level, code) }} />
			<span class="quiet"> {w ? `next in warp ${w.warp} of block ${w.block}` : ''} · {steps}</span>
		</p>
	);
}

export function DebugPanel() {
	const now = busy.value, over = ['done', 'faulted'].includes(snapshot.value?.progress?.state ?? '');
	const button = (label: string, title: string, act: () => unknown, off = false) =>
		<button type="button" title={title} disabled={!!now || off} onClick={() => void act()}>{label}</button>;
	return (
		<section class="stepping" aria-label="Stepping" data-testid="debug">
			<div class="debug-tools">
				{button('Step', 'One instruction of the warp: S', stepInstruction, over)}
				{button('Next line', 'On to the warp’s next line: L', stepLine, over)}
				{button('To barrier', 'Until a warp arrives at a barrier', runToBarrier, over)}
				{button('Continue', 'On to the next stop, or to the end: C', proceed, over)}
				{button('Back', 'Back to where it stood before: B', stepBack, history.value.length === 0)}
				{button('Restart', 'From the beginning', restart)}
				{now && <><progress value={now.part} aria-label="Blocks done" /><span class="quiet">{now.steps.toLocaleString('en')}</span><button type="button" onClick={cancel}>Pause</button></>}
				<span class="gap" />
				<button type="button" title="Leave the debugger" onClick={end}>End</button>
			</div>
			<div aria-live="polite"><Where /></div>
			<Stops />
			<Paths />
			<div class="debug-views">
				<Warps />
				<div class="debug-machine">
					<div class="filters" role="group" aria-label="What to look at">
						<button type="button" aria-pressed={looking.value === 'registers'} onClick={() => { looking.value = 'registers'; }}>Registers</button>
						<button type="button" aria-pressed={looking.value === 'memory'} onClick={() => { looking.value = 'memory'; }}>Memory</button>
						<label class="lane-choice">lane <input
							type="number" min="0" max="31" value={lane.value}
							onInput={(e) => { lane.value = Math.min(31, Math.max(0, Math.round(e.currentTarget.valueAsNumber || 0))); }}
						/></label>
					</div>
					{looking.value === 'registers' ? <Registers /> : <Memory />}
				</div>
			</div>
		</section>
	);
}
