// clang's worker: fetches the compiler when it is told to, reports how much of it is there, and translates one source at a time.

import { CudaCompiler, type CudaRequest } from '@ptxscope/cuda';
import type { FromClang, ToClang } from './cuda';

const texts = import.meta.glob<string>('../../../wasm/cuda/include/**/*', { query: '?raw', import: 'default', eager: true });
const headers = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path.slice(path.indexOf('/include/') + '/include/'.length), text]));

const answer = (message: FromClang) => postMessage(message);
let compiler: CudaCompiler | undefined;

/** The module, packed as it comes over the network; compiled while it arrives. */
async function download(url: string, fresh: boolean): Promise<WebAssembly.Module> {
	const response = await fetch(url, fresh ? { cache: 'reload' } : {});
	if (!response.ok || !response.body)
		throw new Error(`${response.status} ${response.statusText}`);
	let done = 0, told = 0;
	const counted = response.body.pipeThrough(new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
		transform(piece, to) {
			done += piece.length;
			if (done - told > 1 << 17) {
				told = done;
				answer({ kind: 'progress', bytes: done });
			}
			to.enqueue(piece);
		},
	}));
	const unpacked = counted.pipeThrough(new DecompressionStream('gzip'));
	return WebAssembly.compileStreaming(new Response(unpacked, { headers: { 'Content-Type': 'application/wasm' } }));
}

async function start(source: WebAssembly.Module | string) {
	const module = source instanceof WebAssembly.Module ? source
		: await download(source, false).catch(() => {
			// A copy that was cut short or damaged on the way, also one that the browser keeps.
			answer({ kind: 'progress', bytes: 0 });
			return download(source, true);
		});
	compiler = new CudaCompiler(module, headers);
	answer({ kind: 'loaded', module });
}

async function translate(id: number, request: CudaRequest) {
	const begin = performance.now();
	const result = await compiler!.compile(request);
	answer({ kind: 'done', id, result, ms: performance.now() - begin });
}

addEventListener('message', ({ data }: MessageEvent<ToClang>) => {
	const id = data.kind === 'translate' ? data.id : 0;
	(data.kind === 'load' ? start(data.module) : translate(id, data.request))
		.catch((error: unknown) => answer({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) }));
});
