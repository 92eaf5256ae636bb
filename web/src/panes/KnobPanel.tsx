import { signal } from '@preact/signals';
import type { KnobInfo, KnobValue } from '@ptxscope/core';
import { pinBaseline, setConfig, setKnob } from '../actions';
import { about, config, fuzzy } from '../store';

const filter = signal('');
const editedOnly = signal(false);

const show = (value: KnobValue | null | undefined) =>
	value === null || value === undefined || value === '' ? 'none' : value === true ? 'on' : value === false ? 'off' : String(value);

function Control({ knob, value, id }: { knob: KnobInfo; value: KnobValue | null; id: string }) {
	if (knob.type === 'bool')
		return <input id={id} type="checkbox" checked={value === true} onChange={(e) => setKnob(knob.name, e.currentTarget.checked)} />;
	if (knob.type === 'enum')
		return (
			<select id={id} value={String(value)} onChange={(e) => setKnob(knob.name, e.currentTarget.value)}>
				{knob.values?.map((v) => <option key={v} value={v}>{v}</option>)}
			</select>
		);
	if (knob.type === 'int')
		return (
			<input
				id={id} type="number" value={value === null ? '' : Number(value)} min={knob.min ?? undefined} max={knob.max ?? undefined}
				onChange={(e) => setNumber(knob, e.currentTarget)}
			/>
		);
	return <input id={id} type="text" value={String(value ?? '')} spellcheck={false} onChange={(e) => setKnob(knob.name, e.currentTarget.value)} />;
}

/** Keeps a number in its range; an empty field goes back to the default. */
function setNumber(knob: KnobInfo, input: HTMLInputElement): void {
	let value = input.value === '' ? knob.default ?? 0 : Math.round(input.valueAsNumber);
	if (typeof value === 'number')
		value = Math.min(knob.max ?? Infinity, Math.max(knob.min ?? -Infinity, value));
	input.value = String(value);
	setKnob(knob.name, value);
}

function Knob({ knob }: { knob: KnobInfo }) {
	const edited = Object.hasOwn(config.value.knobs, knob.name);
	const value = edited ? config.value.knobs[knob.name]! : knob.default;
	const id = `knob-${knob.name}`;
	const range = knob.min !== null && knob.min !== undefined && knob.max !== null && knob.max !== undefined ? `, ${knob.min} to ${knob.max}` : '';
	return (
		<div class={`knob${edited ? ' edited' : ''}`} data-testid="knob" data-knob={knob.name}>
			<Control knob={knob} value={value} id={id} />
			<label for={id}>
				<code>{knob.name}</code>
				<span class="summary">{knob.summary}</span>
			</label>
			<span class="facts">
				{knob.kind !== 'exact' && <span class={`kind ${knob.kind}`}>{knob.kind}</span>}
				<span title={knob.passes.length > 0 ? `Read by ${knob.passes.join(', ')}` : undefined}>{show(knob.default)}{range}</span>
				{edited && <button type="button" class="link" aria-label={`Reset ${knob.name}`} onClick={() => setKnob(knob.name, knob.default ?? '')}>reset</button>}
			</span>
		</div>
	);
}

export function KnobPanel() {
	const edited = Object.keys(config.value.knobs).length;
	const listed = (about.value?.knobs ?? []).filter((k) =>
		(!editedOnly.value || Object.hasOwn(config.value.knobs, k.name))
		&& (!filter.value.trim() || fuzzy(filter.value, `${k.name} ${k.passes.join(' ')} ${k.summary}`)));
	const groups = new Map<string, KnobInfo[]>();
	for (const knob of listed)
		groups.set(knob.group, [...groups.get(knob.group) ?? [], knob]);
	return (
		<div class="knobs" data-testid="knobs">
			<div class="filters">
				<input
					type="search" placeholder="Filter knobs by name, pass or effect" aria-label="Filter knobs" value={filter.value} spellcheck={false}
					onInput={(e) => { filter.value = e.currentTarget.value; }}
				/>
				<label class="check">
					<input type="checkbox" checked={editedOnly.value} onChange={(e) => { editedOnly.value = e.currentTarget.checked; }} />
					edited only
				</label>
				<button type="button" disabled={edited === 0} onClick={() => setConfig({ knobs: {} })}>Reset{edited > 0 && ` ${edited}`}</button>
				<button type="button" title="Keep this configuration as A; what you change from here on is B" onClick={pinBaseline}>Compare from here</button>
			</div>
			<div class="knob-list" tabIndex={0} role="region" aria-label="Knobs">
				{[...groups].map(([group, knobs]) => (
					<fieldset key={group}>
						<legend>{group}</legend>
						{knobs.map((knob) => <Knob key={knob.name} knob={knob} />)}
					</fieldset>
				))}
				{listed.length === 0 && <p class="empty">{about.value ? 'No knob matches.' : 'Knobs appear here once the compiler is loaded.'}</p>}
			</div>
		</div>
	);
}
