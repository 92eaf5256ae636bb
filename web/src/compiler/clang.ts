// clang's worker: fetches the compiler when it is told to, reports how much of it is there, and translates one source at a time. The
// library of whole programs is fetched for the first source that has a main.

import { CudaCompiler, hasMain, kitFiles, readTar, type CudaRequest } from '@ptxscope/cuda';
import type { FromClang, ToClang } from './cuda';

const texts = import.meta.glob<string>('../../../wasm/cuda/include/**/*', { query: '?raw', import: 'default', eager: true });
const headers = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path.slice(path.indexOf('/include/') + '/include/'.length), text]));

const answer = (message: FromClang) => postMessage(message);
let compiler: CudaCompiler | undefined;
let kitUrl = '';

/** A copy that was cut short or damaged on the way, also one that the browser keeps, is fetched once more. */
const twice = <T>(get: (fresh: boolean) => Promise<T>): Promise<T> => get(false).catch(() => {
	answer({ kind: 'progress', bytes: 0, again: true });
	return get(true);
});

async function packed(url: string, fresh: boolean): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
	const response = await fetch(url, fresh ? { cache: 'reload' } : {});
	if (!response.ok || !response.body)
		throw new Error(`${response.status} ${response.statusText}`);
	return response.body;
}

/** The module, packed as it comes over the network; compiled while it arrives. */
async function download(url: string, fresh: boolean): Promise<WebAssembly.Module> {
	const body = await packed(url, fresh);
	let done = 0, told = 0;
	const counted = body.pipeThrough(new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
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

async function readKit(fresh: boolean): Promise<Record<string, Uint8Array>> {
	const body = await packed(kitUrl, fresh);
	const bytes = new Uint8Array(await new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
	return kitFiles(readTar(bytes));
}

async function start(source: WebAssembly.Module | string, kit: string) {
	kitUrl = kit;
	const module = source instanceof WebAssembly.Module ? source : await twice((fresh) => download(source, fresh));
	compiler = new CudaCompiler(module, headers);
	answer({ kind: 'loaded', module });
}

/** The library for a source that needs it; a time limit counts from then on. */
async function prepare(id: number, { source }: CudaRequest) {
	if (hasMain(source) && !compiler!.hasKit)
		compiler!.addKit(await twice(readKit).catch((error: Error) => {
			throw new Error(`the C++ library of programs could not be fetched: ${error.message}`);
		}));
	answer({ kind: 'started', id });
}

async function work(id: number, { kind, request }: Extract<ToClang, { id: number }>) {
	await prepare(id, request);
	answer({ kind: 'done', id, result: kind === 'translate' ? await compiler!.compile(request) : await compiler!.compileProgram(request) });
}

addEventListener('message', ({ data }: MessageEvent<ToClang>) => {
	const id = data.kind === 'load' ? 0 : data.id;
	(data.kind === 'load' ? start(data.module, data.kit) : work(id, data))
		.catch((error: unknown) => answer({ kind: 'failed', id, message: error instanceof Error ? error.message : String(error) }));
});
