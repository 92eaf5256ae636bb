// What the browser keeps between visits. Storage may be full, forbidden or absent; then nothing is kept, and the page works on.

import { signal } from '@preact/signals';

const prefix = 'ptxscope.';
/** What was to be kept could not be. */
export const storageFails = signal(false);

export function recall<T>(key: string, check: (value: unknown) => value is T): T | undefined {
	try {
		const text = localStorage.getItem(prefix + key);
		const value: unknown = text === null ? undefined : JSON.parse(text);
		return check(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

export function keep(key: string, value: unknown): boolean {
	try {
		localStorage.setItem(prefix + key, JSON.stringify(value));
		storageFails.value = false;
		return true;
	} catch {
		storageFails.value = true;
		return false;
	}
}

export function forget(key: string): void {
	try {
		localStorage.removeItem(prefix + key);
	} catch {
		storageFails.value = true;
	}
}

export const isString = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
export const isNumbers = (value: unknown): value is Record<string, number> =>
	typeof value === 'object' && value !== null && Object.values(value).every(isNumber);
