import { signal } from '@preact/signals';
import { compileNow } from '../actions';
import { openExample } from '../examples';
import { banner, defaultExample, dialog, state } from '../store';

const online = signal(navigator.onLine);
addEventListener('online', () => { online.value = true; });
addEventListener('offline', () => { online.value = false; });

export function Banner() {
	const b = banner.value;
	return (
		<div class="banners" aria-live="assertive">
			{!online.value && <div class="banner offline" data-banner="offline">You are offline. Everything here works without a network.</div>}
			{b && (
				<div class={`banner ${b.kind}`} data-banner={b.kind}>
					<span>{b.text}</span>
					{b.detail && <details><summary>Details</summary><code>{b.detail}</code></details>}
					{b.kind === 'crash' && <button type="button" onClick={() => void compileNow()}>Compile again</button>}
					{(b.kind === 'crash' || b.kind === 'load') && <button type="button" onClick={() => { dialog.value = 'report'; }}>Report a problem</button>}
					{b.kind === 'link' && <button type="button" onClick={() => { banner.value = null; void openExample(defaultExample); }}>Start afresh</button>}
					{b.kind === 'load' && state.value === 'crashed' && <button type="button" onClick={() => location.reload()}>Reload</button>}
					<button type="button" class="close" aria-label="Dismiss" onClick={() => { banner.value = null; }}>×</button>
				</div>
			)}
		</div>
	);
}
