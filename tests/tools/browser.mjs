// How tests and the bench start Chromium: headless, quiet on the network, in a fresh profile.

export const browserFlags = [
	'--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync',
];

/** Waits until the service worker has kept the site; with `editor`, the editor too. */
export async function siteKept(tab, { editor = true } = {}) {
	await tab.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
	const kept = () => tab.evaluate(async (word) => {
		const names = (await caches.keys()).filter((name) => name.startsWith('ptxscope-'));
		const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
		return lists.flat().some((request) => request.url.includes(word));
	}, editor ? 'LlEditor' : 'warp_vote');
	for (const end = Date.now() + 60_000; !await kept();) {
		if (Date.now() > end)
			throw new Error('the site was not kept');
		await tab.waitForTimeout(100);
	}
}
