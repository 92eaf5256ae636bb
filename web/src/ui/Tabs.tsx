// A tab list with the keys of the ARIA pattern: arrows move and select, Home and End jump.

import type { ComponentChildren } from 'preact';

interface Props<T extends string> {
	label: string;
	value: T;
	tabs: ReadonlyArray<{ id: T; title: ComponentChildren; count?: number }>;
	/** The id of the panel. */
	controls: string;
	onSelect: (id: T) => void;
}

export function Tabs<T extends string>({ label, value, tabs, controls, onSelect }: Props<T>) {
	const move = (e: KeyboardEvent) => {
		const at = tabs.findIndex((t) => t.id === value);
		const to = e.key === 'ArrowRight' ? at + 1 : e.key === 'ArrowLeft' ? at - 1
			: e.key === 'Home' ? 0 : e.key === 'End' ? tabs.length - 1 : undefined;
		if (to === undefined)
			return;
		const next = tabs[(to + tabs.length) % tabs.length]!;
		onSelect(next.id);
		(e.currentTarget as HTMLElement).querySelector<HTMLElement>(`#tab-${controls}-${next.id}`)?.focus();
		e.preventDefault();
		e.stopPropagation();
	};
	return (
		<div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
			{tabs.map((t) => (
				<button
					key={t.id} id={`tab-${controls}-${t.id}`} type="button" role="tab" aria-selected={t.id === value}
					aria-controls={controls} tabIndex={t.id === value ? 0 : -1} onClick={() => onSelect(t.id)}
				>
					{t.title}{t.count ? <span class="count">{t.count}</span> : null}
				</button>
			))}
		</div>
	);
}
