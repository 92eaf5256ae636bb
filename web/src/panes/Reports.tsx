// What the sanitizers found, by sanitizer: where, in which thread, and of two accesses what both threads did and what would order them.

import { Fragment } from 'preact';
import { goToLine } from '../actions';
import { stepToAccess } from '../debugging';
import { placeOf, pointedAt } from '../heat';
import type { Access, Fault, RunEvent, Timeline } from '../launch';
import type { Ran } from '../running';
import { sanitizerNames } from '../store';

const titles: Readonly<Record<string, string>> = {
	memory: 'Memory', race: 'Races', init: 'Uninitialised', sync: 'Synchronisation', leak: 'Leaks',
};

const triple = (at: readonly number[] = []) => `(${at.join(', ')})`;
const threadName = ({ thread, block }: Access) => `thread ${triple(thread)} of block ${triple(block)}`;

/** Words for where an access is: in what was executed, in the input, and in the program behind it. */
function placeName(access: Access): string {
	const place = placeOf(access);
	const { source } = access, file = source?.file.split('/').at(-1);
	return [place?.ptxLine ? `PTX ${place.ptxLine}` : '', place?.origin ? `line ${place.origin}` : '', source ? `${file}:${source.line}` : ''].filter(Boolean).join(', ');
}

/** Marks the access in every pane and puts the caret on its line. */
function show(result: Ran, access: Access): void {
	pointedAt.value = { of: result.answer, access };
	goToLine(placeOf(access)?.origin ?? 0);
}

/** What would have ordered the two accesses. */
const missing: Readonly<Record<string, string>> = {
	'warp barrier': 'No barrier of the warp (bar.warp.sync, __syncwarp) or of the block stands between the two accesses in both threads.',
	barrier: 'No barrier of the block (bar.sync, __syncthreads) stands between the two accesses in both threads.',
	'release and acquire': 'The threads are of two blocks, which no barrier joins. One has to release (fence and atomic write), the other to acquire the same word, after the one access and before the other.',
	wait: 'The copy is asynchronous, and nobody has waited for it (cp.async.wait_group, or its mbarrier) before the other access.',
	'proxy fence': 'An asynchronous copy reads what a thread has written, and no fence.proxy.async stands between.',
};

/** Both threads, one column each, in the order in which things happened; what both did together is one row. */
function Timelines({ fault, lines, result }: { fault: Fault; lines: [Timeline, Timeline]; result: Ran }) {
	const threads: [Access, Access] = [fault, fault.other!];
	// The earlier access comes first, on the left.
	const sides = [1, 0] as const;
	const moments = [...new Set(lines.flatMap((l) => l.events.map((e) => e.moment)))].sort((a, b) => a - b);
	const same = fault.thread?.join() === fault.other?.thread?.join() && fault.block?.join() === fault.other?.block?.join();
	const shownSides = same ? [0] as const : sides;
	const last = Math.max(...lines.map((l) => l.events.find((e) => e.reported)?.moment ?? 0));
	const button = (e: RunEvent, side: 0 | 1) => {
		const text = `${e.what}${e.bytes && /read|write|access|copy/.test(e.what) ? ` of ${e.bytes} bytes` : ''}${(e.count ?? 1) > 1 ? `, ${e.count} times` : ''}`;
		return (
			<button type="button" class={e.reported ? 'reported' : ''} data-line={e.line} onClick={() => show(result, { ...threads[side], line: e.line, origin: e.origin })}>
				{text} <span class="place">{placeName(e)}</span>
			</button>
		);
	};
	return (
		<div class="timelines" data-testid="timelines" tabIndex={0} role="region" aria-label="What both threads did">
			<table>
				<thead>
					<tr>{shownSides.map((k) => <th key={k} scope="col">{threadName(threads[k])}</th>)}</tr>
				</thead>
				<tbody>
					{shownSides.some((k) => lines[k].leftOut > 0) && <tr class="quiet">{shownSides.map((k) => <td key={k}>{lines[k].leftOut > 0 ? `${lines[k].leftOut} earlier` : ''}</td>)}</tr>}
					{moments.map((moment) => {
						const of = shownSides.map((k) => lines[k].events.filter((e) => e.moment === moment));
						const together = of.length === 2 && of.every((list) => list.length === 1 && list[0]!.what === of[0]![0]?.what && /barrier/.test(list[0]!.what));
						return (
							<Fragment key={moment}>
								{moment === last && <tr class="missing"><td colSpan={shownSides.length}>{missing[fault.needs ?? '']}</td></tr>}
								{together
									? <tr class="together"><td colSpan={2}>{button(of[0]![0]!, 1)} both</td></tr>
									: <tr>{shownSides.map((k, i) => <td key={k}>{of[i]!.map((e) => button(e, k))}</td>)}</tr>}
							</Fragment>
						);
					})}
				</tbody>
			</table>
		</div>
	);
}

function Report({ fault, result }: { fault: Fault; result: Ran }) {
	const { memory, timelines } = fault, count = fault.count ?? 1;
	const what = memory?.allocation ? `${memory.allocation} + ${memory.offset}` : '';
	return (
		<li class="error report" data-kind={fault.kind}>
			<button type="button" onClick={() => show(result, fault)}>
				<span class="severity">{fault.kind}</span><span class="place">{placeName(fault)}</span>
				<span class="text">{what && <code>{what}</code>} {threadName(fault)}{count > 1 && `, ${count.toLocaleString('en')} times in all`}</span>
				<span class="hint">{fault.message}</span>
			</button>
			<span class="report-tools">
				{placeOf(fault) && <button type="button" class="step-to" onClick={() => void stepToAccess(fault, timelines?.[0].visit)}>Step to it</button>}
				{fault.other && (
					<>
						<button type="button" class="step-to" onClick={() => show(result, fault.other!)}>Other access</button>
						<button type="button" class="step-to" onClick={() => void stepToAccess(fault.other!, timelines?.[1].visit)}>Step to the other</button>
					</>
				)}
			</span>
			{timelines && fault.other && (
				<details open={result.answer.faults.find((f) => f.timelines) === fault}>
					<summary>What both threads did</summary>
					<Timelines fault={fault} lines={timelines} result={result} />
				</details>
			)}
		</li>
	);
}

/** Of a run whose faults are all reports: what was found; nothing found is said, too. */
export function Reports({ result }: { result: Ran }) {
	const reports = result.answer.faults.filter((f) => f.sanitizer);
	return (
		<div class="reports" data-testid="reports">
			{sanitizerNames.filter((name) => reports.some((r) => r.sanitizer === name)).map((name) => {
				const mine = reports.filter((r) => r.sanitizer === name);
				return (
					<section key={name} aria-label={titles[name]}>
						<h3>{titles[name]} <span class="quiet">{mine.length}</span></h3>
						<ol class="problems">{mine.map((fault, i) => <Report key={i} fault={fault} result={result} />)}</ol>
					</section>
				);
			})}
		</div>
	);
}
