#!/usr/bin/env node
// Serves a folder of static files over HTTP, for `npm start` and the browser tests. Usage: serve.mjs [FOLDER] (PORT, default 4173;
// HOST, default localhost: only this machine can connect).
//
// Whoever can connect may send anything: every request gets an answer, and nothing outside the folder is served, also not through a
// symbolic link in it. A file NAME goes out as NAME.br or NAME.gz, where the build has left one and the client takes it. Every answer
// has an ETag; what is asked for again and has not changed is answered by 304.

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
	return info && { file: real, size: info.size, changed: info.mtimeMs, isFile: info.isFile(), isFolder: info.isDirectory() };
}

/** The file that a path names under `root` (of a folder its index.html), or null. */
async function find(root, path) {
	let found = await inside(root, join(root, path));
	if (found?.isFolder)
		found = await inside(root, join(found.file, 'index.html'));
	return found?.isFile ? found : null;
}

const packings = [{ name: 'br', ending: '.br' }, { name: 'gzip', ending: '.gz' }];

/** The names of the encodings that a client takes: "br;q=0" is one that it does not. */
const accepted = (header = '') => header.split(',').map((part) => part.trim().toLowerCase().split(/\s*;\s*/))
	.filter(([, q]) => !/^q=0(?:\.0*)?$/.test(q ?? '')).map(([name]) => name);

/** What to send of a file for a client that takes `encodings`: itself, or a smaller form that lies beside it. */
async function smallest(root, found, encodings) {
	for (const { name, ending } of packings) {
		const packed = encodings.includes(name) ? await inside(root, found.file + ending) : null;
		// One that is older than its file is of another build.
		if (packed?.isFile && packed.changed >= found.changed)
			return { ...packed, encoding: name };
	}
	return found;
}

/** Does a client have what bears this ETag? */
const hasIt = (header, etag) => header !== undefined && header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');

const refuse = (response, status, text) => response.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${text}\n`);

/** Resolves to `{ url, address, close() }` once the server listens; port 0 takes a free one. `log` is told of every file that goes out;
 * `pace(response)` may give a stream to send through in the place of the response. */
export async function serve({ root, port = 0, host = 'localhost', base = '/', headers = {}, log, pace }) {
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
		const sent = await smallest(root, found, accepted(request.headers['accept-encoding']));
		const etag = `"${found.size.toString(36)}-${Math.round(found.changed).toString(36)}${sent.encoding ? `-${sent.encoding}` : ''}"`;
		// Names of built assets hold a hash of their contents; everything else is asked for anew.
		const fixed = /\/assets\//.test(path);
		const always = {
			'Cache-Control': fixed ? 'public, max-age=31536000, immutable' : 'no-cache',
			'ETag': etag,
			'Vary': 'Accept-Encoding',
			...headers,
		};
		const known = hasIt(request.headers['if-none-match'], etag);
		log?.({ path, status: known ? 304 : 200, bytes: known || request.method === 'HEAD' ? 0 : sent.size });
		if (known)
			return response.writeHead(304, always).end();
		response.writeHead(200, {
			'Content-Type': types[extname(found.file)] ?? 'application/octet-stream',
			'Content-Length': sent.size,
			...(sent.encoding && { 'Content-Encoding': sent.encoding }),
			'X-Content-Type-Options': 'nosniff',
			...always,
		});
		if (request.method === 'HEAD')
			response.end();
		else
			createReadStream(sent.file).on('error', () => response.destroy()).pipe(pace ? pace(response) : response);
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
