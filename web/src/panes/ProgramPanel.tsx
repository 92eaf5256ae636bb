// A whole program in the run panel: its arguments, what it prints, how it ended, what its kernels did.

import { goToLine } from '../actions';
import { changedSince } from '../freshness';
import { program, programRuns, runProgramNow, stopProgram, type ProgramState } from '../programs';
import { programArgs, state } from '../store';

const grid = (shape: readonly number[]) => shape.filter((_, i) => i === 0 || shape.slice(i).some((m) => m > 1)).join(' × ');

function Place({ line, severity, text }: { line: number; severity: string; text: string }) {
	return (
		<li class="error">
			<button type="button" onClick={() => goToLine(line)}>
				<span class="severity">{severity}</span>{line > 0 && <span class="place">line {line} of the source</span>}<span class="text">{text}</span>
			</button>
		</li>
	);
}

/** How it ended, in a sentence. */
function ending({ state: now, result, message }: ProgramState): string {
	if (now === 'building')
		return 'clang builds both sides of the program…';
	if (now === 'running')
		return 'Running…';
	if (!result)
		return message;
	const { status, launches, ms } = result, n = launches.length;
	return `Exit status ${status}; ${n} launch${n === 1 ? '' : 'es'}; ${ms.toPrecision(3)} ms by the model of time.`;
}

function Launches({ result }: { result: NonNullable<ProgramState['result']> }) {
	const rows = result.launches.slice(0, 200);
	return (
		<details class="launches">
			<summary>Launches</summary>
			<table>
				<thead><tr><th scope="col">kernel</th><th scope="col">grid</th><th scope="col">block</th><th scope="col">warp instructions</th></tr></thead>
				<tbody>{rows.map((l, i) => <tr key={i}><td><code>{l.kernel}</code></td><td>{grid(l.grid)}</td><td>{grid(l.block)}</td><td>{l.steps.toLocaleString('en')}</td></tr>)}</tbody>
			</table>
			{result.launches.length > rows.length && <p class="quiet">and {result.launches.length - rows.length} more</p>}
		</details>
	);
}

export function ProgramPanel({ onKernels }: { onKernels: () => void }) {
	const now = program.value, changed = now && !programRuns.value ? changedSince(now.key) : '';
	return (
		<>
			<div class="filters">
				{programRuns.value
					? <button type="button" onClick={() => stopProgram()}>Stop</button>
					: <button type="button" class="primary" disabled={state.value === 'loading'} onClick={() => void runProgramNow()}>Run program</button>}
				<label class="program-args">arguments <input
					aria-label="Arguments of the program" spellcheck={false} value={programArgs.value} placeholder="none"
					onInput={(e) => { programArgs.value = e.currentTarget.value; }} onKeyDown={(e) => { if (e.key === 'Enter') void runProgramNow(); }}
				/></label>
				<span class="gap" />
				<button type="button" onClick={onKernels} title="Launch a kernel of the program by itself, with buffers of your own">One kernel</button>
			</div>
			<div class={`run-body program${changed ? ' outdated' : ''}`} data-testid="program" data-state={now?.state ?? 'none'}>
				{!now && <p class="empty">The source has a main: its host code runs here as WebAssembly, its kernels on the emulator.</p>}
				{now && (
					<>
						<p class={now.state === 'failed' ? 'run-error' : 'quiet'} role="status" data-testid="program-status">{changed && `From before the ${changed} changed. `}{ending(now)}</p>
						{now.problems.length > 0 && <ol class="problems">{now.problems.map((d, i) => <Place key={i} line={d.line} severity={d.severity} text={d.message} />)}</ol>}
						{now.result && now.result.faults.length > 0 && (
							<ol class="problems" data-testid="program-faults">{now.result.faults.map((f, i) => (
								<Place key={i} line={f.line} severity={f.kind} text={`${f.message}${f.thread ? ` in thread (${f.thread.join(', ')}) of block (${f.block!.join(', ')})` : ''}, kernel ${f.kernel}`} />
							))}</ol>
						)}
						{now.printed.length > 0 && (
							<pre class="printed program-output" data-testid="program-output" tabIndex={0} role="region" aria-label="Output of the program">
								{now.printed.map((p, i) => <span key={i} class={p.stream === 2 ? 'bad' : ''}>{p.text}</span>)}
							</pre>
						)}
						{now.result && now.result.launches.length > 0 && <Launches result={now.result} />}
					</>
				)}
			</div>
		</>
	);
}
