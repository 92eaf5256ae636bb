// The service worker: keeps the whole site, so that it opens without a network. The build fills in the three constants.

const version = '__VERSION__';
const files = __FILES__;
/** Large files that most visits never ask for: each is kept once it has been fetched. */
const kept = __KEPT__.map((file) => new URL(file, registration.scope).href);
const keptCache = 'kept-clang';

addEventListener('install', (event) => {
	event.waitUntil((async () => {
		const cache = await caches.open(version);
		// Assets that an older version shares are taken over from it; their names hold a hash.
		await Promise.all(files.map(async (file) => {
			const old = /^assets\//.test(file) ? await caches.match(new URL(file, registration.scope)) : undefined;
			await (old ? cache.put(new URL(file, registration.scope), old) : cache.add(new Request(new URL(file, registration.scope), { cache: 'no-cache' })));
		}));
		await skipWaiting();
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
		// The page itself comes fresh where there is a network; everything it names is fixed by its hash.
		return fetch(event.request).catch(() => cached ?? Response.error());
	})());
});
