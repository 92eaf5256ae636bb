import type { CudaDiagnostic } from '@ptxscope/cuda';
import { edit, goToLine, goToProblem } from '../actions';
import { checkLines } from '../checkLines';
import { applyFixes } from '../cuda';
import { stateHere } from '../freshness';
import { problems, source } from '../store';

/** What is wrong with the input, below it; nothing is nothing. */
export function Problems() {
	return (
		<ol class="problems strip" data-testid="problems" aria-label="Problems">
			{problems.value.map((p: CudaDiagnostic, i) => (
				<li key={i} class={p.severity}>
					<button type="button" onClick={() => goToProblem(p)}>
						<span class="severity">{p.severity}</span>
						{p.line > 0 && <span class="place">{p.line}:{p.col}</span>}
						<span class="text">{p.message}</span>
						{p.code && <code>{p.code}</code>}
						{p.hint && <span class="hint">{p.hint}</span>}
					</button>
					{p.fixes && stateHere.value !== 'compiling' && <button type="button" data-testid="fix" onClick={() => edit(applyFixes(source.value, p.fixes!))}>Fix</button>}
				</li>
			))}
			<CheckLines />
		</ol>
	);
}

/** What has become of the CHECK lines of a compiler test. */
function CheckLines() {
	const c = checkLines();
	if (!c)
		return null;
	return (
		<li class={c.problem ? 'warning' : 'note'} data-testid="check-lines">
			<button type="button" onClick={() => goToLine(c.line)}>
				<span class="severity">{c.problem ? 'CHECK' : '✓ CHECK'}</span>
				{c.line > 0 && <span class="place">{c.line}</span>}
				<span class="text">{c.problem || `all ${c.count} lines hold of the PTX`}</span>
			</button>
		</li>
	);
}
