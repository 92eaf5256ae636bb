/** Splits at the commas outside brackets. */
export function atCommas(text: string): string[] {
	const parts: string[] = [];
	let depth = 0, from = 0;
	for (let i = 0; i <= text.length; i++) {
		const c = text[i];
		if (c === '(' || c === '{' || c === '<' || c === '[')
			depth++;
		else if (c === ')' || c === '}' || c === '>' || c === ']')
			depth--;
		if (i === text.length || (c === ',' && depth === 0)) {
			if (text.slice(from, i).trim())
				parts.push(text.slice(from, i).trim());
			from = i + 1;
		}
	}
	return parts;
}
