// clang's messages as data. With -fdiagnostics-print-source-range-info and -fdiagnostics-parseable-fixits a message is
//
//   input.cu:3:7:{3:3-3:6}: error: use of undeclared identifier 'foo' [-Wgroup]
//   fix-it:"input.cu":{3:7-3:10}:"for"
//
// A place in a header is told by name in the message and has line 0, unless the input included it: then it is that line.

const message = /^(?:(.+?):(\d+):(\d+):((?:\{\d+:\d+-\d+:\d+\})*):? )?(fatal error|error|warning|note|remark): (.*?)(?: \[(-W[^\]]+)\])?$/;
const fix = /^fix-it:"((?:[^"\\]|\\.)*)":\{(\d+):(\d+)-(\d+):(\d+)\}:"((?:[^"\\]|\\.)*)"$/;
const included = /^In file included from (.+?):(\d+):$/;
const escapes = { n: '\n', t: '\t' };
const unescape = (text) => text.replace(/\\([0-7]{3}|.)/g, (_, c) => c.length === 3 ? String.fromCharCode(parseInt(c, 8)) : escapes[c] ?? c);

/** The end of the range that contains the place, or none. */
function endOf(ranges, line, col) {
	for (const [, l0, c0, l1, c1] of ranges.matchAll(/\{(\d+):(\d+)-(\d+):(\d+)\}/g))
		if (Number(l0) === line && Number(c0) === col)
			return { endLine: Number(l1), endCol: Number(c1) };
	return { endLine: 0, endCol: 0 };
}

/** What to say besides of an include that is not there. */
function hintOf(text, headers) {
	const missing = /^'(.+)' file not found$/.exec(text);
	return missing ? `there are: ${headers.filter((name) => !name.startsWith('ptxscope/')).join(', ')}` : null;
}

/** The diagnostics of what clang printed about the input `name`. */
export function readDiagnostics(stderr, name, headers = []) {
	const list = [];
	let from = 0;
	for (const line of stderr.split('\n')) {
		const fixed = fix.exec(line), place = included.exec(line), m = message.exec(line);
		if (place) {
			from = place[1] === name ? Number(place[2]) : from;
		} else if (fixed && list.length) {
			const [, file, l0, c0, l1, c1, text] = fixed;
			if (unescape(file) === name)
				(list.at(-1).fixes ??= []).push({ line: Number(l0), col: Number(c0), endLine: Number(l1), endCol: Number(c1), text: unescape(text) });
		} else if (m) {
			const [, file, l, c, ranges, severity, text, code] = m;
			const own = file === name;
			const at = own ? { line: Number(l), col: Number(c), ...endOf(ranges, Number(l), Number(c)) } : { line: from, col: from ? 1 : 0, endLine: 0, endCol: 0 };
			list.push({
				severity: severity === 'fatal error' ? 'error' : severity, ...at, code: code ?? '',
				message: own || !file ? text : `${file}:${l}: ${text}`, hint: hintOf(text, headers),
			});
			from = 0;
		}
	}
	return list;
}

/** An error that is of no line. */
export const withoutPlace = (message) => ({ severity: 'error', line: 0, col: 0, endLine: 0, endCol: 0, code: '', message, hint: null });

/** What clang printed about the device side and about the host side of a program, each message once. */
export function bothSides(device, host, name, headers) {
	const seen = new Set();
	return [...readDiagnostics(device, name, headers), ...readDiagnostics(host, name, headers)].filter((d) => {
		const key = JSON.stringify([d.severity, d.line, d.col, d.message]);
		return !seen.has(key) && seen.add(key);
	});
}
