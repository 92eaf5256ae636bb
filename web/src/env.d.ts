declare module '@ptxscope/core/ptxscope.wasm?url' {
	const url: string;
	export default url;
}
