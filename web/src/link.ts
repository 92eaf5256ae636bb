// Permalinks: `#v1.` + base64url(deflate-raw(JSON)). The JSON holds only what differs from the defaults, never an address or a
// token, and opening a link never runs anything remotely.

import type { KnobValue } from '@ptxscope/core';
import { lengthen, shorten } from './phrases';

export interface ViewState {
	tab?: string;
	/** Pass id, and the how-manieth run of it. */
	pass?: string;
	fn?: string;
	/** All passes are listed, not only those that changed something. */
	all?: boolean;
	line?: number;
	/** Input lines to light in every pane. */
	lines?: [number, number];
	/** Which run of the pass, counted from 1. */
	nth?: number;
	/** The line of the value looked at, and the name of an argument. */
	value?: number;
	param?: string;
	/** The one function whose passes are listed. */
	only?: string;
	/** Which code a run executes. */
	level?: string;
	panel?: string;
	/** The pane in front, where a window has room for one or two. */
	pane?: string;
}

/** Which lesson stands beside the view: one of the page's, one at an address of the same site, or a text of the sender's own. */
export interface LessonLink {
	id?: string;
	at?: string;
	text?: string;
	/** The `show:` link followed last, counted from 1. */
	step?: number;
	/** The link says nothing else: the page is to show what the step shows, or what the lesson begins with. */
	go?: boolean;
}

export interface LinkState {
	/** The version of the compiler that made the link. */
	compiler?: string;
	/** The name of an example, where the source is just that. */
	example?: string;
	source?: string;
	target?: string;
	level?: number;
	knobs?: Record<string, KnobValue>;
	/** The other configuration of an A/B comparison. */
	a?: { target?: string; level?: number; knobs?: Record<string, KnobValue>; source?: string; file?: string };
	/** The name of the file that the source came from. */
	file?: string;
	/** The launch description, JSON, or the example whose launch it is. Neither: the example's own, or what follows from the kernel. */
	launch?: string;
	launchOf?: string;
	/** Sanitizers that watch runs, and the seed of the order in which warps take turns. */
	sanitize?: string;
	seed?: string;
	/** What a whole program's main gets, as typed. */
	args?: string;
	view?: ViewState;
	lesson?: LessonLink;
	/** A pass of the sender's own. It is put into its panel, and runs when the reader says so. */
	own?: { after: string; code: string };
}

export class LinkError extends Error {}

/** Nobody's kernel is larger; a crafted link must not fill the memory. */
const maxInflated = 16 << 20;

async function pipe(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream, limit: number): Promise<Uint8Array<ArrayBuffer>> {
	const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
	const parts: Uint8Array<ArrayBuffer>[] = [];
	let total = 0;
	for (;;) {
		const { done, value } = await reader.read();
		if (done)
			break;
		total += value.length;
		if (total > limit)
			throw new LinkError('the link holds more than 16 MB');
		parts.push(value as Uint8Array<ArrayBuffer>);
	}
	return new Uint8Array(await new Blob(parts).arrayBuffer());
}

function toBase64Url(bytes: Uint8Array): string {
	let binary = '';
	for (let at = 0; at < bytes.length; at += 0x8000)
		binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
	const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
	return Uint8Array.from(binary, (c) => c.charCodeAt(0));
}

/** In a link the source stands as `source`, or with its stock phrases replaced as `short`. */
export async function encodeLink({ source, ...rest }: LinkState): Promise<string> {
	const short = source === undefined ? null : shorten(source);
	const held = { ...rest, ...(short !== null ? { short } : source !== undefined && { source }) };
	const json = new TextEncoder().encode(JSON.stringify(held));
	return 'v1.' + toBase64Url(await pipe(json, new CompressionStream('deflate-raw'), Infinity));
}

/** The state in a fragment (without `#`), or null where the fragment is not a link of ours. */
export async function decodeLink(fragment: string): Promise<LinkState | null> {
	const version = /^v(\d+)\./.exec(fragment);
	if (!version)
		return null;
	if (version[1] !== '1')
		throw new LinkError(`this link is of version ${version[1]}, which this page is too old to read`);
	let state: unknown;
	try {
		const body = /%[0-9a-f]{2}/i.test(fragment) ? decodeURIComponent(fragment) : fragment;
		const bytes = await pipe(fromBase64Url(body.slice(version[0].length)), new DecompressionStream('deflate-raw'), maxInflated);
		state = JSON.parse(new TextDecoder().decode(bytes));
	} catch (error) {
		throw error instanceof LinkError ? error : new LinkError('this link is damaged or was cut off');
	}
	if (typeof state !== 'object' || state === null || Array.isArray(state))
		throw new LinkError('this link holds no state');
	return checked(state as Record<string, unknown>);
}

/** Keeps the fields that have the right type; a link may come from anywhere. */
function checked(raw: Record<string, unknown>): LinkState {
	const state: LinkState = {};
	for (const key of ['compiler', 'example', 'source', 'target', 'file', 'launch', 'launchOf', 'args', 'sanitize', 'seed'] as const)
		if (typeof raw[key] === 'string')
			state[key] = raw[key];
	if (typeof raw.short === 'string') {
		const source = lengthen(raw.short, maxInflated);
		if (source === null)
			throw new LinkError('the link holds more than 16 MB');
		state.source = source;
	}
	if (isLevel(raw.level))
		state.level = raw.level;
	if (isRecord(raw.knobs))
		state.knobs = knobsOf(raw.knobs);
	if (isRecord(raw.a))
		state.a = {
			...(typeof raw.a.target === 'string' && { target: raw.a.target }),
			...(isLevel(raw.a.level) && { level: raw.a.level }),
			...(isRecord(raw.a.knobs) && { knobs: knobsOf(raw.a.knobs) }),
			...(typeof raw.a.source === 'string' && { source: raw.a.source }),
			...(typeof raw.a.file === 'string' && { file: raw.a.file }),
		};
	if (isRecord(raw.lesson)) {
		const lesson: LessonLink = {};
		for (const key of ['id', 'at', 'text'] as const)
			if (typeof raw.lesson[key] === 'string')
				lesson[key] = raw.lesson[key];
		if (Number.isInteger(raw.lesson.step) && raw.lesson.step as number > 0)
			lesson.step = raw.lesson.step as number;
		if (raw.lesson.go === true)
			lesson.go = true;
		state.lesson = lesson;
	}
	if (isRecord(raw.own) && typeof raw.own.after === 'string' && typeof raw.own.code === 'string')
		state.own = { after: raw.own.after, code: raw.own.code };
	if (isRecord(raw.view)) {
		const view: ViewState = {};
		for (const key of ['tab', 'pass', 'fn', 'panel', 'pane', 'param', 'only', 'level'] as const)
			if (typeof raw.view[key] === 'string')
				view[key] = raw.view[key];
		for (const key of ['line', 'nth', 'value'] as const)
			if (typeof raw.view[key] === 'number')
				view[key] = raw.view[key];
		const { lines } = raw.view;
		if (Array.isArray(lines) && lines.length === 2 && lines.every((l) => Number.isInteger(l) && l > 0))
			view.lines = lines as [number, number];
		if (raw.view.all === true)
			view.all = true;
		state.view = view;
	}
	return state;
}

const isLevel = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 3;
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function knobsOf(raw: Record<string, unknown>): Record<string, KnobValue> {
	const knobs: Record<string, KnobValue> = {};
	for (const [name, value] of Object.entries(raw))
		if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
			knobs[name] = value;
	return knobs;
}
