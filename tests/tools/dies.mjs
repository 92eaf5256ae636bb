// Decodes .debug_abbrev and .debug_info of PTX, whose bytes are written as text: the tree of entries, for comparing.

const FORMS = { addr: 0x01, data2: 0x05, data4: 0x06, data8: 0x07, string: 0x08, block1: 0x0a, data1: 0x0b, flag: 0x0c, sdata: 0x0d, udata: 0x0f, refAddr: 0x10, ref4: 0x13 };
const AT = { name: 0x03, location: 0x02, lowPc: 0x11, highPc: 0x12, constValue: 0x1c, producer: 0x25, abstractOrigin: 0x31, addressClass: 0x33, specification: 0x47, type: 0x49 };

/** The lines of a section. */
function section(ptx, name) {
	const m = new RegExp(`\\t\\.section\\t\\.${name}\\b[^\\n]*\\n\\t\\{\\n([^]*?)\\n\\t\\}`).exec(ptx);
	return m ? m[1].split('\n') : [];
}

/** One element for each byte: a number, the symbol that begins there, or null in a symbol. */
function bytesOf(ptx, name) {
	const bytes = [];
	for (const line of section(ptx, name)) {
		const m = /^\.b(8|16|32|64) ([^/]*?)\s*(?:\/\/.*)?$/.exec(line);
		if (!m)
			continue;
		const size = Number(m[1]) / 8, numeric = /^\d+$/.test(m[2]);
		for (let i = 0, v = numeric ? BigInt(m[2]) : 0n; i < size; i++, v >>= 8n)
			bytes.push(numeric ? Number(v & 255n) : i ? null : m[2]);
	}
	return bytes;
}

class Cursor {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}
	next() { return this.bytes[this.at++]; }
	leb() {
		for (let v = 0n, shift = 0n; ; shift += 7n) {
			const b = this.next();
			v |= BigInt(b & 127) << shift;
			if (!(b & 128))
				return v;
		}
	}
	/** A number of `n` bytes, or the symbol that stands there. */
	word(n) {
		const first = this.bytes[this.at];
		if (typeof first === 'string') {
			this.at += n;
			return first;
		}
		let v = 0n;
		for (let i = 0; i < n; i++)
			v |= BigInt(this.next()) << BigInt(8 * i);
		return v;
	}
	string() {
		let s = '';
		for (let c = this.next(); c; c = this.next())
			s += String.fromCharCode(c);
		return s;
	}
	block() {
		const n = this.next(), bytes = this.bytes.slice(this.at, this.at + n);
		this.at += n;
		return bytes.filter((b) => b !== null).join(' ');
	}
}

function abbreviations(ptx) {
	const c = new Cursor(bytesOf(ptx, 'debug_abbrev')), table = new Map();
	for (let code = c.leb(); code; code = c.leb()) {
		const entry = { tag: Number(c.leb()), children: c.next() === 1, attributes: [] };
		for (;;) {
			const at = Number(c.leb()), form = Number(c.leb());
			if (!at && !form)
				break;
			entry.attributes.push([at, form]);
		}
		table.set(code, entry);
	}
	return table;
}

function value(c, form, start, size) {
	switch (form) {
	case FORMS.addr: return c.word(size);
	case FORMS.data1:
	case FORMS.flag: return c.word(1);
	case FORMS.data2: return c.word(2);
	case FORMS.data4: return c.word(4);
	case FORMS.data8: return c.word(8);
	case FORMS.string: return c.string();
	case FORMS.block1: return c.block();
	case FORMS.sdata:
	case FORMS.udata: return c.leb();
	case FORMS.ref4: return { to: start + Number(c.word(4)) };
	case FORMS.refAddr: return { to: Number(c.word(size)) };
	default: throw new Error(`a form that is not known: ${form}`);
	}
}

/** All entries: [{ at: offset, depth, tag, attributes: [[attribute, value]…] }…]. */
export function dies(ptx) {
	const table = abbreviations(ptx), c = new Cursor(bytesOf(ptx, 'debug_info')), list = [];
	while (c.at < c.bytes.length) {
		const start = c.at, length = c.word(4), end = c.at + Number(length);
		c.word(2);
		c.word(4);
		const size = c.next();
		for (let depth = 0; c.at < end;) {
			const at = c.at, code = c.leb();
			if (!code) {
				depth--;
				continue;
			}
			const { tag, children, attributes } = table.get(code);
			list.push({ at, depth, tag, attributes: attributes.map(([a, form]) => [a, value(c, form, start, size)]) });
			depth += children ? 1 : 0;
		}
	}
	return list;
}

/** The tree as text, one line for each entry: what references name instead of where they point, and without places and addresses. Entries
 * next to each other are sorted with what is in them. */
export function tree(ptx) {
	const list = dies(ptx), byOffset = new Map(list.map((d) => [d.at, d]));
	const hidden = new Set([AT.location, AT.lowPc, AT.highPc, AT.producer, AT.addressClass]);
	function nameOf(d, steps = 0) {
		const at = new Map(d?.attributes ?? []);
		const next = at.get(AT.abstractOrigin) ?? at.get(AT.specification) ?? at.get(AT.type);
		return at.get(AT.name) ?? `${d?.tag.toString(16)}${next && steps < 9 ? `:${nameOf(byOffset.get(next.to), steps + 1)}` : ''}`;
	}
	const root = { children: [] }, open = [root];
	for (const d of list) {
		const words = d.attributes.filter(([a]) => !hidden.has(a)).map(([a, v]) => `${a.toString(16)}=${v.to === undefined ? v : `@${nameOf(byOffset.get(v.to))}`}`);
		const node = { text: [d.tag.toString(16), ...words].join(' '), children: [] };
		open.length = d.depth + 1;
		open[d.depth].children.push(node);
		open.push(node);
	}
	const lines = (node, depth) => node.children.map((n) => `${'  '.repeat(depth)}${n.text}\n${lines(n, depth + 1)}`).sort().join('');
	return lines(root, 0);
}
