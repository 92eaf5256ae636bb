// What a thrown exception becomes: the end of the program, with its type and what it says. The C++ library of WASI has no unwinder, so
// nothing is caught.

import { sourceName } from './source.js';

export class Thrown extends Error {}

/** The calls of the ABI of C++; `exports()` are the program's. */
export function exceptionCalls(exports) {
	const word = (at) => new DataView(exports().memory.buffer).getUint32(at, true);
	const string = (at) => {
		const bytes = new Uint8Array(exports().memory.buffer, at);
		return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
	};
	/** std::exception's virtual functions are its two destructors and what(). */
	const whatOf = (object) => string(exports().__indirect_function_table.get(word(word(object) + 8))(object));
	return {
		__cxa_allocate_exception: (size) => exports().aligned_alloc(16, Math.ceil(size / 16) * 16),
		__cxa_free_exception: (at) => exports().free(at),
		__cxa_throw: (object, type) => {
			/* A type_info is its virtual functions and its name. */
			const mangled = string(word(type + 4)), isStandard = /^St\d+\w*(?:error|argument|range|exception)$/.test(mangled);
			const name = isStandard ? `std::${mangled.replace(/^St\d+/, '')}` : sourceName(`_Z${mangled}`).replace(/^_Z/, '');
			throw new Thrown(`an exception is thrown, which ends the program: ${name}${isStandard ? `: ${whatOf(object)}` : ''}`);
		},
		__cxa_rethrow: () => { throw new Thrown('an exception is thrown again, which ends the program'); },
	};
}
