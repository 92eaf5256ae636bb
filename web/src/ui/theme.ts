// Colours come from CSS variables alone; a theme is an attribute of the root element.

import { effect, signal } from '@preact/signals';
import { isString, keep, recall } from '../storage';

export const themes = ['system', 'light', 'dark', 'contrast'] as const;
export type Theme = typeof themes[number];
const isTheme = (value: unknown): value is Theme => isString(value) && (themes as readonly string[]).includes(value);

const forced = new URLSearchParams(location.search).get('theme');
export const theme = signal<Theme>(isTheme(forced) ? forced : recall('theme', isTheme) ?? 'system');
/** What `system` means just now. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(dark.matches);
dark.addEventListener('change', (e) => { systemDark.value = e.matches; });

/** The theme as painted; the editor follows it. */
export const painted = signal<'light' | 'dark' | 'contrast'>('light');

effect(() => {
	painted.value = theme.value === 'system' ? (systemDark.value ? 'dark' : 'light') : theme.value;
	document.documentElement.dataset.theme = painted.value;
	// public/theme.js has set it for the first frame; from here on the style sheet says it.
	document.documentElement.style.colorScheme = '';
});

export function setTheme(next: Theme): void {
	theme.value = next;
	keep('theme', next);
}
