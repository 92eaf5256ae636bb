import { cancelCompile, compileNow, goToProblem, linkState, selectRun } from '../actions';
import { fresh, stateHere } from '../freshness';
import { about, autoCompile, dialog, isPtx, message, opening, problems, shared, shown, slow, type State } from '../store';
import { verdict } from '../verdict';
import { chatLength } from '../linkLength';
import { CopyButton } from './CopyButton';
import { commandLine } from '../commandLine';
import { download } from '../download';
import { storageFails } from '../storage';

const words: Record<State, string> = {
	loading: 'loading the compiler…', compiling: 'compiling…', ready: 'compiling…', error: '', crashed: '', cancelled: 'cancelled',
};

function showProblem(): void {
	const first = problems.value.find((p) => p.severity === 'error');
	if (first)
		goToProblem(first);
}

/** Whether the code after every pass computes the same, once that is known of what is on screen. */
function Checked() {
	const v = fresh.value ? verdict.value : null;
	if (!v)
		return null;
	if (v.pass === undefined)
		return <span class={`wide ${v.tone === 'open' ? 'quiet' : v.tone}`} data-testid="checked" title={v.long}>{v.short}</span>;
	const index = shown.value?.trace.passes.findIndex((r) => r.id === v.pass && r.changed) ?? -1;
	return <button type="button" class="link bad" data-testid="checked" title={v.long} onClick={() => selectRun(index)}>{v.short}</button>;
}

export function StatusLine() {
	const result = shown.value, now = stateHere.value;
	const ready = fresh.value && result;
	const link = shared.value && shared.value.of === JSON.stringify(linkState()) ? shared.value : null;
	const lines = ready ? result.trace.ptx.split('\n').length - 1 : 0;
	return (
		<footer class="status">
			<span
				role="status" aria-live="polite" data-testid="status" data-state={now}
				data-ms={ready ? result.ms.toFixed(1) : undefined} data-version={about.value?.version} data-link={link?.link}
			>
				<i class={`light ${now}`} aria-hidden="true" />
				{opening.value && now !== 'loading' ? `fetching ${opening.value}…`
					: ready ? `${isPtx.value ? 'read' : 'compiled'} in ${result.ms < 10 ? result.ms.toFixed(1) : Math.round(result.ms)} ms · ${lines} lines of PTX`
					: message.value || (now === 'compiling' && slow.value > 0 ? `compiling… ${slow.value} s` : '') || (now === 'ready' && !autoCompile.value ? 'changed since it was compiled' : words[now])}
				{link && ` · ${link.copied ? 'link copied' : 'link made'}, ${link.link.length} characters${link.link.length > chatLength ? ': chat and mail may cut it' : ''}`}
			</span>
			{link && <button type="button" class="link" onClick={() => { dialog.value = 'share'; }}>as Markdown or a frame…</button>}
			{now === 'error' && <button type="button" class="link" onClick={showProblem}>Show</button>}
			{slow.value > 0 && now === 'compiling' && <button type="button" class="link" onClick={cancelCompile}>Cancel</button>}
			{(now === 'cancelled' || now === 'ready' && !ready && !autoCompile.value) && <button type="button" class="link" onClick={() => void compileNow()}>Compile</button>}
			<Checked />
			{storageFails.value && <span class="quiet" data-testid="not-kept" title="The browser's storage is full or forbidden: settings and drafts last until the page is closed. A link keeps your work.">not kept in this browser</span>}
			<span class="gap" />
			<code class="command wide" title="The command line that does the same">{commandLine()}</code>
			<span class="wide"><CopyButton text={commandLine} what="command line" /></span>
			{result && <button type="button" class="wide" title="Download the record of the whole compilation as JSON: every pass, text and remark" onClick={() => download('trace.json', JSON.stringify(result.trace), 'application/json')}>Save the record</button>}
			<span class="quiet wide">{about.value ? `ptxscope ${about.value.version}` : ''}</span>
		</footer>
	);
}
