// The launch as a form: kernel, grid, block, and one row for each argument. What is entered is written into the launch description,
// which stays the only place where it is kept; its JSON is a button away.

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { sourceName } from '@ptxscope/cuda';
import { chooseKernel, kernels, misfit, parameterName, remakeLaunch } from '../kernels';
import type { Buffer, Launch, Scalar } from '../launch';
import { changeLaunch } from '../running';

/** A field that keeps what is typed until it is left, and takes back what has no meaning. */
function Field({ label, value, read, onChange, wide = false }: {
	label: string; value: string; read: (text: string) => unknown; onChange: (value: never) => void; wide?: boolean;
}) {
	const [typed, type] = useState<string | null>(null);
	return (
		<input
			aria-label={label} title={label} class={wide ? 'wide-field' : ''} value={typed ?? value} spellcheck={false} inputMode={wide ? 'text' : 'decimal'}
			onInput={(e) => type(e.currentTarget.value)}
			onChange={(e) => {
				const got = read(e.currentTarget.value);
				type(null);
				if (got !== undefined)
					onChange(got as never);
				else
					e.currentTarget.value = value;
			}}
		/>
	);
}

/** A number as launches have it: integers beyond 2^53 as text. */
function scalarOf(text: string): Scalar | undefined {
	const word = text.trim().toLowerCase();
	if (/^-?(?:inf|nan)$/.test(word))
		return word.replace('-nan', 'nan');
	const value = Number(word);
	if (!word || Number.isNaN(value))
		return undefined;
	return /^-?\d+$/.test(word) && !Number.isSafeInteger(value) ? word : value;
}
const integerOf = (least: number) => (text: string) => {
	const value = Number(text);
	return text.trim() && Number.isInteger(value) && value >= least ? value : undefined;
};
function listOf(text: string): Scalar[] | undefined {
	const parts = text.split(/[\s,;]+/).filter(Boolean).map(scalarOf);
	return parts.every((p) => p !== undefined) ? parts as Scalar[] : undefined;
}

function Triple({ label, value, onChange }: { label: string; value: readonly number[]; onChange: (value: [number, number, number]) => void }) {
	return (
		<span class="triple" role="group" aria-label={label}>
			<span>{label}</span>
			{['x', 'y', 'z'].map((axis, i) => (
				<input
					key={axis} type="number" min="1" aria-label={`${label} ${axis}`} value={value[i]}
					onChange={(e) => {
						const next = [...value] as [number, number, number];
						next[i] = Math.max(1, Math.round(e.currentTarget.valueAsNumber || 1));
						onChange(next);
					}}
				/>
			))}
		</span>
	);
}

const types = ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64'];

type Init = NonNullable<Buffer['init']>;
/** How a buffer can be filled: the words for it, what it begins with, and its fields. */
const fills: Readonly<Record<string, { title: string; start: Omit<Init, 'kind'>; fields: readonly string[] }>> = {
	zero: { title: 'zero', start: {}, fields: [] },
	constant: { title: 'one number', start: { value: 1 }, fields: ['value'] },
	linear: { title: 'counting', start: { start: 0, step: 1 }, fields: ['start', 'step'] },
	random: { title: 'random', start: { seed: 1, min: 0, max: 100 }, fields: ['seed', 'min', 'max'] },
	values: { title: 'a list', start: { values: [1, 2, 3] }, fields: [] },
};

function BufferFields({ name, buffer, onChange }: { name: string; buffer: Buffer; onChange: (buffer: Buffer) => void }) {
	const init: Init = buffer.init ?? { kind: 'zero' }, fill = fills[init.kind];
	const values = init.values as Scalar[] | undefined;
	return (
		<>
			<select aria-label={`Type of ${name}`} value={buffer.type} onChange={(e) => onChange({ ...buffer, type: e.currentTarget.value })}>
				{types.map((t) => <option key={t} value={t}>{t}</option>)}
			</select>
			<span aria-hidden="true">×</span>
			<Field label={`Size of ${name}`} value={String(buffer.count)} read={integerOf(1)} onChange={(count) => onChange({ ...buffer, count })} />
			<select
				aria-label={`Contents of ${name}`} value={init.kind}
				onChange={(e) => onChange({ ...buffer, init: { kind: e.currentTarget.value, ...fills[e.currentTarget.value]!.start } })}
			>
				{!fill && <option value={init.kind}>{init.kind}</option>}
				{Object.entries(fills).map(([kind, f]) => <option key={kind} value={kind}>{f.title}</option>)}
			</select>
			{fill?.fields.map((field) => (
				<label key={field} class="small-field">{field} <Field
					label={`${field} of ${name}`} value={String(init[field] ?? '')} read={scalarOf} onChange={(v) => onChange({ ...buffer, init: { ...init, [field]: v } })}
				/></label>
			))}
			{init.kind === 'values' && (
				<Field label={`Values of ${name}`} wide value={(values ?? []).join(', ')} read={listOf} onChange={(list) => onChange({ ...buffer, init: { kind: 'values', values: list } })} />
			)}
		</>
	);
}

/** Compilers name the parameters of a kernel in PTX after it: what is the same for all of them says nothing here. */
function Row({ kernel, name, type, children }: { kernel: string; name: string; type: string; children: ComponentChildren }) {
	const shown = name.startsWith(`${kernel}_`) ? name.slice(kernel.length + 1) : name;
	return <li class="argument"><code class="argument-name" title={`${name}: ${type}`}>{shown}</code><span class="argument-type">{type}</span><span class="argument-fields">{children}</span></li>;
}

function Argument({ launch, index }: { launch: Launch; index: number }) {
	const parameter = kernels.value.find((k) => k.name === launch.kernel)?.params[index];
	const name = parameter ? parameterName(parameter, index) : `%${index}`, type = parameter?.type ?? '';
	const arg = launch.args[index]!, [kind] = Object.keys(arg).filter((k) => types.includes(k));
	const buffer = typeof arg.buffer === 'string' ? launch.buffers[arg.buffer] : undefined;
	const change = (next: Record<string, unknown>) => changeLaunch({ args: launch.args.map((a, i) => i === index ? next : a) });
	if (buffer)
		return (
			<Row kernel={launch.kernel} name={name} type={type}>
				{arg.buffer !== name && <code class="quiet">{String(arg.buffer)}</code>}
				<BufferFields name={String(arg.buffer)} buffer={buffer} onChange={(b) => changeLaunch({ buffers: { ...launch.buffers, [String(arg.buffer)]: b } })} />
				{arg.offset !== undefined && <span class="quiet">from byte {String(arg.offset)}</span>}
			</Row>
		);
	if (kind)
		return (
			<Row kernel={launch.kernel} name={name} type={type || kind}>
				<Field label={`Value of ${name}`} value={String(arg[kind])} read={scalarOf} onChange={(v) => change({ [kind]: v })} />
				{kind !== type && <span class="quiet">{kind}</span>}
			</Row>
		);
	return <Row kernel={launch.kernel} name={name} type={type}><code class="quiet">{JSON.stringify(arg)}</code></Row>;
}

export function LaunchForm({ launch }: { launch: Launch }) {
	const problem = misfit(launch);
	return (
		<div class="launch-form">
			<div class="launch-head">
				{kernels.value.length > 1 ? (
					<select aria-label="Kernel" value={launch.kernel} onChange={(e) => chooseKernel(e.currentTarget.value)}>
						{kernels.value.map((k) => <option key={k.name} value={k.name} title={k.name}>{sourceName(k.name)}</option>)}
					</select>
				) : <code title={launch.kernel}>{sourceName(launch.kernel)}</code>}
				<Triple label="grid" value={launch.grid} onChange={(grid) => changeLaunch({ grid })} />
				<Triple label="block" value={launch.block} onChange={(block) => changeLaunch({ block })} />
			</div>
			{problem && <p class="bad-launch">{problem} <button type="button" class="link" onClick={remakeLaunch}>Make it anew</button></p>}
			<ol class="arguments" aria-label="Arguments">
				{launch.args.map((_, i) => <Argument key={`${launch.kernel}.${i}`} launch={launch} index={i} />)}
			</ol>
		</div>
	);
}
