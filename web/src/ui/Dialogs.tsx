import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import examples from '../../../examples/index.json';
import { openDraft, hasDraft } from '../actions';
import { inCuda, openExample } from '../examples';
import { list as kernels } from '../moreExamples';
import { dialog, example, exampleName, fuzzy } from '../store';
import { Report, Share } from './ShareDialog';
import { startTour } from './Tour';

function Dialog({ title, children }: { title: string; children: ComponentChildren }) {
	const el = useRef<HTMLDialogElement>(null);
	const name = dialog.value;
	useEffect(() => el.current?.showModal(), []);
	// The event comes after the dialog has closed: by then a key may have asked for another.
	const closed = () => {
		if (dialog.value === name)
			dialog.value = null;
	};
	return (
		<dialog
			ref={el} aria-labelledby="dialog-title" onClose={closed}
			onClick={(e) => { if (e.target === e.currentTarget) e.currentTarget.close(); }}
		>
			<div class="dialog">
				<header>
					<h2 id="dialog-title">{title}</h2>
					<button type="button" class="close" aria-label="Close" onClick={() => el.current?.close()}>×</button>
				</header>
				{children}
			</div>
		</dialog>
	);
}

const all = [...examples, ...kernels];

/** Every example, in CUDA C++ where it is there in that. */
function Examples() {
	const [query, setQuery] = useState('');
	const listed = all.filter((e) => !query.trim() || fuzzy(query, `${e.title} ${e.name} ${e.group} ${e.about}`));
	const open = (name: string) => {
		void openExample(inCuda(name));
		dialog.value = null;
	};
	return (
		<Dialog title="Examples">
			<input type="search" placeholder="Search examples" aria-label="Search examples" value={query} onInput={(e) => setQuery(e.currentTarget.value)} />
			<ul class="cards">
				{listed.map((e) => (
					<li key={e.name}>
						<button type="button" aria-current={exampleName(example.value) === e.name} onClick={() => open(e.name)}>
							<span class="group">{e.group}</span>
							<strong>{e.title}</strong>
							<span>{e.about}</span>
						</button>
					</li>
				))}
			</ul>
			{listed.length === 0 && <p class="empty">No example matches.</p>}
			{hasDraft() && <p><button type="button" onClick={() => { openDraft(); dialog.value = null; }}>Open your last draft</button></p>}
		</Dialog>
	);
}

const keys: ReadonlyArray<readonly [string, string]> = [
	['↑ ↓ or J K', 'previous and next pass in the list'], ['P N', 'previous and next pass that changed something'],
	['[ ]', 'previous and next change in the diff'], ['Ctrl+Enter', 'compile now'], ['Ctrl+S', 'copy a link to exactly this'],
	['S L C B', 'while stepping: one instruction, one line, on to a stop or the end, one back'],
	['F6', 'next pane; Shift+F6 the one before'], ['E', 'examples'], ['?', 'this help'], ['F1', 'all commands of the editor'], ['Ctrl+F', 'find in the text that has the focus or the pointer'], ['Escape', 'clears the marked line, or leaves a pane that fills the window; in the editor, Tab after it goes on to the next control'],
];

function Help() {
	return (
		<Dialog title="How to read this page">
			<ol class="tour">
				<li><strong>Left:</strong> the source: CUDA C++, LLVM IR, machine IR or PTX. Edit it; everything else follows as you type.</li>
				<li><strong>Middle:</strong> every pass of the compiler in order. Those that changed the code are listed first of all; choose one.</li>
				<li><strong>Right:</strong> what that pass did, as a diff, as text or as a graph. Below it, the PTX.</li>
				<li>Point at any line: lines that come from the same line of IR light up everywhere.</li>
			</ol>
			<p class="row-of-buttons">
				<button type="button" onClick={() => { dialog.value = null; startTour(); }}>Tour of the page</button>
				<button type="button" onClick={() => { dialog.value = 'report'; }}>Report a problem</button>
			</p>
			<table class="keys">
				<tbody>{keys.map(([key, what]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{what}</td></tr>)}</tbody>
			</table>
		</Dialog>
	);
}

export function Dialogs() {
	return dialog.value === 'examples' ? <Examples /> : dialog.value === 'help' ? <Help /> : dialog.value === 'share' ? <Dialog title="Share"><Share /></Dialog>
		: dialog.value === 'report' ? <Dialog title="Report a problem"><Report /></Dialog> : null;
}
