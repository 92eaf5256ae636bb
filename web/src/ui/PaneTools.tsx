// What every pane of text has: find, wrap, all lines, and the whole window; views of changes can stand in two columns.

import type { Signal } from '@preact/signals';
import { full, noise, split, wrap } from '../reading';
import type { Pane } from '../store';
import { Icon } from './icons';

function Toggle({ of, icon, name, title }: { of: Signal<boolean>; icon: 'wrap' | 'lines' | 'columns'; name: string; title: string }) {
	return (
		<button type="button" class="tool" aria-pressed={of.value} aria-label={name} title={title} onClick={() => { of.value = !of.value; }}><Icon of={icon} /></button>
	);
}

/** Opens the find bar of the pane's text; false where it has none. */
export function findIn(pane: Element | null | undefined): boolean {
	const code = pane?.querySelector('.code');
	return code ? !code.dispatchEvent(new CustomEvent('ptxscope:find', { cancelable: true })) : false;
}

export const ReadingTools = ({ columns = false }: { columns?: boolean }) => (
	<>
		<button type="button" class="tool" aria-label="Find" title="Find in this text: Ctrl+F" onClick={(e) => findIn(e.currentTarget.closest('.pane'))}><Icon of="find" /></button>
		<Toggle of={wrap} icon="wrap" name="Wrap lines" title="Wrap long lines" />
		<Toggle of={noise} icon="lines" name="All lines" title="Show attributes, metadata, declarations and heads, too" />
		{columns && <Toggle of={split} icon="columns" name="Side by side" title="What was and what is, side by side" />}
	</>
);

export function FullButton({ pane }: { pane: Pane }) {
	const is = full.value === pane;
	return (
		<button type="button" class="tool" aria-pressed={is} aria-label={is ? 'Back to all panes' : 'Fill the window'} title={is ? 'Back to all panes: Escape' : 'This pane alone, over the whole window'} onClick={() => { full.value = is ? '' : pane; }}>
			<Icon of={is ? 'less' : 'full'} />
		</button>
	);
}

export const PaneTools = ({ pane }: { pane: Pane }) => <span class="icons"><ReadingTools /><FullButton pane={pane} /></span>;
