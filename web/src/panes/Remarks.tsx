import { signal } from '@preact/signals';
import type { Remark } from '@ptxscope/core';
import { goToLine } from '../actions';
import { hasWords, shown } from '../store';

const kinds = ['passed', 'missed', 'analysis'] as const;
const kindNames: Readonly<Record<string, string>> = { passed: 'done', missed: 'not done, and why', analysis: 'found out' };
const remarkFilter = signal(''), remarkKind = signal('');

/** What the passes said, grouped by pass in the order of the pipeline. */
export function Remarks() {
	const all = shown.value?.trace.remarks ?? [];
	if (all.length === 0)
		return <p class="empty">No pass had anything to remark on.</p>;
	const query = remarkFilter.value.trim();
	const listed = all.filter((r) => (!remarkKind.value || r.kind === remarkKind.value) && hasWords(query, `${r.pass} ${r.message} ${r.function} ${r.line}`));
	const groups = new Map<string, Remark[]>();
	for (const remark of listed)
		groups.set(remark.pass, [...groups.get(remark.pass) ?? [], remark]);
	return (
		<div class="remarks">
			<div class="filters">
				<input type="search" placeholder="Filter remarks" aria-label="Filter remarks" value={remarkFilter.value} spellcheck={false} onInput={(e) => { remarkFilter.value = e.currentTarget.value; }} />
				<select aria-label="Kind of remark" value={remarkKind.value} onChange={(e) => { remarkKind.value = e.currentTarget.value; }}>
					<option value="">all ({all.length})</option>
					{kinds.map((k) => <option key={k} value={k}>{kindNames[k]} ({all.filter((r) => r.kind === k).length})</option>)}
				</select>
			</div>
			<div class="remark-list" tabIndex={0} role="region" aria-label="Remarks">
				{[...groups].map(([pass, remarks]) => (
					<section key={pass} aria-label={pass}>
						<h3><code>{pass}</code> <span class="quiet">{remarks.length}</span></h3>
						<ol class="problems">
							{remarks.map((r, i) => (
								<li key={i} class={`remark ${r.kind}`}>
									<button type="button" onClick={() => goToLine(r.line)}>
										<span class="place">{r.line > 0 ? r.line : ''}</span>
										<span class="text">{r.message}</span>
										{r.kind !== 'passed' && <span class="quiet">{kindNames[r.kind]}</span>}
									</button>
								</li>
							))}
						</ol>
					</section>
				))}
				{listed.length === 0 && <p class="empty">No remark matches.</p>}
			</div>
		</div>
	);
}
