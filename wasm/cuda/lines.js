// Line tables of IR: which line of the source each line of the IR comes from, and the IR without them. What a header's function has
// become where it is inlined belongs to the line that calls it.

const node = /^!(\d+) = (?:distinct )?(!DILocation|!DISubprogram|!DILexicalBlock(?:File)?|!DIFile|!DICompileUnit|!DISubroutineType|!DINamespace|!DICompositeType)\(/;
const field = (line, name) => new RegExp(`[(, ]${name}: (?:!(\\d+)|(\\d+)|"((?:[^"\\\\]|\\\\.)*)")`).exec(line)?.slice(1).find((v) => v !== undefined);

/** { ir, lines }: the IR without its line tables, and for each of its lines the line of the source `name`, or 0. */
export function takeLines(ir, name) {
	const rows = ir.split('\n'), nodes = new Map();
	for (const row of rows) {
		const m = node.exec(row);
		if (m)
			nodes.set(m[1], { kind: m[2], row });
	}
	const files = new Map([...nodes].filter(([, n]) => n.kind === '!DIFile').map(([id, n]) => [id, field(n.row, 'filename')]));
	const inSource = (scope) => {
		for (let n = nodes.get(scope); n; n = nodes.get(field(n.row, 'scope'))) {
			const file = field(n.row, 'file');
			if (file !== undefined)
				return files.get(file) === name;
		}
		return false;
	};
	const known = new Map();
	/** The innermost place in the source itself, outwards through what was inlined. */
	const lineOf = (id) => {
		if (!known.has(id)) {
			let line = 0;
			for (let at = nodes.get(id); at && line === 0; at = nodes.get(field(at.row, 'inlinedAt')))
				line = inSource(field(at.row, 'scope')) ? Number(field(at.row, 'line')) : 0;
			known.set(id, line);
		}
		return known.get(id);
	};
	const startOf = (id) => inSource(id) ? Number(field(nodes.get(id)?.row ?? '', 'line') ?? 0) : 0;
	/* Flags and units of the module that only describe line tables. */
	const isFlag = (row) => /^!\d+ = !\{i32 \d+, !"(?:Debug Info Version|Dwarf Version)"/.test(row);
	const gone = new Set([...nodes.keys(), ...rows.filter(isFlag).map((row) => /\d+/.exec(row)[0])]);
	const kept = [], lines = [];
	for (const row of rows) {
		if (node.test(row) || isFlag(row) || row.startsWith('!llvm.dbg.cu = '))
			continue;
		const m = /, !dbg !(\d+)|(?<=^define .*) !dbg !(\d+)/.exec(row);
		lines.push(m ? m[1] !== undefined ? lineOf(m[1]) : startOf(m[2]) : 0);
		kept.push(/^!/.test(row) ? withoutOperands(row, gone) : m ? row.slice(0, m.index) + row.slice(m.index + m[0].length) : row);
	}
	return { ir: kept.join('\n'), lines };
}

/** A list of metadata without those of `gone`. */
function withoutOperands(row, gone) {
	return row.replace(/\{(.*)\}$/, (_, list) => `{${list.split(', ').filter((v) => !gone.has(/^!(\d+)$/.exec(v)?.[1])).join(', ')}}`);
}
