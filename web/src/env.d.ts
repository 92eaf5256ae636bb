declare module '@ptxscope/core/ptxscope.wasm?url' {
	const url: string;
	export default url;
}

declare module 'virtual:prebuilt' {
	const prebuilt: { ptx: string; ptxLines: number[] };
	export default prebuilt;
}
