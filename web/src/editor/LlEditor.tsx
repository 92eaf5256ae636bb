import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Diagnostic } from '@ptxscope/core';
import { compileNow, edit, reveal, share } from '../actions';
import { explain } from '../explain';
import { goTo, hot, picked, problems, shown, shownSource, source, sourceKind, isPtx, spot } from '../store';
import { isCurrent } from '../freshness';
import { heatScale, placeOf, profileByOrigin } from '../heat';
import { ran } from '../running';
import { painted } from '../ui/theme';
import { value, valueAt, type Value } from '../value';
import { monaco, paintEditor } from './monaco';

const { MarkerSeverity } = monaco;
const languages = { cu: 'cuda', ll: 'llvm', mir: 'mir', ptx: 'ptx' } as const;
const languageNames = { cu: 'CUDA C++', ll: 'LLVM IR', mir: 'Machine IR', ptx: 'PTX' } as const;
const labelOf = (kind: keyof typeof languages) => `${languageNames[kind]}. Escape, then Tab leaves the editor.`;
/** Tools that write PTX put tabs before operands, for stops of 8. */
const tabSizeOf = (kind: keyof typeof languages) => kind === 'ptx' ? 8 : 2;
const severities: Record<Diagnostic['severity'], monaco.MarkerSeverity> = {
	error: MarkerSeverity.Error, warning: MarkerSeverity.Warning, note: MarkerSeverity.Info, remark: MarkerSeverity.Hint,
};

export interface Handover {
	caret: number;
	scrollTop: number;
	focused: boolean;
}

/** What a line of the input has become, where what is on screen belongs to it. */
function becomes(line: number): string[] {
	const trace = shownSource.peek() === source.peek() && !isPtx.peek() ? shown.peek()?.trace : undefined;
	if (!trace)
		return [];
	const ptx = trace.ptx.split('\n');
	return trace.ptxLines.flatMap((origin, i) => origin === line && /^\s+(?!\.)\S.*;/.test(ptx[i] ?? '') ? [ptx[i]!.trim().replace(/\s+/g, ' ')] : []);
}

for (const language of ['llvm', 'ptx', 'mir', 'cuda'] as const)
	monaco.languages.registerHoverProvider(language, {
		provideHover: (model, position) => {
			const word = model.getWordAtPosition(position);
			const known = word && language !== 'cuda' && explain(language, word.word, model.getLineContent(position.lineNumber));
			const remarks = (shownSource.peek() === source.peek() ? shown.peek()?.trace.remarks ?? [] : []).filter((r) => r.line === position.lineNumber);
			const code = becomes(position.lineNumber), fence = '```';
			const contents = [
				...(known ? [`**${known.title}**`, known.text, ...(known.form ? [`\`${known.form}\``] : []), ...(known.parts ?? []).map(([part, meaning]) => `\`${part}\` ${meaning}`)] : []),
				...(code.length ? [`becomes\n${fence}ptx\n${code.slice(0, 6).join('\n')}${code.length > 6 ? `\n… ${code.length - 6} more` : ''}\n${fence}`] : []),
				...[...new Set(remarks.map((r) => `**${r.pass}**: ${r.message}`))].slice(0, 6),
			].map((value) => ({ value }));
			return contents.length ? { contents } : null;
		},
	});

/** The Monaco editor of the IR; takes over caret and scroll from the plain text area that stood in for it. */
export function LlEditor({ handover }: { handover: Handover }) {
	const box = useRef<HTMLDivElement>(null);
	const instance = useRef<monaco.editor.IStandaloneCodeEditor>(undefined);

	useEffect(() => {
		paintEditor(painted.peek());
		const editor = monaco.editor.create(box.current!, {
			value: source.peek(),
			language: languages[sourceKind.peek()],
			theme: 'ptxscope',
			ariaLabel: labelOf(sourceKind.peek()),
			automaticLayout: true,
			editContext: false,
			fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono'),
			fontSize: 12.5,
			lineHeight: 18,
			lineNumbersMinChars: 3,
			lineDecorationsWidth: 8,
			minimap: { enabled: false },
			scrollBeyondLastLine: false,
			renderLineHighlightOnlyWhenFocus: false,
			fixedOverflowWidgets: true,
			overviewRulerBorder: false,
			hideCursorInOverviewRuler: true,
			wordBasedSuggestions: 'off',
			unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false },
			padding: { top: 6, bottom: 6 },
			guides: { indentation: false },
			folding: true,
			// What is typed or pasted arrives as it is.
			autoIndent: 'none',
			autoClosingBrackets: 'never',
			autoClosingQuotes: 'never',
			autoSurround: 'never',
			tabSize: tabSizeOf(sourceKind.peek()),
			detectIndentation: false,
		});
		instance.current = editor;
		const model = editor.getModel()!;
		model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
		editor.setPosition(model.getPositionAt(handover.caret));
		editor.setScrollTop(handover.scrollTop);
		if (handover.focused)
			editor.focus();
		editor.onDidChangeModelContent(() => edit(model.getValue()));
		editor.onDidChangeCursorPosition((e) => {
			if (e.reason !== monaco.editor.CursorChangeReason.Explicit)
				return;
			reveal(e.position.lineNumber, 'ir');
			const word = model.getWordAtPosition(e.position)?.word;
			if (word?.startsWith('%') && shownSource.peek() === source.peek())
				value.value = valueAt(e.position.lineNumber, word);
		});
		editor.onMouseMove((e) => {
			const line = e.target.position?.lineNumber;
			if (line && hot.peek()?.line !== line)
				hot.value = { line, from: 'ir' };
		});
		editor.onMouseLeave(() => { hot.value = null; });
		const { KeyMod, KeyCode } = monaco;
		// Escape lets the next Tab leave; any other key takes that back.
		editor.onKeyDown((e) => {
			if (e.keyCode !== KeyCode.Tab && e.keyCode !== KeyCode.Shift)
				editor.updateOptions({ tabFocusMode: e.keyCode === KeyCode.Escape });
		});
		editor.onDidBlurEditorText(() => editor.updateOptions({ tabFocusMode: false }));
		editor.addCommand(KeyMod.CtrlCmd | KeyCode.Enter, () => void compileNow());
		editor.addCommand(KeyMod.CtrlCmd | KeyCode.KeyS, () => void share());
		return () => editor.dispose();
	}, []);

	useSignalEffect(() => {
		const text = source.value, editor = instance.current, model = editor?.getModel();
		if (!editor || !model || model.getValue() === text)
			return;
		// One undoable edit, so that opening an example can be taken back.
		model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
		editor.setScrollTop(0);
		editor.setPosition({ lineNumber: 1, column: 1 });
	});

	useSignalEffect(() => {
		const model = instance.current?.getModel();
		const result = ran.value;
		const faults: Diagnostic[] = result && isCurrent(result.key) ? result.answer.faults.map((f) => {
			const line = placeOf(f)?.origin ?? 0;
			return { severity: 'error', line, col: 1, endLine: line, endCol: 200, code: f.kind, message: f.message };
		}) : [];
		const list = [...problems.value, ...faults];
		if (model)
			monaco.editor.setModelMarkers(model, 'ptxscope', list.filter((d) => d.line > 0).map((d) => marker(model, d)));
	});

	useSignalEffect(() => {
		const place = goTo.value, editor = instance.current;
		if (!place || !editor)
			return;
		editor.setPosition({ lineNumber: place.line, column: place.col });
		editor.revealLineInCenterIfOutsideViewport(place.line);
		editor.focus();
		queueMicrotask(() => { goTo.value = null; });
	});

	const lit = useRef<monaco.editor.IEditorDecorationsCollection>(undefined);
	useSignalEffect(() => {
		const editor = instance.current, lines = editor?.getModel()?.getLineCount() ?? 0;
		const known = [picked.value, hot.value].filter((place) => place !== null && place.line <= lines);
		if (!editor)
			return;
		lit.current ??= editor.createDecorationsCollection();
		lit.current.set(shownSource.value !== source.value ? [] : known.map((place) => ({
			range: new monaco.Range(place!.line, 1, place!.line, 1),
			options: { isWholeLine: true, className: 'editor-hot', ...(place === picked.value && { linesDecorationsClassName: 'editor-hot-edge' }) },
		})));
	});
	useSignalEffect(() => {
		const now = hot.value;
		if (now && now.from !== 'ir' && shownSource.peek() === source.peek() && now.line <= (instance.current?.getModel()?.getLineCount() ?? 0))
			instance.current?.revealLineInCenterIfOutsideViewport(now.line);
	});
	useSignalEffect(() => {
		const now = picked.value;
		if (now && now.from !== 'ir' && now.line <= (instance.current?.getModel()?.getLineCount() ?? 0))
			instance.current?.revealLineInCenterIfOutsideViewport(now.line);
	});

	useSignalEffect(() => {
		const model = instance.current?.getModel(), kind = sourceKind.value;
		if (!model)
			return;
		monaco.editor.setModelLanguage(model, languages[kind]);
		model.updateOptions({ tabSize: tabSizeOf(kind) });
		instance.current?.updateOptions({ ariaLabel: labelOf(kind) });
	});

	// Remarks: a dot at their lines, and in words behind the line that is looked at.
	const remarked = useRef<monaco.editor.IEditorDecorationsCollection>(undefined);
	useSignalEffect(() => {
		const editor = instance.current, known = shownSource.value === source.value, now = (hot.value ?? picked.value)?.line;
		if (!editor)
			return;
		remarked.current ??= editor.createDecorationsCollection();
		const lines = editor.getModel()?.getLineCount() ?? 0;
		const byLine = new Map<number, string[]>();
		for (const r of known ? shown.value?.trace.remarks ?? [] : [])
			if (r.line > 0 && r.line <= lines && !byLine.get(r.line)?.includes(r.message))
				byLine.set(r.line, [...byLine.get(r.line) ?? [], r.message]);
		remarked.current.set([...byLine].map(([line, texts]) => ({
			range: new monaco.Range(line, 1, line, 1000),
			options: {
				linesDecorationsClassName: 'editor-remark', isWholeLine: false,
				...(line === now && { after: { content: `   ${texts[0]}${texts.length > 1 ? ` (and ${texts.length - 1} more)` : ''}`, inlineClassName: 'remark-after' } }),
			},
		})));
	});

	// Lines that the last run executed, in four shades.
	const counted = useRef<monaco.editor.IEditorDecorationsCollection>(undefined);
	useSignalEffect(() => {
		const editor = instance.current, counts = profileByOrigin.value;
		if (!editor)
			return;
		counted.current ??= editor.createDecorationsCollection();
		const lines = editor.getModel()?.getLineCount() ?? 0, heat = heatScale(counts.values());
		counted.current.set([...counts].filter(([line]) => line <= lines).map(([line, p]) => ({
			range: new monaco.Range(line, 1, line, 1), options: { lineNumberClassName: `editor-ran ran-${Math.ceil(4 * heat(p.executions))}` },
		})));
	});

	const pointed = useRef<monaco.editor.IEditorDecorationsCollection>(undefined);
	useSignalEffect(() => {
		const lines = spot.value, editor = instance.current;
		if (!editor)
			return;
		pointed.current ??= editor.createDecorationsCollection();
		if (lines && lines[0] <= (editor.getModel()?.getLineCount() ?? 0))
			editor.revealLineInCenterIfOutsideViewport(lines[0]);
		pointed.current.set(lines ? [{ range: new monaco.Range(lines[0], 1, lines[1], 1), options: { isWholeLine: true, className: 'editor-spot' } }] : []);
	});

	const named = useRef<monaco.editor.IEditorDecorationsCollection>(undefined);
	useSignalEffect(() => {
		const now = value.value, editor = instance.current, model = editor?.getModel();
		if (!editor || !model)
			return;
		named.current ??= editor.createDecorationsCollection();
		named.current.set(now && shownSource.value === source.value ? placesOf(model, now).map((range) => ({ range, options: { inlineClassName: 'is-value' } })) : []);
	});

	useSignalEffect(() => paintEditor(painted.value));

	return <><div ref={box} class="monaco" data-ready="true" /><p class="tab-hint" aria-hidden="true"><kbd>Esc</kbd>, then <kbd>Tab</kbd> leaves the editor</p></>;
}

/** Where a value's name stands in its function. */
function placesOf(model: monaco.editor.ITextModel, { name, line }: Value): monaco.Range[] {
	if (line > model.getLineCount())
		return [];
	let from = line, to = line;
	while (from > 1 && !model.getLineContent(from).startsWith('define'))
		from--;
	while (to < model.getLineCount() && !model.getLineContent(to).startsWith('}'))
		to++;
	const pattern = `${name.replace(/[$.|*+?()[\]{}^"\\]/g, '\\$&')}(?![-$._\\w])`;
	return model.findMatches(pattern, new monaco.Range(from, 1, to, 1), true, true, null, false, 500).map((m) => m.range);
}

function marker(model: monaco.editor.ITextModel, d: Diagnostic): monaco.editor.IMarkerData {
	const lines = model.getLineCount();
	const line = Math.min(d.line, lines), endLine = Math.min(Math.max(d.endLine, line), lines);
	const column = Math.max(1, d.col);
	const word = model.getWordAtPosition({ lineNumber: line, column });
	const endColumn = d.endLine >= d.line && d.endLine > 0 && (d.endCol > column || endLine > line) ? d.endCol : word?.endColumn ?? column + 1;
	return {
		severity: severities[d.severity], message: d.hint ? `${d.message}\n${d.hint}` : d.message, source: 'ptxscope',
		...(d.code && { code: d.code }), startLineNumber: line, startColumn: column, endLineNumber: endLine, endColumn,
	};
}
