export interface CheckOptions {
	prefixes: string[];
	[option: string]: unknown;
}

/** Checks `input` against the directives of `checks`. Returns null, or what is wrong. */
export declare function filecheck(checks: string, input: string, given?: Partial<CheckOptions>, checkName?: string): string | null;
export declare function readDirectives(text: string, options: CheckOptions): { name: string; line: number }[];
/** Options as FileCheck spells them. */
export declare function readArguments(words: readonly string[]): { file: string | null; options: CheckOptions };
