import { useMemo } from 'preact/hooks';
import { download } from '../download';
import { baseName } from '../files';
import type { ProfileRow } from '../launch';
import { breakpoints, currentLine, session, standing, toggleBreakpoint } from '../standing';
import { stale } from '../freshness';
import { heatScale, inWords, profile } from '../heat';
import { countInstructions, countRegisters } from '../instructions';
import { config, defaultConfig, defaultSource, runLevel, shown, source, state } from '../store';
import prebuilt from 'virtual:prebuilt';
import { CodeView, textRows, type Row } from '../ui/CodeView';
import { PaneTools } from '../ui/PaneTools';
import { CopyButton } from '../ui/CopyButton';

/** Counts of the PTX: what a reader asks first. */
const facts = (ptx: string) => `${countInstructions(ptx)} instructions · ${countRegisters(ptx)} virtual registers`;

/** Colours rows by how often they were executed; what memory they moved stands behind them. */
function heated(rows: Row[], profile: readonly ProfileRow[]): Row[] {
	const byLine = new Map(profile.map((p) => [p.line, p]));
	const heat = heatScale(profile);
	return rows.map((row, i) => {
		const p = byLine.get(i + 1);
		if (!p)
			return row;
		const tail = [p.sectors ? `${p.sectors} sectors` : '', p.bankConflicts ? `${p.bankConflicts} bank conflicts` : ''].filter(Boolean).join(', ');
		return { ...row, heat: heat(p.executions), lanes: p.lanes / 32, note: inWords(p), ...(tail && { tail }) };
	});
}

export function PtxPane() {
	// Until the compiler is there, what it gives for the default kernel stands in.
	const trace = shown.value?.trace ?? (state.value === 'loading' && source.value === defaultSource && config.value === defaultConfig ? prebuilt : undefined);
	const counts = profile.value;
	const rows = useMemo(() => {
		const plain = trace ? textRows(trace.ptx, trace.ptxLines) : [];
		return counts.length > 0 ? heated(plain, counts) : plain;
	}, [trace, counts]);
	const debugged = session.value;
	const executed = useMemo(() => debugged && debugged.level !== 'ptx'
		? textRows(debugged.text, debugged.origins) : null, [debugged]);
	// Before a session a click on a line's number sets a stop all the same, where it is PTX that will be executed.
	const stops = debugged || runLevel.value === 'ptx'
		? { at: breakpoints.value, standing: standing.value, current: debugged ? currentLine.value : 0, toggle: toggleBreakpoint } : undefined;
	const language = !executed ? 'ptx' : debugged?.level === 'ir' ? 'llvm' : 'mir';
	return (
		<section class={`pane ptx${stale.value ? ' stale' : ''}`} aria-label="PTX">
			<header>
				<h2>{!executed ? 'PTX' : debugged?.level === 'ir' ? 'LLVM IR, executed' : 'Machine IR, executed'}</h2>
				<span class="quiet">{executed ? '' : stale.value && trace ? stale.value : trace ? facts(trace.ptx) : ''}</span>
				<span class="tools">
					<CopyButton text={() => trace?.ptx ?? ''} disabled={!trace} what="PTX" />
					<button type="button" disabled={!trace} title="Download the PTX" onClick={() => trace && download(`${baseName()}.ptx`, trace.ptx)}>Save</button>
				</span>
				<PaneTools pane="ptx" />
			</header>
			<CodeView
				rows={executed ?? rows} language={language} from="ptx" label={executed ? 'Executed text' : 'PTX'} testid="ptx" whole={3000}
				{...(stops && { stops })}
			/>
		</section>
	);
}
