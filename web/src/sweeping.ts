// Every knob is turned alone, in a worker of its own that nobody waits for, and the PTX compared.

import { effect, signal } from '@preact/signals';
import { compileArguments, type KnobInfo, type KnobValue } from '@ptxscope/core';
import { request, sweeper } from './actions';
import { fresh, isCurrent } from './freshness';
import { countInstructions } from './instructions';
import { about, config, isPtx, panel, shown, source } from './store';
import { sweep, type Effect } from './sweep';

/** The settings to try for a knob that stands at `now`. */
function settings(knob: KnobInfo, now: KnobValue | null): KnobValue[] {
	if (knob.kind === 'debug')
		return [];
	if (knob.type === 'bool')
		return typeof now === 'string' ? [true, false] : [now !== true];
	if (knob.type === 'enum')
		return (knob.values ?? []).filter((v) => v !== now).slice(0, 3);
	if (knob.type === 'int') {
		const { min, max } = knob, at = Number(now ?? 0);
		const wanted = [min ?? 0, at * 2 || 1, ...(max !== null && max !== undefined && max < 1e6 ? [max] : [])];
		return [...new Set(wanted.map((v) => Math.min(max ?? Infinity, Math.max(min ?? -Infinity, v))))].filter((v) => v !== at);
	}
	return [];
}

let generation = 0;

/** Longer than so many milliseconds it is not worth the warmth. */
const patience = 10_000;

async function run(): Promise<void> {
	const mine = ++generation, current = config.value, text = source.value;
	const knobs = about.value?.knobs ?? [], base = shown.value;
	const tries = knobs.flatMap((knob) => settings(knob, current.knobs[knob.name] ?? knob.default).map((to) => ({ knob, to })));
	if (!base)
		return;
	const begin = performance.now();
	const plain = { ...request(current) };
	const ptxOf = async (knobs: Readonly<Record<string, KnobValue>>) => {
		const argv = compileArguments({ ...plain, knobs }).filter((a) => !a.startsWith('--trace'));
		const answer = await sweeper().ask({ kind: 'command', argv, files: { [plain.name!]: text } });
		return answer.status === 0 ? answer.stdout : null;
	};
	const effects = new Map<string, Effect>();
	const before = countInstructions(base.trace.ptx);
	for (const [done, { knob, to }] of tries.entries()) {
		const ptx = effects.has(knob.name) ? null : await ptxOf({ ...current.knobs, [knob.name]: to }).catch(() => null);
		if (mine !== generation || performance.now() - begin > patience)
			return;
		if (ptx !== null && ptx !== base.trace.ptx)
			effects.set(knob.name, { to, instructions: countInstructions(ptx) - before });
		if (done % 8 === 7 || done === tries.length - 1)
			sweep.value = { key: { source: text, config: current }, effects: new Map(effects), done: done + 1, all: tries.length };
	}
}

/** Has anybody touched the page? One that is only loaded (a preview, a frame, a tab in the background) is not worth the warmth either. */
const touched = signal(false);
for (const kind of ['pointermove', 'pointerdown', 'keydown'])
	addEventListener(kind, () => { touched.value = true; }, { once: true, passive: true, capture: true });

/** Starts a while after the last change, where the knobs are on screen. */
export function followWithSweep(rest = 900): () => void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	return effect(() => {
		const known = sweep.peek();
		const settled = touched.value && panel.value === 'knobs' && fresh.value && !isPtx.value;
		const wanted = settled && !(known && isCurrent(known.key) && known.done === known.all);
		clearTimeout(timer);
		generation++;
		if (wanted && shown.value)
			timer = setTimeout(() => void run(), rest);
	});
}
