// How many instructions and registers a PTX text has: the one count that the page shows.

/** Lines of PTX that are instructions. */
export const countInstructions = (ptx: string): number => ptx.match(/^[ \t]+(?:@!?%\w+\s+)?[a-z][\w.:]*(?:\s[^\n]*)?;/gm)?.length ?? 0;

/** Virtual registers that the text declares. */
export const countRegisters = (ptx: string): number => [...ptx.matchAll(/\.reg\s+\.\w+\s+%\w+<(\d+)>/g)].reduce((n, m) => n + Number(m[1]) - 1, 0);
