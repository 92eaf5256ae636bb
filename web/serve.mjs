#!/usr/bin/env node
// Serves a folder of static files over HTTP, for `npm start` and the browser tests. Usage: serve.mjs [FOLDER] (PORT, default 4173).

import { createServer } from 'node:http';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
	'.css': 'text/css; charset=utf-8', '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8',
	'.json': 'application/json', '.ll': 'text/plain; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
	'.png': 'image/png', '.svg': 'image/svg+xml', '.ttf': 'font/ttf', '.wasm': 'application/wasm',
	'.webmanifest': 'application/manifest+json', '.woff2': 'font/woff2',
};

/** The file that a request path names under `root`, or null: nothing outside `root` is ever served. */
async function find(root, path) {
	let name;
	try {
		name = normalize(decodeURIComponent(path));
	} catch {
		return null;
	}
	let file = join(root, name);
	if (file !== root && !file.startsWith(root + sep))
		return null;
	let info = await stat(file).catch(() => null);
	if (info?.isDirectory()) {
		file = join(file, 'index.html');
		info = await stat(file).catch(() => null);
	}
	return info?.isFile() ? { file, size: info.size } : null;
}

/** Resolves to `{ url, close() }` once the server listens; port 0 takes a free one. */
export async function serve({ root, port = 0, base = '/', headers = {} }) {
	root = resolve(root);
	const server = createServer(async (request, response) => {
		const path = new URL(request.url, 'http://localhost').pathname;
		const found = path.startsWith(base) ? await find(root, '/' + path.slice(base.length)) : null;
		if (!found || (request.method !== 'GET' && request.method !== 'HEAD')) {
			response.writeHead(found ? 405 : 404, { 'Content-Type': 'text/plain' }).end(found ? 'GET only\n' : 'not found\n');
			return;
		}
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
	await new Promise((done, fail) => server.once('error', fail).listen(port, () => done()));
	return {
		url: `http://localhost:${server.address().port}${base}`,
		close: () => new Promise((done) => { server.close(done); server.closeAllConnections(); }),
	};
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
	const root = process.argv[2] ?? fileURLToPath(new URL('../build/web', import.meta.url));
	const { url } = await serve({ root, port: Number(process.env.PORT ?? 4173) });
	console.log(url);
}
