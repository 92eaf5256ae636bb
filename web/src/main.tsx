import { render } from 'preact';
import { boot } from './actions';
import { complete } from './complete';
import { App } from './App';
import './style.css';
import './ui/theme';

render(<App />, document.getElementById('app')!);
void boot();

// Keeps the site for visits without a network. Nothing depends on it, and storage may be forbidden. It waits until the page has what it
// needs, and learns what that was.
async function keepSite(): Promise<void> {
	try {
		await navigator.serviceWorker.register('./sw.js');
		const { active } = await navigator.serviceWorker.ready;
		active?.postMessage({ fetched: performance.getEntriesByType('resource').map((entry) => entry.name) });
	} catch {
		// Forbidden, or there is no network.
	}
}
if (import.meta.env.PROD && 'serviceWorker' in navigator)
	void complete.then(keepSite);
