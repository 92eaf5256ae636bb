// The modulo schedules of a function, from the remarks in which machine-pipeliner says where each instruction stands.

import type { Trace } from '@ptxscope/core';

export interface ModuloSchedule {
	block: string;
	/** Cycles from one iteration to the next. */
	interval: number;
	units: string[];
	places: { row: number; unit: string; stage: number; cycle: number; mnemonic: string; line: number }[];
}

const place = /^(bb\.\d+), cycle (\d+), stage (\d+), row (\d+) of (\d+), (\w+): (\S+)$/;

export function moduloSchedules(trace: Trace, fn: string): ModuloSchedule[] {
	const byBlock = new Map<string, ModuloSchedule>();
	for (const { pass, function: of, message, line } of trace.remarks) {
		const m = pass === 'machine-pipeliner' && of === fn ? place.exec(message) : null;
		if (!m)
			continue;
		const [, block, cycle, stage, row, interval, unit, mnemonic] = m as unknown as string[];
		const schedule = byBlock.get(block!) ?? { block: block!, interval: Number(interval), units: [], places: [] };
		byBlock.set(block!, schedule);
		if (!schedule.units.includes(unit!))
			schedule.units.push(unit!);
		schedule.places.push({ row: Number(row), unit: unit!, stage: Number(stage), cycle: Number(cycle), mnemonic: mnemonic!, line });
	}
	return [...byBlock.values()].map((s) => ({ ...s, units: s.units.sort() }));
}
