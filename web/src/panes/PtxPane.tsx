import { useMemo } from 'preact/hooks';
import { goToLine } from '../actions';
import { download } from '../download';
import { shown, stale } from '../store';
import { CodeView, textRows, type Row } from '../ui/CodeView';
import { CopyButton } from '../ui/CopyButton';

const pick = (row: Row) => goToLine(row.origin);

/** Counts of the PTX: what a reader asks first. */
function facts(ptx: string): string {
	const lines = ptx.split('\n');
	const instructions = lines.filter((l) => /^\s+(?:@!?%\w+\s+)?[a-z][\w.:]*\s.*;|^\s+ret;/.test(l) && !/^\s*\./.test(l)).length;
	const registers = [...ptx.matchAll(/\.reg\s+\.\w+\s+%\w+<(\d+)>/g)].reduce((n, m) => n + Number(m[1]) - 1, 0);
	return `${instructions} instructions · ${registers} virtual registers`;
}

export function PtxPane() {
	const trace = shown.value?.trace;
	const rows = useMemo(() => trace ? textRows(trace.ptx, trace.ptxLines) : [], [trace]);
	return (
		<section class={`pane ptx${stale.value ? ' stale' : ''}`} aria-label="PTX">
			<header>
				<h2>PTX</h2>
				<span class="quiet">{stale.value && trace ? 'from before the error' : trace ? facts(trace.ptx) : ''}</span>
				<span class="tools">
					<CopyButton text={() => trace?.ptx ?? ''} disabled={!trace} what="PTX" />
					<button type="button" disabled={!trace} title="Download the PTX" onClick={() => trace && download('kernel.ptx', trace.ptx)}>Save</button>
				</span>
			</header>
			<CodeView rows={rows} language="ptx" from="ptx" label="PTX" testid="ptx" onPick={pick} />
		</section>
	);
}
