// The editor proper, fetched after the first paint: Monaco's core and the features that editing IR needs, no more. Grammars come
// from lang/grammar.ts, colours from the page's CSS variables.

import * as monaco from 'monaco-editor/editor';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/lineSelection/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/quickCommand/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import { tokenize } from '../lang/grammar';

export { monaco };

// Monaco's own worker serves language services and its diff editor; neither is used, so 90 kB stay at home.
self.MonacoEnvironment = { getWorker: () => { throw new Error('this editor has no worker'); } };

const state: monaco.languages.IState = { clone: () => state, equals: () => true };
for (const id of ['llvm', 'mir', 'ptx', 'cuda'] as const) {
	monaco.languages.register({ id });
	monaco.languages.setTokensProvider(id, {
		getInitialState: () => state,
		tokenize: (line) => {
			const tokens: monaco.languages.IToken[] = [];
			let end = 0;
			for (const token of tokenize(id, line)) {
				if (token.start > end)
					tokens.push({ startIndex: end, scopes: '' });
				tokens.push({ startIndex: token.start, scopes: token.kind });
				end = token.end;
			}
			if (end < line.length)
				tokens.push({ startIndex: end, scopes: '' });
			return { tokens, endState: state };
		},
	});
	monaco.languages.setLanguageConfiguration(id, {
		comments: { lineComment: id === 'ptx' || id === 'cuda' ? '//' : ';' },
		brackets: [['{', '}'], ['[', ']'], ['(', ')'], ['<', '>']],
		autoClosingPairs: [{ open: '{', close: '}' }, { open: '(', close: ')' }, { open: '[', close: ']' }, { open: '"', close: '"' }],
		wordPattern: id === 'cuda' ? /[A-Za-z_]\w*|\d[\w.]*/ : id === 'ptx' ? /[%$]?[\w$]+(?:(?:\.|::)\w+)*/ : /[%@!#]?[-$._a-zA-Z0-9]+/,
	});
}

const kinds = ['comment', 'string', 'number', 'opcode', 'keyword', 'type', 'register', 'global', 'label', 'meta', 'special', 'directive'];

/** Builds the editor's theme from the variables that hold just now. */
export function paintEditor(kind: 'light' | 'dark' | 'contrast'): void {
	const style = getComputedStyle(document.documentElement);
	// The build writes #fff for #ffffff, which Monaco does not know.
	const color = (name: string) => style.getPropertyValue(name).trim().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
	const bare = (name: string) => color(name).slice(1);
	monaco.editor.defineTheme('ptxscope', {
		base: kind === 'light' ? 'vs' : kind === 'dark' ? 'vs-dark' : 'hc-black',
		inherit: true,
		rules: [
			{ token: '', foreground: bare('--text') },
			...kinds.map((token) => ({ token, foreground: bare(`--t-${token}`) })),
		],
		colors: {
			'editor.background': color('--surface'),
			'editor.foreground': color('--text'),
			'editorGutter.background': color('--surface'),
			'editorLineNumber.foreground': color('--line-number'),
			'editorLineNumber.dimmedForeground': color('--line-number'),
			'editorLineNumber.activeForeground': color('--text'),
			'editor.lineHighlightBackground': color('--row-hover'),
			'editor.lineHighlightBorder': '#00000000',
			'editor.selectionBackground': color('--selection'),
			'editorCursor.foreground': color('--text'),
			'editorWidget.background': color('--raised'),
			'editorWidget.border': color('--border'),
			'editorHoverWidget.background': color('--raised'),
			'editorHoverWidget.border': color('--border'),
			'input.background': color('--surface'),
			'focusBorder': color('--accent'),
			'editorError.foreground': color('--bad'),
			'editorWarning.foreground': color('--warn'),
			'scrollbarSlider.background': color('--scrollbar'),
		},
	});
	monaco.editor.setTheme('ptxscope');
}
