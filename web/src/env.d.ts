declare module '@ptxscope/core/ptxscope.wasm?url' {
	const url: string;
	export default url;
}

declare module 'virtual:clang' {
	/** clang's packed module: its address from the page, and its size; and the library of whole programs. */
	const clang: { file: string; bytes: number; kit: { file: string; bytes: number } };
	export default clang;
}

declare module 'virtual:prebuilt' {
	const prebuilt: { ptx: string; ptxLines: number[] };
	export default prebuilt;
}

declare module 'virtual:examples' {
	/** The examples of the gallery without what it says of them; `cuda`: there in CUDA C++, too. */
	const examples: { name: string; title: string; group: string; cuda?: true }[];
	export default examples;
}
