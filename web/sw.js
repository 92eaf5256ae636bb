// The service worker: keeps the whole site, so that it opens without a network, and fetches nothing that the page has fetched: the
// browser's own cache still has that, as names of assets hold a hash. The build fills in the five constants.

const version = '__VERSION__';
const files = '__FILES__';
/** Small files in one: an object from their names to their texts. */
const pack = '__PACK__';
const at = (file) => new URL(file, registration.scope).href;
/** What a visit may do without: kept once the page has used it. */
const used = '__USED__'.map(at);
/** Large files that most visits never ask for: each is kept once it has been fetched. */
const kept = '__KEPT__'.map(at);
const keptCache = 'kept-clang';
const types = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8', json: 'application/json' };

addEventListener('install', (event) => {
	event.waitUntil((async () => {
		const cache = await caches.open(version);
		// Assets that an older version shares are taken over from it.
		const older = async (file) => {
			const old = /^assets\//.test(file) ? await caches.match(at(file)) : undefined;
			if (old)
				await cache.put(at(file), old);
			return old !== undefined;
		};
		await Promise.all(files.map(async (file) => await older(file) || cache.add(new Request(at(file), /^assets\//.test(file) ? {} : { cache: 'no-cache' }))));
		const texts = await (await fetch(at(pack))).json();
		for (const [file, text] of Object.entries(texts))
			await cache.put(at(file), new Response(text, { headers: { 'Content-Type': types[file.split('.').pop()] ?? 'text/plain; charset=utf-8' } }));
		await skipWaiting();
	})());
});

/** The page says what it has fetched, before there was a service worker to see it. */
addEventListener('message', (event) => {
	event.waitUntil((async () => {
		const cache = await caches.open(version);
		for (const url of used)
			if (event.data?.fetched?.includes(url) && !await cache.match(url))
				await cache.add(new Request(url, { cache: 'force-cache' })).catch(() => undefined);
	})());
});

addEventListener('activate', (event) => {
	event.waitUntil((async () => {
		for (const name of await caches.keys())
			if (name.startsWith('ptxscope-') && name !== version)
				await caches.delete(name);
		const old = await caches.open(keptCache);
		for (const request of await old.keys())
			if (!kept.includes(request.url))
				await old.delete(request);
		await clients.claim();
	})());
});

/** The response itself, which is kept once the page has read it to its end; a page that stops reading ends the download. */
function keptWhenComplete(request, response) {
	const parts = [], { headers } = response;
	const through = new TransformStream({
		transform(piece, to) {
			parts.push(piece);
			to.enqueue(piece);
		},
		async flush() {
			const cache = await caches.open(keptCache);
			await cache.put(request, new Response(new Blob(parts), { headers })).catch(() => undefined);
		},
	});
	return new Response(response.body.pipeThrough(through), { headers });
}

addEventListener('fetch', (event) => {
	const url = new URL(event.request.url);
	if (event.request.method !== 'GET' || !url.href.startsWith(registration.scope))
		return;
	const isPage = event.request.mode === 'navigate';
	event.respondWith((async () => {
		const cached = await caches.match(isPage ? registration.scope : event.request, { ignoreSearch: isPage });
		// `reload` is for who found that the copy is damaged.
		if (cached && !isPage && event.request.cache !== 'reload')
			return cached;
		if (kept.includes(url.href)) {
			const response = await fetch(event.request);
			if (response.ok && response.body)
				return keptWhenComplete(event.request, response);
			return response;
		}
		if (used.includes(url.href)) {
			const response = await fetch(event.request);
			if (response.ok)
				await (await caches.open(version)).put(event.request, response.clone()).catch(() => undefined);
			return response;
		}
		// The page itself comes fresh where there is a network; everything it names is fixed by its hash.
		return fetch(event.request).catch(() => cached ?? Response.error());
	})());
});
