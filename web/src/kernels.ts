// The kernels of the source and their parameters, as the compiler reports them, and launches that fit them.

import { computed, effect } from '@preact/signals';
import type { TraceFunction } from '@ptxscope/core';
import { readLaunches, sourceName, type ProposedArgument, type ProposedLaunch } from '@ptxscope/cuda';
import { fresh } from './freshness';
import { compactJson, parseLaunch, type Buffer, type Launch } from './launch';
import { isCuda, launchText, shown, source } from './store';

export type Parameter = TraceFunction['params'][number];

export const kernels = computed(() => shown.value?.trace.functions.filter((f) => f.kernel) ?? []);

/** What a launch passes for a parameter: a buffer, a scalar of a type, or bytes. */
export function kindOf({ type, bytes, byval }: Parameter): { kind: 'buffer' } | { kind: 'scalar'; type: string } | { kind: 'bytes' } {
	const floats: Readonly<Record<string, string>> = { half: 'f16', float: 'f32', double: 'f64', f16: 'f16', f32: 'f32', f64: 'f64' };
	if (byval)
		return { kind: 'bytes' };
	if (/^ptr(?: addrspace\((?:1|4)\))?$/.test(type))
		return { kind: 'buffer' };
	if (floats[type])
		return { kind: 'scalar', type: floats[type] };
	const letter = /^(?:[ub]\d+)$/.test(type) ? 'u' : /^[is]\d+$/.test(type) ? 'i' : '';
	return letter && [1, 2, 4, 8].includes(bytes) ? { kind: 'scalar', type: `${letter}${8 * bytes}` } : { kind: 'bytes' };
}

/** The name of a parameter, as the user knows it. */
export const parameterName = (p: Parameter, index: number): string => p.name || `%${index}`;

const elements = new Set(['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'f16', 'f32', 'f64']);
const count = 256;

/** A launch to start from: 256 threads, as many elements, and a count for every integer. */
export function launchFor(kernel: TraceFunction, shape: Partial<Pick<Launch, 'grid' | 'block'>> = {}): Launch {
	const buffers: Record<string, Buffer> = {};
	const args = kernel.params.map((p, i) => {
		const kind = kindOf(p);
		if (kind.kind === 'buffer') {
			const name = p.name && !buffers[p.name] ? p.name : `arg${i}`;
			const type = p.element && elements.has(p.element) ? p.element : 'f32';
			buffers[name] = { type, count, init: { kind: 'linear', start: 0, step: 1 } };
			return { buffer: name };
		}
		if (kind.kind === 'bytes')
			return { bytes: '00'.repeat(p.bytes), align: p.align };
		return { [kind.type]: kind.type.startsWith('f') ? 2 : kind.type.endsWith('8') ? 1 : count };
	});
	return { kernel: kernel.name, grid: shape.grid ?? [4, 1, 1], block: shape.block ?? [64, 1, 1], args, buffers };
}

/** Launches that comments of the source propose. */
const proposals = computed(() => isCuda.value ? readLaunches(source.value).filter((l): l is ProposedLaunch => !('message' in l)) : []);
const proposalFor = (kernel: TraceFunction) => {
	const name = sourceName(kernel.name);
	return proposals.value.find((l) => l.kernel === name) ?? proposals.value.find((l) => name.endsWith(`::${l.kernel}`));
};

/** A launch as a comment proposes it; what it leaves open is as in any launch. */
function proposedLaunch(kernel: TraceFunction, { grid, block, sharedBytes, args: proposed }: ProposedLaunch): Launch {
	const plain = launchFor(kernel, { grid, block }), buffers: Record<string, Buffer> = {};
	const args = kernel.params.map((p, i) => {
		const kind = kindOf(p), { value, count: n, init, type, name }: ProposedArgument = proposed[i] ?? {};
		if (kind.kind === 'scalar' && value !== undefined)
			return { [kind.type]: value };
		const arg = plain.args[i]!;
		if (kind.kind !== 'buffer' || typeof arg.buffer !== 'string')
			return arg;
		const buffer = plain.buffers[arg.buffer]!, called = name && !buffers[name] ? name : arg.buffer;
		buffers[called] = n === undefined ? buffer : { type: type ?? buffer.type, count: n, ...(init && { init }) };
		return { buffer: called };
	});
	return { kernel: kernel.name, grid, block, ...(sharedBytes > 0 && { sharedBytes }), args, buffers };
}

/** The launch made last; a link need not hold it, and it is made anew when the signature changes. */
let made = '';
export const isMade = (text: string): boolean => text === made;

/** Launches that were edited, by their kernel: they come back with it. */
const edited = new Map<string, string>();

function makeFor(kernel: TraceFunction, shape?: Partial<Pick<Launch, 'grid' | 'block'>>): void {
	const proposal = proposalFor(kernel);
	launchText.value = edited.get(kernel.name) ?? (made = compactJson(proposal ? proposedLaunch(kernel, proposal) : launchFor(kernel, shape)));
}

/** Another kernel of the same source, with the same grid. */
export function chooseKernel(name: string): void {
	const kernel = kernels.value.find((k) => k.name === name), now = parseLaunch(launchText.value);
	if (typeof now !== 'string' && !isMade(launchText.value))
		edited.set(now.kernel, launchText.value);
	if (kernel)
		makeFor(kernel, typeof now === 'string' ? {} : { grid: now.grid, block: now.block });
}

/** The launch as it follows from the signature, whatever was edited. */
export function remakeLaunch(): void {
	const now = parseLaunch(launchText.value);
	const kernel = kernels.value.find((k) => typeof now !== 'string' && k.name === now.kernel) ?? kernels.value[0];
	if (!kernel)
		return;
	edited.delete(kernel.name);
	makeFor(kernel);
}

const argumentsDiffer = (kernel: TraceFunction, launch: Launch) =>
	kernel.params.length !== launch.args.length || kernel.params.some((p, i) => (kindOf(p).kind === 'buffer') !== ('buffer' in launch.args[i]!));

// A new source brings a launch of its own: the one at hand stays while it names one of the kernels.
effect(() => {
	const list = kernels.value;
	if (!fresh.value || list.length === 0)
		return;
	const text = launchText.peek(), launch = parseLaunch(text);
	if (text && typeof launch === 'string')
		return;
	const mine = typeof launch === 'string' ? undefined : list.find((k) => k.name === launch.kernel);
	const proposal = mine && isMade(text) ? proposalFor(mine) : undefined;
	if (proposal && compactJson(proposedLaunch(mine!, proposal)) !== text) {
		makeFor(mine!);
		return;
	}
	if (mine && typeof launch !== 'string' && !(isMade(text) && argumentsDiffer(mine, launch)))
		return;
	if (typeof launch !== 'string' && !mine && !isMade(text))
		edited.set(launch.kernel, text);
	makeFor(mine ?? list.find(proposalFor) ?? list[0]!);
});

/** The launch that can be executed, or why there is none. */
export const launchable = computed((): Launch | string => {
	const list = kernels.value;
	if (shown.value && fresh.value && list.length === 0)
		return 'There is no kernel in this source: a kernel is a function with the calling convention ptx_kernel, or an .entry of PTX.';
	if (!launchText.value)
		return 'There is no launch yet.';
	const launch = parseLaunch(launchText.value);
	if (typeof launch !== 'string' && fresh.value && !list.some((k) => k.name === launch.kernel))
		return `There is no kernel ${launch.kernel} in this source.`;
	return launch;
});

/** What does not fit between a launch and the kernel that it names; '' where all does. */
export function misfit(launch: Launch): string {
	const kernel = kernels.value.find((k) => k.name === launch.kernel);
	// Machine code without its IR does not know the parameters.
	if (!kernel || kernel.params.length === 0 || kernel.params.length === launch.args.length)
		return '';
	const some = (n: number) => `${n} argument${n === 1 ? '' : 's'}`;
	return `${launch.kernel} takes ${some(kernel.params.length)}, and this launch has ${some(launch.args.length)}.`;
}
