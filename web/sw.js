// The service worker: keeps the whole site, so that it opens without a network. The build fills in the two constants.

const version = '__VERSION__';
const files = __FILES__;

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
		await clients.claim();
	})());
});

addEventListener('fetch', (event) => {
	const url = new URL(event.request.url);
	if (event.request.method !== 'GET' || !url.href.startsWith(registration.scope))
		return;
	const isPage = event.request.mode === 'navigate';
	event.respondWith((async () => {
		const cached = await caches.match(isPage ? registration.scope : event.request, { ignoreSearch: isPage });
		if (cached && !isPage)
			return cached;
		// The page itself comes fresh where there is a network; everything it names is fixed by its hash.
		return fetch(event.request).catch(() => cached ?? Response.error());
	})());
});
