// What register allocation did to a value, and why, by the remarks that name it.

import type { Remark, Trace } from '@ptxscope/core';

export interface Fate {
	kind: NonNullable<Remark['fate']>;
	reason: string;
}

/** By register, without its '%'. Where several remarks name one, the last. */
export function fatesOf(trace: Trace, fn: string): Map<string, Fate> {
	return new Map(trace.remarks.flatMap((r) => r.function === fn && r.value && r.fate ? r.value.split(' ').map((name) => [name.slice(1), { kind: r.fate!, reason: r.message }] as const) : []));
}
