import { render } from 'preact';
import { boot } from './actions';
import { App } from './App';
import './style.css';
import './ui/theme';

render(<App />, document.getElementById('app')!);
void boot();

// Keeps the site for visits without a network. Nothing depends on it, and storage may be forbidden.
if (import.meta.env.PROD && 'serviceWorker' in navigator)
	addEventListener('load', () => void navigator.serviceWorker.register('./sw.js').catch(() => undefined));
