#!/usr/bin/env node
// Serves a folder of static files over HTTP, for `npm start` and the browser tests. Usage: serve.mjs [FOLDER] (PORT, default 4173;
// HOST, default localhost: only this machine can connect).
//
// Whoever can connect may send anything: every request gets an answer, and nothing outside the folder is served, also not through a
// symbolic link in it.

import { createServer } from 'node:http';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
	'.css': 'text/css; charset=utf-8', '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8',
	'.json': 'application/json', '.ll': 'text/plain; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
	'.png': 'image/png', '.svg': 'image/svg+xml', '.ttf': 'font/ttf', '.wasm': 'application/wasm',
	'.webmanifest': 'application/manifest+json', '.woff2': 'font/woff2',
};

/** The path of a request target: "/a/b" of "/a/b?c". Null where it is no path, or is not encoded as one. */
function pathOf(target) {
	const path = /^\/[^?#]*/.exec(target)?.[0];
	try {
		return path === undefined || path.includes('%00') ? null : decodeURIComponent(path);
	} catch {
		return null;
	}
}

/** What `file` is when links are followed, if that lies under `root`; else null. */
async function inside(root, file) {
	const real = await realpath(file).catch(() => null);
	if (real === null || (real !== root && !real.startsWith(root + sep)))
		return null;
	const info = await stat(real).catch(() => null);
	return info && { file: real, size: info.size, isFile: info.isFile(), isFolder: info.isDirectory() };
}

/** The file that a path names under `root` (of a folder its index.html), or null. */
async function find(root, path) {
	let found = await inside(root, join(root, path));
	if (found?.isFolder)
		found = await inside(root, join(found.file, 'index.html'));
	return found?.isFile ? found : null;
}

const refuse = (response, status, text) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${text}\n`);

/** Resolves to `{ url, address, close() }` once the server listens; port 0 takes a free one. */
export async function serve({ root, port = 0, host = 'localhost', base = '/', headers = {} }) {
	root = await realpath(resolve(root));
	const server = createServer(async (request, response) => {
		const path = pathOf(request.url);
		if (path === null)
			return refuse(response, 400, 'bad request');
		const found = path.startsWith(base) ? await find(root, path.slice(base.length)) : null;
		if (!found)
			return refuse(response, 404, 'not found');
		if (request.method !== 'GET' && request.method !== 'HEAD')
			return refuse(response, 405, 'GET only');
		// Names of built assets hold a hash of their contents; everything else is asked for anew.
		const fixed = /\/assets\//.test(path);
		response.writeHead(200, {
			'Content-Type': types[extname(found.file)] ?? 'application/octet-stream',
			'Content-Length': found.size,
			'Cache-Control': fixed ? 'public, max-age=31536000, immutable' : 'no-cache',
			'X-Content-Type-Options': 'nosniff',
			...headers,
		});
		if (request.method === 'HEAD')
			response.end();
		else
			createReadStream(found.file).on('error', () => response.destroy()).pipe(response);
	});
	server.on('clientError', (error, socket) => socket.writable && socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
	await new Promise((done, fail) => server.once('error', fail).listen(port, host, () => done()));
	return {
		address: server.address().address,
		url: `http://localhost:${server.address().port}${base}`,
		close: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
	};
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	const root = process.argv[2] ?? fileURLToPath(new URL('../build/web', import.meta.url));
	const { url } = await serve({ root, port: Number(process.env.PORT ?? 4173), host: process.env.HOST });
	console.log(url);
}
