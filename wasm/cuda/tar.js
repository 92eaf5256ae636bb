// Reads a tar archive (POSIX ustar): the files by path. Links, long names and what else there is in extensions are not read.

const text = new TextDecoder();

export function* readTar(bytes) {
	for (const { path, data } of entries(bytes))
		yield [path, data];
}

/** The parts of an archive, with their heads, of files that are wanted: what makes a smaller one. */
export function* tarPieces(bytes, wanted) {
	for (const { path, whole } of entries(bytes))
		if (wanted(path))
			yield whole;
}

function* entries(bytes) {
	const field = (at, size) => {
		const part = bytes.subarray(at, at + size), end = part.indexOf(0);
		return text.decode(end < 0 ? part : part.subarray(0, end));
	};
	for (let at = 0; at + 512 <= bytes.length && bytes[at];) {
		const size = parseInt(field(at + 124, 12), 8) || 0, type = field(at + 156, 1), prefix = field(at + 345, 155);
		const next = at + 512 + Math.ceil(size / 512) * 512;
		if (type === '' || type === '0')
			yield { path: `${prefix && `${prefix}/`}${field(at, 100)}`, data: bytes.subarray(at + 512, at + 512 + size), whole: bytes.subarray(at, next) };
		at = next;
	}
}
