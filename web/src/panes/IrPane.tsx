import { useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { compileNow, edit, hasDraft, openDraft, reveal } from '../actions';
import { compilerCame, editorDone } from '../complete';
import { download } from '../download';
import { dropping, pickFile, sourceFile } from '../files';
import { hasCuda, openExample } from '../examples';
import { autoCompile, defaultExample, example, exampleName, goTo, picked, source, sourceKind, sourceTitle, translated } from '../store';
import { CopyButton } from '../ui/CopyButton';
import { printing } from '../ui/print';
import { lazy } from '../ui/lazy';
import { FullButton } from '../ui/PaneTools';
import { Problems } from './Problems';
import type { Handover } from '../editor/LlEditor';

const ClangStrip = lazy(() => import('./ClangStrip').then((m) => m.ClangStrip));

/** Monaco does not support touch; a plain text area does. */
const wantsMonaco = () => !matchMedia('(max-width: 767px), (pointer: coarse)').matches;

function PlainEditor({ box }: { box: { current: HTMLTextAreaElement | null } }) {
	useSignalEffect(() => {
		const place = goTo.value, el = box.current;
		if (!place || !el)
			return;
		const lines = el.value.split('\n');
		const at = lines.slice(0, place.line - 1).reduce((n, l) => n + l.length + 1, 0) + place.col - 1;
		el.focus();
		el.setSelectionRange(at, at);
		el.scrollTop = (place.line - 1) * 18 - el.clientHeight / 3;
		queueMicrotask(() => { goTo.value = null; });
	});
	const caret = (e: { currentTarget: HTMLTextAreaElement }) => {
		const { value, selectionStart } = e.currentTarget;
		reveal(value.slice(0, selectionStart).split('\n').length, 'ir');
	};
	// The line that was clicked elsewhere: a text area marks none, so a bar stands behind it.
	const [scrolled, setScrolled] = useState(0);
	useSignalEffect(() => {
		const now = picked.value, el = box.current;
		if (!now || !el || now.from === 'ir')
			return;
		const y = (now.line - 1) * 18;
		if (y < el.scrollTop || y + 36 > el.scrollTop + el.clientHeight)
			el.scrollTop = y - el.clientHeight / 3;
	});
	const mark = picked.value;
	return (
		<>
		{mark && <i class="plain-mark" aria-hidden="true" style={{ top: `${6 + (mark.line - 1) * 18 - scrolled}px` }} />}
		<textarea
			ref={box} class="plain" onScroll={(e) => setScrolled(e.currentTarget.scrollTop)} aria-label="LLVM IR" spellcheck={false} autocomplete="off" autocapitalize="off" wrap="off"
			value={source.value} onInput={(e) => edit(e.currentTarget.value)} onClick={caret} onKeyUp={caret}
		/>
		</>
	);
}

/** An example in its other language; CUDA C++ that is one's own becomes the IR that clang has made of it. */
function Language() {
	const name = example.value, cuda = sourceKind.value === 'cu';
	if (name && hasCuda(name))
		return <button type="button" class="link" data-testid="language" onClick={() => void openExample(cuda ? exampleName(name) : `${name}.cu`)}>{cuda ? 'as LLVM IR' : 'as CUDA C++'}</button>;
	const made = translated.value;
	if (cuda && made?.source === source.value)
		return <button type="button" class="link" data-testid="language" title="The IR takes the place of the source; Ctrl+Z takes that back" onClick={() => edit(made.ir)}>edit its LLVM IR</button>;
	return null;
}

export function IrPane() {
	const plain = useRef<HTMLTextAreaElement>(null);
	const [editor, setEditor] = useState<{ Editor: ComponentType<{ handover: Handover }>; handover: Handover }>();

	useEffect(() => {
		if (!wantsMonaco()) {
			editorDone();
			return;
		}
		let live = true;
		// Fails offline before the first full visit, or when a deployment took the file away; the text area stays then.
		compilerCame.then(() => import('../editor/LlEditor')).then(({ LlEditor }) => {
			const el = plain.current;
			if (!live || !el)
				return;
			const handover = { caret: el.selectionStart, scrollTop: el.scrollTop, focused: document.activeElement === el };
			setEditor({ Editor: LlEditor, handover });
		}, () => undefined).finally(editorDone);
		return () => { live = false; };
	}, []);

	return (
		<section class={`pane ir${dropping.value ? ' dropping' : ''}`} aria-label="LLVM IR">
			<header>
				<h2>{{ cu: 'CUDA C++', ll: 'LLVM IR', mir: 'Machine IR', ptx: 'PTX source' }[sourceKind.value]}</h2>
				<span class="quiet">{sourceTitle.value}</span>
				<Language />
				{!autoCompile.value && (
					<button type="button" onClick={() => { autoCompile.value = true; void compileNow(); }}>Compile</button>
				)}
				<span class="tools">
					{example.value === defaultExample && hasDraft() && <button type="button" title="The source that you edited last, as this browser has kept it" onClick={openDraft}>Last draft</button>}
					<button type="button" title="Open a file of CUDA C++, LLVM IR, machine IR or PTX; one may also be dropped anywhere" onClick={pickFile}>Open</button>
					<CopyButton text={() => source.value} what="source" />
					<button type="button" title="Save the source as a file" onClick={() => download(sourceFile(), source.value)}>Save</button>
				</span>
				<span class="icons"><FullButton pane="ir" /></span>
			</header>
			<div class="body" data-testid="ir-editor">
				{printing.value && <pre class="printed-source">{source.value}</pre>}
				{editor ? <editor.Editor handover={editor.handover} /> : <PlainEditor box={plain} />}
				{!source.value.trim() && (
					<div class="nothing">
						<p>Paste LLVM IR or CUDA C++, drop a .ll, .cu, .mir or .ptx file here, or open an example.</p>
						<p class="quiet"><code>clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -O2 -S -emit-llvm kernel.cu</code></p>
					</div>
				)}
			</div>
			{sourceKind.value === 'cu' && <ClangStrip />}
			<Problems />
		</section>
	);
}
