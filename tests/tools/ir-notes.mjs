// Rows of !nvvm.annotations, which LLVM 19 has where later versions have attributes, in comparisons of printed modules.

/** The text without such rows, kernels' calling conventions, and the attributes that they become, with metadata numbered in the order of its use. */
export function withoutNotes(text) {
	const numbers = new Map();
	return text.split('\n').filter((line) => !/^!nvvm\.annotations|^!\d+ = !\{(ptr @|null, !"kernel")/.test(line)).join('\n').replaceAll('ptx_kernel ', '')
		.replace(/!\d+\b/g, (number) => numbers.get(number) ?? numbers.set(number, `!${numbers.size}`).get(number)).trimEnd();
}
