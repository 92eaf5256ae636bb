// The examples: their texts and launches are fetched when they are opened. The last one asked for wins, and one that cannot be had
// leaves everything as it was and says so.

import { batch } from '@preact/signals';
import examples from 'virtual:examples';
import { sameLaunch } from './freshness';
import * as s from './store';

/** Their addresses come when the first one is fetched. */
const files = () => import('./exampleFiles');

const known = new Map<string, string>();

/** A text that is fetched once; null where there is none of that name. Rejects where it cannot be had. */
async function fetched(url: string | undefined): Promise<string | null> {
	if (!url)
		return null;
	const before = known.get(url);
	if (before !== undefined)
		return before;
	const response = await fetch(url);
	if (!response.ok)
		throw new Error(`status ${response.status}`);
	const text = await response.text();
	known.set(url, text);
	return text;
}

const more = () => import('./moreExamples');
const textOf = async (name: string) => name === s.defaultExample ? s.defaultSource
	: fetched(s.isKernelName(name) ? (await more()).fileOf(name) : (await files()).exampleFiles[`../../examples/${s.exampleFile(name)}`]);

/** Whether the example is there in CUDA C++ besides its IR. */
export const hasCuda = (name: string) => !s.isProgramName(name) && !s.isKernelName(name) && examples.some((e) => e.cuda && e.name === s.exampleName(name));

/** An example in CUDA C++, where it is there in that. */
export const inCuda = (name: string) => hasCuda(name) ? `${s.exampleName(name)}.cu` : name;

/** The launch that comes with an example; '' where there is none, or it cannot be had. */
export const launchOf = (name: string): Promise<string> => (async () => await fetched(s.isKernelName(name)
	? (await more()).launchFileOf(name) : (await files()).launchFiles[`../../examples/${s.exampleName(name)}.launch.json`]) ?? '')().catch(() => '');

/** The launch that came with the example opened last, by which a link names it. */
let exampleLaunch = { name: '', text: '' };
export const launchFrom = (text: string): string => text && sameLaunch(exampleLaunch.text, text) ? exampleLaunch.name : '';
export const rememberLaunch = (name: string, text: string): void => { exampleLaunch = { name, text }; };

let asked = 0;
/** An edit or another text takes the place of an example that is still on its way. */
export function stopOpening(): void {
	asked++;
	s.opening.value = '';
}

export interface ExampleText {
	text: string;
	launch: string;
}

/** `unknown`: there is none of that name; `failed`: it could not be fetched, which a banner says; `overtaken`: something else was
 * opened meanwhile. */
export async function fetchExample(name: string): Promise<ExampleText | 'unknown' | 'failed' | 'overtaken'> {
	const mine = ++asked;
	s.opening.value = name;
	try {
		const [text, launch] = await Promise.all([textOf(name), launchOf(name)]);
		return mine !== asked ? 'overtaken' : text === null ? 'unknown' : { text, launch };
	} catch (error) {
		if (mine !== asked)
			return 'overtaken';
		s.banner.value = { kind: 'link', text: `The example ${name} could not be fetched; nothing has changed.`, detail: (error as Error).message };
		return 'failed';
	} finally {
		if (mine === asked)
			s.opening.value = '';
	}
}

/** Puts an example on screen, with the launch that comes with it. */
export function showExample(name: string, { text, launch }: ExampleText): void {
	rememberLaunch(name, launch);
	batch(() => {
		s.forgetProblems(text);
		s.source.value = text;
		s.example.value = name;
		s.fileName.value = s.exampleFile(name).replace(/^(?:programs|kernels)\//, '');
		s.opened.value = text;
		s.launchText.value = launch;
		s.fn.value = '';
		if (s.banner.value?.kind === 'link' || s.banner.value?.kind === 'info')
			s.banner.value = null;
	});
}

export async function openExample(name: string): Promise<void> {
	const example = await fetchExample(name);
	if (typeof example === 'object')
		showExample(name, example);
	else if (example === 'unknown')
		s.banner.value = { kind: 'link', text: `There is no example ${name}.` };
}
