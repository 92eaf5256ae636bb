// The field that Ctrl+F opens in a read-only text. What it finds is searched in all rows, drawn or not, folded or not.

import { useEffect, useRef } from 'preact/hooks';

interface Props {
	query: string;
	/** Which of so many lines is shown, from 1; 0: none yet. */
	at: number;
	count: number;
	onQuery: (query: string) => void;
	onStep: (step: 1 | -1) => void;
	onClose: () => void;
}

export function FindBar({ query, at, count, onQuery, onStep, onClose }: Props) {
	const field = useRef<HTMLInputElement>(null);
	useEffect(() => field.current?.select(), []);
	const keys = (e: KeyboardEvent) => {
		if (e.key === 'Enter')
			onStep(e.shiftKey ? -1 : 1);
		else if (e.key === 'Escape')
			onClose();
		else
			return;
		e.preventDefault();
		e.stopPropagation();
	};
	return (
		<div class="find" role="search" data-testid="find" onKeyDown={keys}>
			<input ref={field} type="text" aria-label="Find in this text" placeholder="Find" value={query} spellcheck={false} onInput={(e) => onQuery(e.currentTarget.value)} />
			<span class="quiet" role="status">{!query ? '' : count === 0 ? 'nothing' : `${at || '–'} of ${count} line${count > 1 ? 's' : ''}`}</span>
			<button type="button" aria-label="Previous" title="Shift+Enter" disabled={count === 0} onClick={() => onStep(-1)}>↑</button>
			<button type="button" aria-label="Next" title="Enter" disabled={count === 0} onClick={() => onStep(1)}>↓</button>
			<button type="button" class="close" aria-label="Close" title="Escape" onClick={onClose}>×</button>
		</div>
	);
}
