import { useMemo } from 'preact/hooks';
import { goToLine } from '../actions';
import { download } from '../download';
import type { ProfileRow } from '../launch';
import { ran } from '../running';
import { shown, shownSource, stale } from '../store';
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

/** Colours rows by how often their lines were executed. */
function heated(rows: Row[], profile: readonly ProfileRow[]): Row[] {
	const byLine = profile.some((p) => p.ptxLine);
	const sums = new Map<number, { warps: number; threads: number; conflicts: number; sectors: number }>();
	for (const p of profile) {
		const key = byLine ? p.ptxLine ?? 0 : p.line;
		const sum = sums.get(key) ?? { warps: 0, threads: 0, conflicts: 0, sectors: 0 };
		sums.set(key, {
			warps: sum.warps + p.warps, threads: sum.threads + p.threads,
			conflicts: sum.conflicts + (p.conflicts ?? 0), sectors: sum.sectors + (p.sectors ?? 0),
		});
	}
	const most = Math.max(1, ...[...sums].map(([key, s]) => key ? s.warps : 0));
	return rows.map((row, i) => {
		const sum = sums.get(byLine ? i + 1 : row.origin);
		if (!sum || sum.warps === 0 || !/^\s+[@a-z]/.test(row.text))
			return row;
		const note = [
			`${sum.warps} warps, ${Math.round(sum.threads / sum.warps / 32 * 100)} % of lanes busy`,
			sum.sectors ? `${sum.sectors} memory sectors` : '', sum.conflicts ? `${sum.conflicts} bank conflicts` : '',
		].filter(Boolean).join(', ');
		return { ...row, heat: sum.warps / most, note };
	});
}

export function PtxPane() {
	const trace = shown.value?.trace;
	const run = ran.value;
	const profile = run && run.level === 'ptx' && run.source === shownSource.value ? run.answer.profile : undefined;
	const rows = useMemo(() => {
		const plain = trace ? textRows(trace.ptx, trace.ptxLines) : [];
		return profile ? heated(plain, profile) : plain;
	}, [trace, profile]);
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
