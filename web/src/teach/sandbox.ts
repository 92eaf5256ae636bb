// Runs a function that somebody has written, in a worker without a network and without storage, for a while at most. The worker is made by
// room.js in a sandboxed frame, and has the policies of both, the frame's and the page's: it can ask for nothing, not even of this site.

import type { Piece } from './ownPass';
import roomScript from './room.js?raw';

export interface Outcome {
	texts: string[];
	/** What it has written with console.log. */
	printed: string;
}

export const limitMs = 2000;
/** How long a worker may take to begin: on a busy machine that takes longer than most passes, whose time is counted from there. */
const startMs = 30_000;

/** What a worker could reach the world or the page's storage with. The frame's policy forbids the network anyway. */
const gone = [
	'fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource', 'importScripts', 'Worker', 'SharedWorker', 'indexedDB', 'caches',
	'BroadcastChannel', 'RTCPeerConnection', 'navigator', 'cookieStore',
];

const prelude = `"use strict";${JSON.stringify(gone)}.forEach((n) => { for (let o = self; o; o = Object.getPrototypeOf(o)) { try { delete o[n]; } catch {} }`
	+ ` try { Object.defineProperty(self, n, { value: undefined }); } catch {} });`
	+ `{ const post = self.postMessage.bind(self); let printed = ""; post({ began: true });`
	+ ` const say = (...words) => { printed = (printed + words.map((w) => typeof w === "string" ? w : JSON.stringify(w)).join(" ") + "\\n").slice(-20000); };`
	+ ` self.console = { log: say, info: say, warn: say, error: say, debug: say };`
	+ ` self.onmessage = ({ data }) => { try { if (!self.ownPass) throw new Error("the code has to define a function named pass");`
	+ ` const texts = data.map(({ name, text }) => { const made = self.ownPass(text, name); if (typeof made !== "string") throw new Error("pass returned " + (made === null ? "null" : typeof made) + ", not a string"); return made; });`
	+ ` post({ texts, printed }); } catch (e) { const at = /blob:[^)\\s]*?:(\\d+):\\d+/.exec(e?.stack ?? ""); post({ error: String(e?.message ?? e), line: at ? Number(at[1]) : 1, printed }); } }; }`
	+ ` self.ownPass = (function () {`;

/** Nothing may be asked for by what runs in the frame, and no script may run there but the one that is written into it. */
const policy = "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; connect-src 'none'";

let frame: Promise<Window> | undefined;

/** The frame in which workers are made. It has an origin of its own: no storage, and nothing of the page. */
const room = (): Promise<Window> => frame ??= new Promise((resolve) => {
	const el = document.createElement('iframe');
	el.hidden = true;
	el.title = 'Where an own pass runs';
	el.setAttribute('sandbox', 'allow-scripts');
	el.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${policy}"><script>${roomScript}</script>`;
	el.onload = () => resolve(el.contentWindow!);
	document.body.append(el);
});

export class PassError extends Error {
	constructor(message: string, readonly line = 0, readonly printed = '') {
		super(message);
	}
}

/** Calls the code's `pass` for every piece. Rejects with a PassError. */
export async function call(code: string, pieces: Piece[]): Promise<Outcome> {
	const window = await room(), { port1: port, port2 } = new MessageChannel();
	let timer: ReturnType<typeof setTimeout> | undefined;
	try {
		return await new Promise<Outcome>((resolve, reject) => {
			let began = false;
			const stopAfter = (ms: number) => {
				clearTimeout(timer);
				timer = setTimeout(() => reject(new PassError(`it was stopped after ${ms / 1000} s`)), ms);
			};
			stopAfter(startMs);
			port.onmessage = ({ data }: MessageEvent<{ began?: unknown; texts?: unknown; error?: unknown; line?: unknown; printed?: unknown }>) => {
				if (data.began && !began) {
					began = true;
					stopAfter(limitMs);
					return;
				}
				const printed = String(data.printed ?? ''), { texts } = data;
				if (Array.isArray(texts) && texts.length === pieces.length && texts.every((t) => typeof t === 'string'))
					resolve({ texts, printed });
				else
					reject(new PassError(String(data.error ?? 'it gave no text').replace(/^Uncaught /, ''), Math.max(0, Number(data.line ?? 1) - 1), printed));
			};
			window.postMessage({ code: [prelude, code, '; return typeof pass === "function" ? pass : undefined; })();'].join('\n'), pieces }, '*', [port2]);
		});
	} finally {
		clearTimeout(timer);
		port.postMessage('end');
		port.close();
	}
}
