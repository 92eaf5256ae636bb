// The server of `npm start`: whatever is sent, it answers and goes on, and it serves nothing outside its folder.

import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
		socket.setTimeout(5000, () => socket.destroy(new Error(`no answer to ${JSON.stringify(bytes.slice(0, 60))}`)));
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
