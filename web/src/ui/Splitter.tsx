// A draggable border between two panes: pointer, arrow keys, Home and End, double click to reset. The size is a CSS variable of
// the layout, in per cent, and is kept between visits.

import { useRef } from 'preact/hooks';
import { isNumbers, keep, recall } from '../storage';

const sizes: Record<string, number> = recall('sizes', isNumbers) ?? {};

interface Props {
	/** The CSS variable, without its dashes. */
	name: string;
	label: string;
	/** The way it moves. */
	axis: 'x' | 'y';
	initial: number;
	min?: number;
	max?: number;
	/** The sized pane comes after the border. */
	reversed?: boolean;
}

export const sizeStyle = (initials: Record<string, number>): string =>
	Object.entries(initials).map(([name, value]) => `--${name}:${sizes[name] ?? value}%`).join(';');

export function Splitter({ name, label, axis, initial, min = 12, max = 80, reversed }: Props) {
	const el = useRef<HTMLDivElement>(null);
	const drag = useRef<{ at: number; value: number; span: number } | null>(null);
	const sign = reversed ? -1 : 1;
	const current = () => sizes[name] ?? initial;
	const set = (value: number) => {
		const clamped = Math.min(max, Math.max(min, value));
		sizes[name] = clamped;
		el.current?.closest<HTMLElement>('.main')?.style.setProperty(`--${name}`, `${clamped}%`);
		el.current?.setAttribute('aria-valuenow', String(Math.round(clamped)));
		keep('sizes', sizes);
	};
	const keys = (e: KeyboardEvent) => {
		const step = e.shiftKey ? 10 : 2;
		const [back, on] = axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
		const to = e.key === back ? current() - sign * step : e.key === on ? current() + sign * step
			: e.key === 'Home' ? min : e.key === 'End' ? max : e.key === 'Enter' ? initial : undefined;
		if (to === undefined)
			return;
		set(to);
		e.preventDefault();
	};
	return (
		<div
			ref={el} class={`splitter ${axis} ${name}`} role="separator" tabIndex={0} aria-label={label}
			aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'} aria-valuemin={min} aria-valuemax={max}
			aria-valuenow={Math.round(current())}
			onPointerDown={(e) => {
				const box = e.currentTarget.parentElement!.getBoundingClientRect();
				const [at, span] = axis === 'x' ? [e.clientX, box.width] : [e.clientY, box.height];
				drag.current = { at, value: current(), span };
				e.currentTarget.setPointerCapture(e.pointerId);
				e.preventDefault();
			}}
			onPointerMove={(e) => {
				const d = drag.current;
				if (d)
					set(d.value + sign * ((axis === 'x' ? e.clientX : e.clientY) - d.at) / d.span * 100);
			}}
			onPointerUp={() => { drag.current = null; }}
			onPointerCancel={() => { drag.current = null; }}
			onDblClick={() => set(initial)}
			onKeyDown={keys}
		/>
	);
}
