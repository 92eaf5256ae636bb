// Four sentences for a first visit, one pane at a time. They stand above the panes and cover nothing; whoever came by a link came to
// see something and is left alone.

import { signal } from '@preact/signals';
import { isBoolean, keep, recall } from '../storage';
import { embedded, pane, type Pane } from '../store';

const stops: ReadonlyArray<{ at: Pane; title: string; text: string }> = [
	{ at: 'ir', title: 'LLVM IR', text: 'Edit it, drop a file on it, or open an example. Everything else follows as you type.' },
	{ at: 'passes', title: 'Passes', text: 'Those of the compiler that changed the code, in order. Choose one, or go through them with N and P.' },
	{ at: 'view', title: 'What the pass did', text: 'Point at a line: whatever comes from the same line of IR lights up everywhere. Click a register to follow its value.' },
	{ at: 'ptx', title: 'PTX', text: '▸ Run executes the kernel: each line then shows how often it ran and the memory sectors it moved. Share copies a link to exactly what you see.' },
];

/** The stop that is shown, or -1. */
export const tour = signal(!embedded && !location.hash && recall('toured', isBoolean) !== true ? 0 : -1);

export function startTour(): void {
	tour.value = 0;
	pane.value = stops[0]!.at;
}

function end(): void {
	tour.value = -1;
	keep('toured', true);
}

function go(to: number): void {
	tour.value = to;
	pane.value = stops[to]!.at;
}

export const tourPane = () => stops[tour.value]?.at;

export function Tour() {
	const stop = stops[tour.value];
	if (!stop)
		return null;
	const last = tour.value === stops.length - 1;
	return (
		<aside class="tour-strip" aria-label="A tour of the page" data-testid="tour" onKeyDown={(e) => { if (e.key === 'Escape') end(); }}>
			<span class="quiet">{tour.value + 1} of {stops.length}</span>
			<span class="tour-text" aria-live="polite"><strong>{stop.title}.</strong> {stop.text}</span>
			{tour.value > 0 && <button type="button" onClick={() => go(tour.value - 1)}>Back</button>}
			<button type="button" class={last ? 'primary' : ''} onClick={() => last ? end() : go(tour.value + 1)}>{last ? 'Done' : 'Next'}</button>
			{!last && <button type="button" class="plainly" onClick={end}>Skip</button>}
		</aside>
	);
}
