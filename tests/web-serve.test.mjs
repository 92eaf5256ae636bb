// The server of `npm start`: whatever is sent, it answers and goes on, and it serves nothing outside its folder.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { serve } from '../web/serve.mjs';
import { temporaryFolder } from './tools/ptxscope.mjs';

const folder = temporaryFolder();
const root = join(folder, 'site');
let server;
let port;

before(async () => {
	mkdirSync(join(root, 'sub'), { recursive: true });
	writeFileSync(join(root, 'index.html'), 'start');
	writeFileSync(join(root, 'sub/a b.txt'), 'spaced');
	writeFileSync(join(folder, 'secret.txt'), 'secret');
	symlinkSync(join(folder, 'secret.txt'), join(root, 'link.txt'));
	symlinkSync(folder, join(root, 'up'));
	symlinkSync(join(root, 'index.html'), join(root, 'inner.html'));
	server = await serve({ root });
	port = Number(new URL(server.url).port);
});
after(() => server.close());

/** Sends bytes as they are; resolves to the whole answer. */
function raw(bytes) {
	return new Promise((done, fail) => {
		let text = '';
		const socket = connect(port, 'localhost', () => socket.write(bytes));
		socket.setTimeout(60_000, () => socket.destroy(new Error(`no answer to ${JSON.stringify(bytes.slice(0, 60))}`)));
		socket.on('data', (data) => { text += data; }).on('end', () => done(text)).on('error', fail);
	});
}
const get = (target) => raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
const status = (answer) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

test('files and folders are served, queries are ignored', async () => {
	assert.match(await get('/'), /\r\n\r\nstart$/);
	assert.match(await get('/?x=1'), /\r\n\r\nstart$/);
	assert.match(await get('/sub/a%20b.txt'), /\r\n\r\nspaced$/);
	assert.match(await get('/inner.html'), /\r\n\r\nstart$/, 'a link within the folder');
});

test('a packed form goes out to who takes it, unless it is older', async () => {
	mkdirSync(join(root, 'assets'), { recursive: true });
	const file = join(root, 'assets/a-1234.js');
	writeFileSync(file, 'x'.repeat(1000));
	for (const [ending, body] of [['.br', 'packed by br'], ['.gz', 'packed by gz']])
		writeFileSync(file + ending, body);
	const ask = (headers, path = '/assets/a-1234.js') => fetch(`http://localhost:${port}${path}`, { headers });
	// fetch unpacks, so the sizes tell.
	const of = async (encodings) => {
		const answer = await raw(`GET /assets/a-1234.js HTTP/1.1\r\nHost: x\r\n${encodings === null ? '' : `Accept-Encoding: ${encodings}\r\n`}Connection: close\r\n\r\n`);
		return [/\r\nContent-Encoding: (\S+)/.exec(answer)?.[1], /\r\n\r\n([^]*)/.exec(answer)[1].slice(0, 12)];
	};
	assert.deepEqual(await of('gzip, deflate, br, zstd'), ['br', 'packed by br']);
	assert.deepEqual(await of('gzip;q=1.0, br;q=0'), ['gzip', 'packed by gz']);
	assert.deepEqual(await of('identity'), [undefined, 'xxxxxxxxxxxx']);
	assert.deepEqual(await of(null), [undefined, 'xxxxxxxxxxxx']);
	const { headers } = await ask({ 'accept-encoding': 'identity' });
	assert.match(headers.get('cache-control'), /immutable/);
	assert.match(headers.get('vary'), /Accept-Encoding/);
	assert.match((await ask({}, '/index.html')).headers.get('cache-control'), /no-cache/);
	utimesSync(`${file}.br`, 1, 1);
	assert.deepEqual(await of('br'), [undefined, 'xxxxxxxxxxxx'], 'of an older build');
});

test('what has not changed is not sent again', async () => {
	const get = (headers = {}) => fetch(`http://localhost:${port}/index.html`, { headers });
	const etag = (await get()).headers.get('etag');
	assert.ok(etag);
	assert.equal((await get({ 'if-none-match': etag })).status, 304);
	assert.equal((await get({ 'if-none-match': `"other", W/${etag}` })).status, 304);
	assert.equal((await get({ 'if-none-match': '"other"' })).status, 200);
	writeFileSync(join(root, 'index.html'), 'start');
	utimesSync(join(root, 'index.html'), 1, 1);
	assert.equal((await get({ 'if-none-match': etag })).status, 200, 'written anew');
});

test('malformed requests are answered, and the server goes on', async () => {
	const targets = ['//', '///', '//x:y@z:99999/', '/%', '/%zz', '/%00', '/\\..\\..', 'http://[', '*', '/..%2f..%2fsecret.txt', `/${'a'.repeat(9000)}`];
	for (const target of targets) {
		const code = status(await get(target));
		assert.ok([200, 400, 404].includes(code), `${target.slice(0, 40)}: ${code}`);
	}
	for (const bytes of ['GET\r\n\r\n', '\0\0\0\0', 'GET / HTTP/9.9\r\n\r\n', 'GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'y'.repeat(90000)}\r\n\r\n`])
		await raw(bytes).catch((error) => assert.match(error.code ?? '', /ECONNRESET|EPIPE/, bytes.slice(0, 40)));
	assert.equal(status(await raw('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')), 405);
	assert.equal(status(await get('/')), 200);
});

test('nothing outside the folder is served', async () => {
	for (const target of ['/link.txt', '/up/secret.txt', '/../secret.txt', '/..%2fsecret.txt', '/sub/..%2f..%2fsecret.txt', '/%2e%2e/secret.txt']) {
		const answer = await get(target);
		assert.equal(status(answer), 404, target);
		assert.doesNotMatch(answer, /secret/, target);
	}
});

test('only this machine can connect unless another host is named', () => {
	assert.match(server.url, /^http:\/\/localhost:/);
	assert.match(server.address, /^(127\.0\.0\.1|::1)$/);
});
