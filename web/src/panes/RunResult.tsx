// What a run gave: faults, the verdict of the check, counts, buffers, printed text. What is older than the launch, the source or the
// configuration on screen is dimmed and says so.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { goToLine, selectRun } from '../actions';
import { stepToFault } from '../debugging';
import { changedSince, isCurrent } from '../freshness';
import { placeOf } from '../heat';
import { wrongPlaces, type Fault } from '../launch';
import { failure, ran, type Ran } from '../running';
import { shown, type RunLevel } from '../store';
import { outdatedVerdict, verdict } from '../verdict';
import { BufferView } from './BufferView';
import { Reports } from './Reports';

const buffer = signal('');

const statNames: Record<string, string> = {
	threadInstructions: 'thread instructions', warpInstructions: 'warp instructions', divergentBranches: 'divergent branches',
	simtEfficiency: 'lanes busy', globalSectors: 'global sectors', sharedBankConflicts: 'bank conflicts', barriers: 'barriers',
};

/** Of the counts one is a part of a whole. */
const stat = (key: string, value: number) => key === 'simtEfficiency' ? `${Math.round(value * 100)} %`
	: Number.isInteger(value) ? value.toLocaleString('en') : value.toPrecision(4);

const bytesOf = (type: string) => Number(/\d+/.exec(type)?.[0] ?? 8) / 8;

/** The element that an access out of bounds meant, where it is of a buffer. */
function elementOf({ message }: Fault, { buffers }: Ran['launch']): string {
	const [, distance, way, name, size] = /(\d+) bytes (past the end of|before) (\S+) \((\d+) bytes\)/.exec(message) ?? [];
	const buffer = buffers[name ?? ''];
	if (!buffer)
		return '';
	const bytes = way === 'before' ? -Number(distance) : Number(size) + Number(distance);
	return `element ${Math.floor(bytes / bytesOf(buffer.type))} of ${name}, which has ${buffer.count} of ${bytesOf(buffer.type)} bytes`;
}

/** What went wrong, where, in which thread, and the way to it. */
function FaultItem({ fault, result }: { fault: Fault; result: Ran }) {
	const place = placeOf(fault), element = elementOf(fault, result.launch);
	const at = [place?.ptxLine ? `line ${place.ptxLine} of the PTX` : '', place?.origin ? `line ${place.origin} of the source` : ''].filter(Boolean).join(', ');
	const go = () => goToLine(place?.origin ?? 0);
	return (
		<li class="error">
			<button type="button" onClick={go}>
				<span class="severity">{fault.kind}</span>{at && <span class="place">{at}</span>}
				{element && <span class="text">{element}{fault.thread && `, in thread (${fault.thread.join(', ')}) of block (${fault.block?.join(', ')})`}</span>}
				<span class={element ? 'hint' : 'text'}>{fault.message}{!element && fault.thread && ` in thread (${fault.thread.join(', ')}) of block (${fault.block?.join(', ')})`}</span>
			</button>
			{place && <button type="button" class="step-to" onClick={() => void stepToFault(fault)}>Step to it</button>}
		</li>
	);
}

/** What the kernel moved in memory, and the line of the PTX that moved most. */
function Memory({ result }: { result: Ran }) {
	const rows = result.answer.profile?.filter((p) => p.sectors > 0) ?? [];
	if (rows.length === 0)
		return null;
	const sum = (key: 'sectors' | 'requests') => rows.reduce((n, p) => n + p[key], 0);
	const most = rows.reduce((a, b) => b.sectors > a.sectors ? b : a), place = placeOf({ line: most.line, origin: most.line }), each = most.sectors / most.requests;
	return (
		<p class="run-facts" data-testid="run-memory">
			{sum('sectors').toLocaleString('en')} memory sectors in {sum('requests').toLocaleString('en')} {sum('requests') === 1 ? 'request' : 'requests'}; most at{' '}
			<button type="button" class="link" onClick={() => goToLine(place?.origin ?? 0)}>{place?.ptxLine ? `line ${place.ptxLine} of the PTX` : `line ${place?.origin} of the source`}</button>{' '}
			({most.sectors.toLocaleString('en')} sectors, {Number.isInteger(each) ? each : each.toFixed(1)} a request)
		</p>
	);
}

/** The first thing to see: what the run has come to, in a line. */
function RunVerdict() {
	const result = ran.value;
	if (!result || !isCurrent(result.key))
		return null;
	const { faults, buffers } = result.answer;
	// Reports of sanitizers do not end a run; one fault may.
	const ended = faults.filter((f) => !f.sanitizer), reports = faults.length - ended.length;
	if (faults.length > 0)
		return (
			<>
				{ended.length > 0 && <p class="bad"><strong>✗ The kernel faults</strong></p>}
				{ended.length > 0 && <ol class="problems">{ended.map((f, i) => <FaultItem key={i} fault={f} result={result} />)}</ol>}
				{reports > 0 && <p class="bad"><strong>✗ The sanitizers found {reports === 1 ? 'one thing' : `${reports} things`}</strong></p>}
				{reports > 0 && <Reports result={result} />}
			</>
		);
	const known = Object.entries(buffers).flatMap(([name, b]) => {
		const wrong = wrongPlaces(b.values, b.type, result.launch.expect?.[name]);
		return wrong ? [{ name, wrong, count: b.values.length }] : [];
	});
	const bad = known.find((k) => k.wrong.length > 0);
	return bad ? <p class="bad"><strong>✗ {bad.name} is not as expected</strong>: {bad.wrong.length} of {bad.count} elements, the first is element {bad.wrong[0]}</p>
		: known.length > 0 ? <p class="good"><strong>✓ {known.map((k) => k.name).join(', ')}: as expected</strong></p>
		: <p><strong>The kernel ran to its end</strong>; nothing is known of what it should compute.</p>;
}

const executed: Readonly<Record<RunLevel, string>> = { ptx: 'the PTX', mir: 'the machine IR', ir: 'the LLVM IR' };

/** Sanitizers that have found nothing are worth a word. */
function watchedBy({ key, answer }: Ran): string {
	const [names = '', order] = (key.watch ?? '').split(' ');
	const seeded = order ?? (/^\d+$/.test(names) ? names : ''), watched = seeded === names ? '' : names.split(',').join(', ');
	return `${watched && `, watched for ${watched}${answer.faults.length ? '' : ': nothing found'}`}${seeded && `, warps in order ${seeded}`}`;
}

function Result({ result }: { result: Ran }) {
	const { buffers, stats, faults, printf } = result.answer;
	const changed = changedSince(result.key), names = Object.keys(buffers);
	const shownName = names.includes(buffer.value) ? buffer.value
		: names.find((n) => result.launch.expect?.[n]) ?? names.at(-1);
	// A result that something has changed since, or that a fault has cut short, is not measured against what is expected.
	const compare = !changed && faults.every((f) => f.sanitizer);
	return (
		<div class={`result${changed ? ' outdated' : ''}`} data-testid="run-result" data-outdated={changed || undefined}>
			<p class="quiet">{changed ? `From before the ${changed} changed.` : `A run of ${executed[result.level]}${watchedBy(result)}.`}</p>
			<dl class="stats">
				{Object.entries(stats).map(([key, value]) => (
					<div key={key}><dt>{statNames[key] ?? key.replace(/([A-Z])/g, ' $1').toLowerCase()}</dt><dd>{stat(key, value)}</dd></div>
				))}
			</dl>
			<div class="buffer-tabs" role="group" aria-label="Buffers">
				{names.map((name) => {
					const wrong = compare ? wrongPlaces(buffers[name]!.values, buffers[name]!.type, result.launch.expect?.[name]) : null;
					return (
						<button key={name} type="button" aria-pressed={name === shownName} onClick={() => { buffer.value = name; }}>
							{name}{wrong && <span class={wrong.length ? 'bad' : 'good'}>{wrong.length ? ' ✗' : ' ✓'}</span>}
						</button>
					);
				})}
			</div>
			{shownName && <BufferView result={result} name={shownName} compare={compare} />}
			{printf && <><h3 class="printed-head">Printed</h3><pre class="printed" data-testid="printed" tabIndex={0} role="region" aria-label="Printed by the kernel">{printf}</pre></>}
		</div>
	);
}

function Checked() {
	const v = verdict.value;
	if (!v)
		return outdatedVerdict.value ? <p class="check-result quiet" data-testid="check-outdated">{outdatedVerdict.value}</p> : null;
	const index = v.pass ? shown.value?.trace.passes.findIndex((r) => r.id === v.pass && r.changed) ?? -1 : -1;
	return (
		<p class={`check-result ${v.tone === 'open' ? '' : v.tone}`} data-testid="check-result">
			{v.long} {index >= 0 && <button type="button" class="link" onClick={() => selectRun(index)}>Show {v.pass}</button>}
		</p>
	);
}

/** Messages come first, in a region that is read aloud. */
export function RunMessages() {
	const f = failure.value;
	const run = ran.value;
	return (
		<div class="verdict-card" data-testid="verdict-card">
			{f && isCurrent(f.key) && <pre class="run-error" data-testid="run-error">{f.text}</pre>}
			<RunVerdict />{run && isCurrent(run.key) && <Memory result={run} />}<Checked />
		</div>
	);
}

/** With a new result its verdict, at the top, comes into view. */
export function RunResult() {
	const box = useRef<HTMLDivElement>(null), result = ran.value;
	useEffect(() => {
		if (result && isCurrent(result.key))
			box.current?.closest('.run-body')?.scrollTo({ top: 0 });
	}, [result]);
	return result && <div ref={box} class="result-top"><Result result={result} /></div>;
}
