// Reads the interfaces of a .d.ts file into plain trees, as far as wasm/index.d.ts goes. (The typescript package that is installed is the
// native one; it has no programming interface for this.)
//
//   readDeclarations(text) → { Trace: { object: Map(name → { optional, type }), open: false }, … }
//   A type is { name } (string, number, …, or of a declaration), { literal }, { list }, { tuple }, { union }, { record }, { both } or an object.

export function readDeclarations(text) {
	const words = text.replace(/\/\*[^]*?\*\/|\/\/.*/g, ' ').match(/'[^']*'|[\w$.]+|=>|\S/g);
	let at = 0;
	const next = () => words[at++], is = (word) => words[at] === word, take = (word) => is(word) && next() !== undefined;
	const want = (word) => { if (!take(word)) throw new Error(`declarations: ${word} expected, found ${words.slice(at, at + 5).join(' ')}`); };
	const until = (end, item, separator = ',') => {
		const items = [];
		while (!take(end)) {
			items.push(item());
			take(separator);
		}
		return items;
	};
	// Methods have no values to compare: their fields are left out.
	const skipParentheses = () => {
		let depth = 0;
		do {
			const word = next();
			depth += (word === '(') - (word === ')');
		} while (depth);
	};
	function object() {
		const fields = new Map();
		let open = false;
		while (!take('}')) {
			take('readonly');
			if (take('[')) { // [column: string]: unknown
				until(']', next, ':');
				want(':'), type(), open = true;
			} else {
				const name = next(), optional = take('?');
				if (is('(')) {
					skipParentheses();
					want(':'), type();
				} else {
					want(':');
					fields.set(name, { optional, type: type() });
				}
			}
			take(';') || take(',');
		}
		return { object: fields, open };
	}
	function single() {
		take('readonly');
		let t;
		if (take('{')) t = object();
		else if (take('[')) t = { tuple: until(']', type) };
		else if (take('(')) { t = type(); want(')'); }
		else if (words[at][0] === '\'') t = { literal: next().slice(1, -1) };
		else if (/^\d+$/.test(words[at])) t = { literal: Number(next()) };
		else if (/^(true|false)$/.test(words[at])) t = { literal: next() === 'true' };
		else {
			const name = next(), of = take('<') ? until('>', type) : [];
			t = name === 'Record' ? { record: of[1] } : name === 'Readonly' ? of[0] : name === 'Omit' ? of[0] : { name, of };
		}
		while (is('[') ) {
			next();
			if (take(']')) t = { list: t };
			else { type(); want(']'); t = { name: 'unknown' }; } // PassRun['state']
		}
		return t;
	}
	function type() {
		const both = () => {
			const parts = [single()];
			while (take('&')) parts.push(single());
			return parts.length > 1 ? { both: parts } : parts[0];
		};
		take('|');
		const cases = [both()];
		while (take('|')) cases.push(both());
		return cases.length > 1 ? { union: cases } : cases[0];
	}
	const all = {};
	while (at < words.length) {
		const word = next();
		if (word === 'interface') {
			const name = next(), bases = take('extends') ? until('{', type) : (want('{'), []);
			all[name] = { ...object(), bases: bases.map((b) => b.name) };
		} else if (word === 'type' && words[at + 1] === '=') {
			const name = next();
			next();
			all[name] = type();
		}
	}
	for (const one of Object.values(all))
		for (const base of one.bases ?? [])
			one.object = new Map([...all[base].object, ...one.object]);
	return all;
}

// A name becomes what it stands for, an intersection of objects one object.
function resolve(all, t) {
	if (t.name && all[t.name]) return { ...all[t.name], path: t.name };
	return t.both ? { object: new Map(t.both.flatMap((part) => [...resolve(all, part).object ?? []])) } : t;
}

// Compares values with the type of a declaration. `seen` collects the fields that occurred, as 'Trace.passes[].id'; the answer lists what does not fit.
export function disagreements(all, name, value, seen) {
	const wrong = [];
	function fits(t, v) {
		t = resolve(all, t);
		if (t.union) return t.union.some((u) => fits(u, v));
		if ('literal' in t) return v === t.literal;
		if (t.list || t.tuple) return Array.isArray(v) && (!t.tuple || v.length === t.tuple.length);
		if (t.object || t.record) return v !== null && typeof v === 'object' && !Array.isArray(v);
		if (t.name === 'null') return v === null;
		return t.name === 'unknown' || typeof v === t.name;
	}
	function walk(given, v, path) {
		const t = resolve(all, given);
		if (!fits(t, v)) return void wrong.push(`${path}: ${JSON.stringify(v)?.slice(0, 80)} does not fit`);
		path = t.path ?? path;
		if (t.union) walk(t.union.find((u) => fits(u, v)), v, path);
		if (t.list) for (const x of v) walk(t.list, x, `${path}[]`);
		if (t.tuple) v.forEach((x, i) => walk(t.tuple[i], x, `${path}[]`));
		if (t.record) for (const x of Object.values(v)) walk(t.record, x, `${path}{}`);
		if (!t.object) return;
		for (const [key, field] of t.object) {
			if (!(key in v) && !field.optional) wrong.push(`${path}.${key} is missing`);
			if (key in v) {
				seen.add(`${path}.${key}`);
				walk(field.type, v[key], `${path}.${key}`);
			}
		}
		for (const key of Object.keys(v))
			if (!t.object.has(key) && !t.open) wrong.push(`${path}.${key} is not declared`);
	}
	walk({ name }, value, name);
	return wrong;
}

// All fields that a declaration and those it names have, as `disagreements` calls them.
export function declaredFields(all, names) {
	const fields = new Set(), visited = new Set();
	function walk(given, from) {
		if (visited.has(given.name)) return;
		if (all[given.name]) visited.add(given.name);
		const t = resolve(all, given), path = t.path ?? from;
		for (const u of t.union ?? []) walk(u, path);
		for (const u of t.tuple ?? []) walk(u, `${path}[]`);
		if (t.list) walk(t.list, `${path}[]`);
		if (t.record) walk(t.record, `${path}{}`);
		for (const [key, field] of t.object ?? []) {
			fields.add(`${path}.${key}`);
			walk(field.type, `${path}.${key}`);
		}
	}
	for (const name of names) walk({ name }, name);
	return fields;
}
