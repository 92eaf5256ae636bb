import { signal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { KnobInfo, KnobValue } from '@ptxscope/core';
import { pinBaseline, setConfig, setKnob } from '../actions';
import { explained } from '../explained';
import { about, config, hasWords, knobFilter, knobPass, showKnobs, shown, source } from '../store';
import { effectOf, presentSweep } from '../sweep';
import { followWithSweep } from '../sweeping';

/** The pointer or the focus is here: the list does not change under somebody's hands. */
const busy = signal(false);
/** Those that mattered when all had been tried last, of which source. */
const known = signal<{ source: string; names: ReadonlySet<string> } | null>(null);

/** Which knobs are listed just now. A search goes through all of them. */
function listedNow(): 'all' | 'matter' | 'edited' {
	if (showKnobs.value)
		return showKnobs.value;
	return known.value?.source === source.value && known.value.names.size > 0 && !knobFilter.value.trim() && !knobPass.value ? 'matter' : 'all';
}

const inWords = (value: KnobValue | null | undefined) =>
	value === null || value === undefined || value === '' ? 'none' : value === true ? 'on' : value === false ? 'off' : String(value);

const rangeOf = ({ min, max }: KnobInfo) => min !== null && min !== undefined && max !== null && max !== undefined ? `${min} to ${max}` : '';

function Control({ knob, value, id }: { knob: KnobInfo; value: KnobValue | null; id: string }) {
	if (knob.type === 'bool' && typeof knob.default === 'string') // neither true nor false: the level or the module decides
		return (
			<select id={id} value={String(value)} onChange={(e) => setKnob(knob.name, e.currentTarget.value === knob.default ? knob.default : e.currentTarget.value === 'true')}>
				{[knob.default, 'true', 'false'].map((v) => <option key={v} value={v}>{v}</option>)}
			</select>
		);
	if (knob.type === 'bool')
		return <input id={id} type="checkbox" checked={value === true} onChange={(e) => setKnob(knob.name, e.currentTarget.checked)} />;
	if (knob.type === 'enum')
		return (
			<select id={id} value={String(value)} onChange={(e) => setKnob(knob.name, e.currentTarget.value)}>
				{knob.values?.map((v) => <option key={v} value={v}>{v}</option>)}
			</select>
		);
	return <Field knob={knob} value={value} id={id} />;
}

/** A number or a text. What is being typed is kept: the panel is drawn anew while knobs are tried in the background. */
function Field({ knob, value, id }: { knob: KnobInfo; value: KnobValue | null; id: string }) {
	const [typed, type] = useState<string | null>(null);
	const text = typed ?? String(value ?? '');
	const onInput = (e: Event & { currentTarget: HTMLInputElement }) => type(e.currentTarget.value);
	const onChange = (e: Event & { currentTarget: HTMLInputElement }) => {
		type(null);
		if (knob.type === 'int')
			setNumber(knob, e.currentTarget);
		else
			setKnob(knob.name, e.currentTarget.value);
	};
	if (knob.type === 'int')
		return <input id={id} type="number" value={text} min={knob.min ?? undefined} max={knob.max ?? undefined} onInput={onInput} onChange={onChange} />;
	return <input id={id} type="text" value={text} spellcheck={false} onInput={onInput} onChange={onChange} />;
}

/** Keeps a number in its range; an empty field goes back to the default. */
function setNumber(knob: KnobInfo, input: HTMLInputElement): void {
	let value = input.value === '' ? knob.default ?? 0 : Math.round(input.valueAsNumber);
	if (typeof value === 'number')
		value = Math.min(knob.max ?? Infinity, Math.max(knob.min ?? -Infinity, value));
	input.value = String(value);
	setKnob(knob.name, value);
}

const kinds: Readonly<Record<KnobInfo['kind'], string>> = {
	exact: 'never changes what the program computes', quality: 'trades quality of code, within what the language allows', debug: 'for debugging the compiler',
};

let timer: ReturnType<typeof setTimeout> | undefined;
/** A card with all that is known of a knob, while the pointer or the focus rests on it. */
function explainKnob(knob: KnobInfo | null, target?: Element): void {
	clearTimeout(timer);
	explained.value = null;
	if (!knob || !target)
		return;
	timer = setTimeout(() => {
		const { left, bottom } = target.getBoundingClientRect();
		if (target.isConnected)
			explained.value = {
				title: `-${knob.name}=${inWords(knob.default)}`, text: `${knob.summary}.`.replace(/\.\.$/, '.'),
				form: [`${knob.type}${rangeOf(knob) && `, ${rangeOf(knob)}`}${knob.values?.length ? `: ${knob.values.join(' | ')}` : ''}`, kinds[knob.kind]].join('; '),
				...(knob.passes.length > 0 && { since: `read by ${knob.passes.join(', ')}` }), x: left, y: bottom + 4,
			};
	}, 450);
}

function Matters({ name }: { name: string }) {
	const found = effectOf(name);
	if (!found)
		return null;
	const { to, instructions } = found;
	const words = instructions === 0 ? 'other PTX' : `${instructions > 0 ? '+' : '−'}${Math.abs(instructions)}`;
	return (
		<span class="matters" data-testid="knob-matters" title={`Set to ${inWords(to)} it changes the PTX of this source: ${instructions === 0 ? 'as many instructions' : `${words} instructions`}`}>
			{inWords(to)}: {words}
		</span>
	);
}

function Knob({ knob }: { knob: KnobInfo }) {
	const edited = Object.hasOwn(config.value.knobs, knob.name);
	const value = edited ? config.value.knobs[knob.name]! : knob.default;
	const id = `knob-${knob.name}`, matters = effectOf(knob.name) !== undefined;
	return (
		<div class={`knob${edited ? ' edited' : ''}`} data-testid="knob" data-knob={knob.name} data-matters={matters || undefined}>
			<Control knob={knob} value={value} id={id} />
			<div class="knob-text">
				<label for={id} onMouseEnter={(e) => explainKnob(knob, e.currentTarget)} onMouseLeave={() => explainKnob(null)}>
					<code>{knob.name}</code>
					<span class="summary">{knob.summary}</span>
				</label>
				<span class="facts">
					<Matters name={knob.name} />
					{knob.kind !== 'exact' && <span class={`kind ${knob.kind}`} title={kinds[knob.kind]}>{knob.kind}</span>}
					<span>{inWords(knob.default)}{rangeOf(knob) && `, ${rangeOf(knob)}`}</span>
					{edited && <button type="button" class="link" aria-label={`Reset ${knob.name}`} onClick={() => setKnob(knob.name, knob.default ?? '')}>reset</button>}
				</span>
			</div>
		</div>
	);
}

/** Passes that read a knob, those of this compilation first. */
function PassChoice() {
	const knobs = about.value?.knobs ?? [];
	const readers = [...new Set(knobs.flatMap((k) => k.passes))].sort();
	const ran = new Set(shown.value?.trace.passes.map((r) => r.id));
	const option = (id: string) => <option key={id} value={id}>{id}</option>;
	return (
		<select aria-label="Knobs of a pass" value={knobPass.value} onChange={(e) => { knobPass.value = e.currentTarget.value; }}>
			<option value="">every pass</option>
			<optgroup label="in this pipeline">{readers.filter((id) => ran.has(id)).map(option)}</optgroup>
			<optgroup label="not in this pipeline">{readers.filter((id) => !ran.has(id)).map(option)}</optgroup>
		</select>
	);
}

export function KnobPanel() {
	useEffect(() => followWithSweep(), []);
	const found = presentSweep.value, trying = found && found.done < found.all;
	const box = useRef<HTMLDivElement>(null);
	useSignalEffect(() => {
		const now = presentSweep.value;
		if (now && now.done === now.all && !busy.value)
			known.value = { source: source.peek(), names: new Set(now.effects.keys()) };
	});
	const show = listedNow(), all = about.value?.knobs ?? [];
	const edited = Object.keys(config.value.knobs).length, query = knobFilter.value.trim();
	const isEdited = (k: KnobInfo) => Object.hasOwn(config.value.knobs, k.name);
	const wanted = (k: KnobInfo) => (show === 'all' || isEdited(k) || (show === 'matter' && (effectOf(k.name) !== undefined || (!found && known.value?.names.has(k.name)))))
		&& (!knobPass.value || k.passes.includes(knobPass.value))
		&& hasWords(query, `${k.name} ${k.passes.join(' ')} ${k.summary}`);
	const listed = all.filter(wanted);
	const groups = new Map<string, KnobInfo[]>();
	for (const knob of listed)
		groups.set(knob.group, [...groups.get(knob.group) ?? [], knob]);
	const hands = () => { busy.value = box.current?.matches(':hover, :focus-within') ?? false; };
	return (
		<div ref={box} class="knobs" data-testid="knobs" onMouseEnter={hands} onMouseLeave={hands} onFocusIn={hands} onFocusOut={() => setTimeout(hands)}>
			<div class="filters">
				<input
					type="search" placeholder="Filter by name or effect" aria-label="Filter knobs" value={knobFilter.value} spellcheck={false}
					onInput={(e) => { knobFilter.value = e.currentTarget.value; }}
				/>
				<PassChoice />
				<select aria-label="Which knobs" value={show} onChange={(e) => { showKnobs.value = e.currentTarget.value as typeof showKnobs.value; }}>
					<option value="matter">that matter here{found && !trying ? ` (${found.effects.size})` : ''}</option>
					<option value="all">all{all.length > 0 && ` (${all.length})`}</option>
					<option value="edited">edited ({edited})</option>
				</select>
				{edited > 0 && <button type="button" onClick={() => setConfig({ knobs: {} })}>Reset {edited}</button>}
				<button type="button" title="Keep what is on screen as A; what you change from now on is B" onClick={pinBaseline}>Compare with this</button>
			</div>
			<div class="knob-list" tabIndex={0} role="region" aria-label="Knobs">
				{show === 'all' && trying && <p class="trying quiet" role="status">Trying which matter here: {found.done} of {found.all}…</p>}
				{[...groups].map(([group, knobs]) => (
					<fieldset key={group}>
						<legend>{group === 'ir' ? 'LLVM IR' : group.charAt(0).toUpperCase() + group.slice(1)}</legend>
						{knobs.map((knob) => <Knob key={knob.name} knob={knob} />)}
					</fieldset>
				))}
				{listed.length === 0 && <p class="empty">{!about.value ? 'Knobs appear here once the compiler is loaded.'
					: show === 'matter' && (!found || trying) ? 'Each knob is turned once to see whether it matters here…' : 'No knob matches.'}</p>}
				{show !== 'all' && all.length > 0 && <p class="all-knobs"><button type="button" onClick={() => { showKnobs.value = 'all'; }}>Show all {all.length} knobs</button></p>}
			</div>
		</div>
	);
}
