// The `; RUN: llc -mcpu=sm_70 -O1 < %s` line of a compiler test: its target, level and knobs become those of the page.

import type { KnobValue } from '@ptxscope/core';
import { about, config, knobInfo, type Config } from './store';
import { targets } from './ui/targets';

/** The options of the first RUN line that runs a compiler, as words; '' where there is none. */
export const runLine = (source: string): string =>
	/^\s*(?:;|\/\/|#)\s*RUN:.*?\b(?:llc|ptxscope compile|opt)\b([^|\n]*)/m.exec(source.slice(0, 8000))?.[1]?.trim() ?? '';

/** The options of the FileCheck that looks at the PTX; null where the line has none, or looks at something else. */
export function checkWords(source: string): string[] | null {
	const line = /^\s*(?:;|\/\/|#)\s*RUN:(?=.*?\b(?:llc|ptxscope compile)\b)(?!.*(?:-stop-|-run-pass|-print-|-debug)).*\|\s*(?:FileCheck|filecheck)\b([^|\n]*)$/m.exec(source.slice(0, 8000))?.[1];
	return line === undefined ? null : line.split(/\s+/).filter((word) => /^--?\w/.test(word));
}

function knobOf(name: string): { name: string; inverse: boolean } | null {
	if (knobInfo.value.has(name))
		return { name, inverse: false };
	const knob = about.value?.knobs.find((k) => k.aliases.includes(name) || k.inverse.includes(name));
	return knob ? { name: knob.name, inverse: knob.inverse.includes(name) } : null;
}

function valueOf(text: string | undefined, inverse: boolean): KnobValue {
	const value = text === undefined || text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : text;
	return typeof value === 'boolean' ? value !== inverse : value;
}

/** The configuration that the words ask for, on top of the one at hand, and what of them was understood. */
export function configOf(words: string): { config: Config; said: string[] } {
	const next: Config = { ...config.value, knobs: {} }, said: string[] = [];
	for (const word of words.split(/\s+/)) {
		const [, name = '', text] = /^--?([-\w]+)(?:=(.*))?$/.exec(word) ?? [];
		const level = /^-O([0-3])$/.exec(word)?.[1];
		if (level !== undefined)
			next.level = Number(level) as Config['level'];
		else if ((name === 'mcpu' || name === 'march') && targets.some((t) => t.id === text))
			next.target = text!;
		else {
			const knob = name && knobOf(name), info = knob ? knobInfo.value.get(knob.name) : undefined;
			if (!knob || !info)
				continue;
			const value = info.type === 'int' ? Number(text) : info.type === 'bool' ? valueOf(text, knob.inverse) : text ?? '';
			if (value === info.default || typeof value === 'number' && !Number.isFinite(value))
				continue;
			next.knobs[knob.name] = value;
		}
		said.push(word);
	}
	return { config: next, said };
}
