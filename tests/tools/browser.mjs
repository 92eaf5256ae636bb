// How tests and the bench start Chromium: headless, quiet on the network, in a fresh profile.

export const browserFlags = [
	'--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync',
];

/** How long a test waits for anything: long enough for a machine that does other things beside. */
export const patience = 120_000;

/** Asks again and again until the check, which may throw, says yes; ends with what it threw last. */
export async function eventually(check, what = 'it never was so') {
	for (const end = Date.now() + patience; ;) {
		try {
			if (await check())
				return;
		} catch (error) {
			if (Date.now() > end || /has been closed/.test(error.message))
				throw error;
		}
		if (Date.now() > end)
			throw new Error(what);
		await new Promise((done) => setTimeout(done, 50));
	}
}

/** A slow machine: PTXSCOPE_SLOW_PAGE=6 gives a tab a sixth of its processor. */
export async function slowDown(tab) {
	const rate = Number(process.env.PTXSCOPE_SLOW_PAGE ?? 1);
	if (rate > 1)
		await (await tab.context().newCDPSession(tab)).send('Emulation.setCPUThrottlingRate', { rate });
}

/** Waits until the service worker has kept the site; with `editor`, the editor too. */
export async function siteKept(tab, { editor = true } = {}) {
	await tab.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
	const kept = () => tab.evaluate(async (word) => {
		const names = (await caches.keys()).filter((name) => name.startsWith('ptxscope-'));
		const lists = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
		return lists.flat().some((request) => request.url.includes(word));
	}, editor ? 'LlEditor' : 'warp_vote');
	await eventually(kept, 'the site was not kept');
}
