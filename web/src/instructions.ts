// How many instructions and registers a text has: the one count that the page shows.

import type { Pressure } from '@ptxscope/core';

/** Lines of PTX that are instructions. */
export const countInstructions = (ptx: string): number => ptx.match(/^[ \t]+(?:@!?%\w+\s+)?[a-z][\w.:]*(?:\s[^\n]*)?;/gm)?.length ?? 0;

/** Virtual registers that the text declares. */
export const countRegisters = (ptx: string): number => [...ptx.matchAll(/\.reg\s+\.\w+\s+%\w+<(\d+)>/g)].reduce((n, m) => n + Number(m[1]) - 1, 0);

/** 32-bit registers live at the fullest place: what limits occupancy. */
export const registers = (p: Pressure | null | undefined) => p ? p.registers : null;
