import { signal } from '@preact/signals';
import { end, start } from '../debugging';
import { session } from '../standing';
import { kernels, launchable, remakeLaunch } from '../kernels';
import { checkNow, executedLevel, running, runNow, stopRunning } from '../running';
import { inputKind, launchText, pane, runLevel, state, tab, type RunLevel } from '../store';
import { isProgram } from '../programs';
import { lazy } from '../ui/lazy';
import { LaunchForm } from './LaunchForm';
import { RunnerButton, RunnerPart } from './RunnerPanel';
import { RunMessages, RunResult } from './RunResult';
import { Sanitizers } from './Sanitizers';

const ProgramPanel = lazy(() => import('./ProgramPanel').then((m) => m.ProgramPanel));

const editing = signal(false);
/** Of a program: a kernel by itself. */
const oneKernel = signal(false);

const levels: ReadonlyArray<{ id: RunLevel; title: string; of: readonly string[] }> = [
	{ id: 'ptx', title: 'PTX', of: ['ll', 'mir', 'ptx'] }, { id: 'mir', title: 'machine IR', of: ['ll', 'mir'] }, { id: 'ir', title: 'LLVM IR', of: ['ll'] },
];

export function RunPanel() {
	const launch = launchable.value, kind = inputKind.value, ready = typeof launch !== 'string' && state.value !== 'loading';
	if (isProgram.value && !oneKernel.value)
		return <div class="run" data-testid="run"><ProgramPanel onKernels={() => { oneKernel.value = true; }} /></div>;
	return (
		<div class="run" data-testid="run">
			<div class="filters">
				{running.value
					? <button type="button" onClick={stopRunning}>Stop</button>
					: <button type="button" class="primary" disabled={!ready} onClick={() => void runNow()}>Run</button>}
				<RunnerButton />
				<select aria-label="What to execute" value={executedLevel()} disabled={!!session.value} onChange={(e) => { runLevel.value = e.currentTarget.value as RunLevel; }}>
					{levels.map((l) => <option key={l.id} value={l.id} disabled={!l.of.includes(kind)}>{l.title}</option>)}
				</select>
				<button
					type="button" disabled={!!running.value || !ready} aria-pressed={!!session.value}
					title="Execute the kernel step by step" onClick={() => session.value ? end() : void start()}
				>{session.value ? 'End stepping' : 'Step through'}</button>
				<button
					type="button" disabled={!!running.value || !ready || kind !== 'll'}
					title={kind === 'll' ? 'Execute the code after every pass and compare' : 'Only LLVM IR goes through all passes'} onClick={() => void checkNow()}
				>Check every pass</button>
				<span class="gap" />
				{isProgram.value && <button type="button" onClick={() => { oneKernel.value = false; }}>The program</button>}
				<button type="button" aria-pressed={editing.value} onClick={() => { editing.value = !editing.value; }}>Edit launch</button>
			</div>
			<div class="run-body">
				<div aria-live="polite">
					{running.value && <p class="quiet">{running.value === 'run' ? 'Running…' : 'Running the code after every pass…'}</p>}
					<RunMessages />
				</div>
				{typeof launch !== 'string' ? <><LaunchForm launch={launch} /><Sanitizers /></>
					: <p class={launchText.value ? 'bad-launch' : 'empty'}>{launch}{kernels.value.length > 0 && <> <button type="button" class="link" onClick={remakeLaunch}>Make one from the kernel's signature</button></>}</p>}
				{editing.value && (
					<textarea
						class="launch-text" aria-label="Launch description, JSON" spellcheck={false} rows={10} value={launchText.value}
						onInput={(e) => { launchText.value = e.currentTarget.value; }}
					/>
				)}
				{session.value && <p class="quiet">The kernel stands still: <button type="button" class="link" onClick={() => { tab.value = 'step'; pane.value = 'view'; }}>step on</button></p>}
				<RunResult />
				<RunnerPart />
			</div>
		</div>
	);
}
