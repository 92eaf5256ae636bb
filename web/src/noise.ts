// What of a text a reader of code skips: attributes, metadata, declarations, heads. It is folded, never taken away.

import type { Language } from './lang/grammar';

type Rule = readonly [what: string, pattern: RegExp];

/** Lines of LLVM IR, each by itself. */
const llvm: readonly Rule[] = [
	['module', /^(?:; ModuleID|source_filename|target (?:datalayout|triple))/], ['attributes', /^(?:; Function Attrs|attributes #)/],
	['metadata', /^![\w.]+ = /], ['declarations', /^declare /],
];
const ptxHead = /^\s*(?:\/\/|$|\.(?:version|target|address_size)\b)/;
const ptxBetween: readonly Rule[] = [['registers', /^\s*\.reg\b/], ['line table', /^\s*\.(?:file|section)\b/]];

export interface Noise {
	what: string;
	lines: number;
}

/** The noise that begins at a line, or null. A line that is null in `text` may not be folded. */
export function noiseAt(language: Language, text: ReadonlyArray<string | null>, at: number): Noise | null {
	switch (language) {
	case 'llvm': return runOf(text, at, llvm);
	case 'mir': return mirHead(text, at);
	case 'ptx': return at === 0 ? headOf(text) : declarationsAt(text, at) ?? runOf(text, at, ptxBetween);
	default: return null;
	}
}

/** Lines of these kinds in a row, with blank ones between them. */
function runOf(text: ReadonlyArray<string | null>, at: number, rules: readonly Rule[]): Noise | null {
	const kinds = new Set<string>();
	let end = at;
	for (let i = at; i < text.length && text[i] !== null; i++) {
		const line = text[i]!, kind = rules.find(([, pattern]) => pattern.test(line))?.[0];
		if (kind) {
			kinds.add(kind);
			end = i + 1;
		} else if (line.trim() || i === at) {
			break;
		}
	}
	return end > at ? { what: [...kinds].join(', '), lines: end - at } : null;
}

/** Functions of PTX that are declared here and have their bodies elsewhere: `.func name ( … ) ;` over several lines. */
function declarationsAt(text: ReadonlyArray<string | null>, at: number): Noise | null {
	let end = at, count = 0;
	for (let i = at; /^\s*(?:\.(?:extern|visible|weak)\s+)*\.func\b/.test(text[i] ?? ''); count++) {
		while (i < text.length && text[i] !== null && !/[;{]/.test(text[i]!))
			i++;
		if (!text[i] || /\{/.test(text[i]!))
			break;
		end = ++i;
		while (text[i]?.trim() === '')
			i++;
	}
	return end > at ? { what: count === 1 ? 'declaration' : 'declarations', lines: end - at } : null;
}

/** Everything ahead of the first function or variable. */
function headOf(text: ReadonlyArray<string | null>): Noise | null {
	let end = 0;
	while (end < text.length && text[end] !== null && ptxHead.test(text[end]!))
		end++;
	return end > 1 ? { what: 'head', lines: end } : null;
}

/** The YAML in front of a function's code. */
function mirHead(text: ReadonlyArray<string | null>, at: number): Noise | null {
	if (!text[at]?.startsWith('---'))
		return null;
	for (let end = at + 1; end < text.length && text[end] !== null; end++)
		if (/^body:/.test(text[end]!))
			return { what: 'name, properties, registers', lines: end + 1 - at };
	return null;
}

/** Where the noise at a line's end begins: which blocks come before this one. */
export function trailingNoise(language: Language, line: string): number {
	const at = language === 'llvm' ? line.search(/\s+; preds = /) : -1;
	return at < 0 ? line.length : at;
}
