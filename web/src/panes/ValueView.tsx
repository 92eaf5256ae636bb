// One value from its line of IR to its PTX register: a station for every pass that changed what stands for it.

import { goToLine, openRun, reveal } from '../actions';
import { lineHtml } from '../lang/grammar';
import { current, fn, functions, hot, passInfo, shown, shownSource, source } from '../store';
import { value, valueOfLine, type Value } from '../value';
import { path, usersOf, valuesOf, type PathStep } from '../valuePath';

function Name({ of }: { of: Value }) {
	return (
		<button
			type="button" class="value-name" onMouseEnter={() => { hot.value = { line: of.line, from: 'view' }; }}
			onClick={() => { value.value = of; }}
		>{of.name}</button>
	);
}

/** Why a station has no code of its own: what took the value, or which value stands for it. */
function Gone({ step, before }: { step: PathStep; before: PathStep | undefined }) {
	const taken = step.taken;
	if (!taken)
		return <>{before?.rows.length ? 'no instruction of its own' : step.index === -2 ? 'no register' : 'nothing yet'}</>;
	const place = taken.by && <button type="button" class="link taken" disabled={!taken.origin} onClick={() => reveal(taken.origin, 'list')}><code dangerouslySetInnerHTML={{ __html: lineHtml(step.language, taken.by) }} /></button>;
	switch (taken.how) {
	case 'folded': return <>folded into {place}</>;
	case 'merged': return <>removed here: {place} has the same value and stands for it</>;
	case 'unused': return <>removed here: nothing reads it</>;
	case 'gone': return <>removed here{place && <>, with what read it: {place}</>}</>;
	}
}

function Station({ step, before }: { step: PathStep; before: PathStep | undefined }) {
	const title = passInfo.value.get(step.id)?.title;
	return (
		<li class={step.rows.length ? '' : 'gone'} data-station={step.id}>
			<div class="station">
				{step.index >= 0 && step.id !== 'input'
					? <button type="button" class="link" title={title} onClick={() => openRun(step.index)}>{step.id}</button>
					: <strong>{step.id === 'input' ? 'LLVM IR' : step.id}</strong>}
			</div>
			{step.rows.length === 0 ? <p class="quiet"><Gone step={step} before={before} /></p>
				: <pre>{step.rows.map((r, i) => <div key={i} dangerouslySetInnerHTML={{ __html: lineHtml(step.language, r.text) }} />)}</pre>}
		</li>
	);
}

/** All values of a function, where none is chosen. */
function Overview() {
	const { trace } = shown.value!;
	const run = trace.passes[current.value];
	const name = functions.value.includes(fn.value) ? fn.value : run?.function || functions.value[0] || '';
	const all = valuesOf(trace, name);
	if (all.length === 0)
		return <p class="empty">No function of this source holds values.</p>;
	return (
		<div class="values-of" tabIndex={0} role="region" aria-label={`Values of ${name}`}>
			<p class="quiet">Choose a value here, or click a register in any text, to follow it from IR to PTX.</p>
			<table>
				<thead><tr><th scope="col">value of <code>{name}</code></th><th scope="col">PTX registers</th></tr></thead>
				<tbody>
					{all.map(({ value: of, registers }) => (
						<tr key={`${of.line}${of.name}`}>
							<th scope="row"><Name of={of} /></th>
							<td>{registers.length ? <code>{registers.join(' ')}</code> : <span class="quiet">none: folded or dead</span>}</td>
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}

export function ValueView() {
	const of = value.value;
	if (!of)
		return <Overview />;
	const steps = path.value, users = usersOf(of);
	const last = steps.at(-1);
	const registers = [...new Set(last?.rows.flatMap((r) => r.names) ?? [])];
	const line = shownSource.value.split('\n')[of.line - 1]?.trim() ?? '';
	return (
		<div class="value-path" tabIndex={0} role="region" aria-label={`The way of ${of.name}`} data-testid="value-path">
			<div class="value-head">
				<strong>{of.name}</strong>
				<span aria-hidden="true">→</span>
				<code>{registers.join(' ') || 'no register'}</code>
				<button type="button" class="link" onClick={() => goToLine(of.line)}>line {of.line}</button>
				<span class="gap" />
				<button type="button" onClick={() => { value.value = null; }}>All values</button>
			</div>
			{shownSource.value !== source.value && <p class="quiet">From before the last edit.</p>}
			{of.param === undefined && <pre class="value-source" dangerouslySetInnerHTML={{ __html: lineHtml('llvm', line) }} />}
			<ol class="stations">{steps.map((step, i) => <Station key={step.index} step={step} before={steps[i - 1]} />)}</ol>
			{users.length > 0 && (
				<p class="users"><span class="quiet">Used by</span> {users.map((l) => {
					const user = valueOfLine(l);
					return user ? <Name key={l} of={user} /> : <button key={l} type="button" class="value-name" onClick={() => goToLine(l)}>line {l}</button>;
				})}</p>
			)}
		</div>
	);
}
