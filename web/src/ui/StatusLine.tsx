import { client, goToProblem, selectRun } from '../actions';
import { checked } from '../running';
import { about, config, dialog, message, problems, shared, shown, shownSource, slow, state, type State } from '../store';
import { CopyButton } from './CopyButton';
import { commandLine } from '../commandLine';
import { storageFails } from '../storage';

const words: Record<State, string> = {
	loading: 'loading the compiler…', compiling: 'compiling…', ready: 'compiled', error: '', crashed: '',
};

function showProblem(): void {
	const first = problems.value.find((p) => p.severity === 'error');
	if (first)
		goToProblem(first);
}

/** Whether the code after every pass computes the same, once that is known of what is on screen. */
function Checked() {
	const c = checked.value;
	if (!c || state.value !== 'ready' || c.source !== shownSource.value || c.config !== config.value)
		return null;
	const { ok, pass } = c.verdict;
	if (ok)
		return <span class="quiet wide" data-testid="checked" title="The kernel was executed as IR, after every pass that changed it and as PTX"><span class="good">✓</span> every pass computes the same</span>;
	const index = shown.value?.trace.passes.findIndex((r) => r.id === pass && r.changed) ?? -1;
	return <button type="button" class="link bad" data-testid="checked" onClick={() => selectRun(index)}>✗ first wrong result after {pass || 'the last pass'}</button>;
}

export function StatusLine() {
	const result = shown.value, now = state.value;
	const ready = now === 'ready' && result;
	const lines = ready ? result.trace.ptx.split('\n').length - 1 : 0;
	return (
		<footer class="status">
			<span
				role="status" aria-live="polite" data-testid="status" data-state={now}
				data-ms={ready ? result.ms.toFixed(1) : undefined} data-version={about.value?.version} data-link={shared.value?.link}
			>
				<i class={`light ${now}`} aria-hidden="true" />
				{ready ? `compiled in ${result.ms < 10 ? result.ms.toFixed(1) : Math.round(result.ms)} ms · ${lines} lines of PTX` : message.value || words[now]}
				{shared.value && ` · ${shared.value.copied ? 'link copied' : 'link made'}, ${shared.value.link.length} characters`}
			</span>
			{shared.value && <button type="button" class="link" onClick={() => { dialog.value = 'share'; }}>as Markdown or a frame…</button>}
			{now === 'error' && <button type="button" class="link" onClick={showProblem}>Show</button>}
			{slow.value && <button type="button" class="link" onClick={() => client.cancel()}>Cancel</button>}
			<Checked />
			{storageFails.value && <span class="quiet" data-testid="not-kept" title="The browser's storage is full or forbidden: settings and drafts last until the page is closed. A link keeps your work.">not kept in this browser</span>}
			<span class="gap" />
			<code class="command wide" title="The command line that does the same">{commandLine()}</code>
			<span class="wide"><CopyButton text={commandLine} what="command line" /></span>
			<span class="quiet wide">{about.value ? `ptxscope ${about.value.version}` : ''}</span>
		</footer>
	);
}
