// What of Monaco this page never comes to, though Monaco's core imports it: a sixth of the editor. Each module of the list is replaced by
// classes that do nothing, under the names that it exports. `npm run bench` measures what the page's scripts come to.

import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Modules below monaco-editor/esm/vs/editor/, and why they are not needed. */
const unreached: readonly (readonly [reason: string, ...modules: string[]])[] = [
	['the page has diffs of its own', 'browser/widget/diffEditor/diffEditorWidget', 'browser/widget/multiDiffEditor/multiDiffEditorWidget', 'common/diff/linesDiffComputers'],
	['tokens come from lang/grammar.ts', 'standalone/common/monarch/monarchCompile', 'standalone/common/monarch/monarchLexer', 'common/model/tokens/treeSitter/treeSitterSyntaxTokenBackend'],
	['no language here has definitions, inlay hints, colours, code actions or pasting of other kinds', 'contrib/gotoSymbol/browser/link/goToDefinitionAtPosition',
		'contrib/inlayHints/browser/inlayHintsHover', 'contrib/colorPicker/browser/hoverColorPicker/hoverColorPickerParticipant',
		'contrib/codeAction/browser/codeActionController', 'contrib/dropOrPasteInto/browser/copyPasteController'],
	['the editor is made without them: no GPU rendering, no edit context, no minimap', 'browser/gpu/viewGpuContext', 'browser/viewParts/viewLinesGpu/viewLinesGpu',
		'browser/viewParts/rulersGpu/rulersGpu', 'browser/viewParts/gpuMark/gpuMark', 'browser/controller/editContext/native/nativeEditContext', 'browser/viewParts/minimap/minimap'],
];
const ends = unreached.flatMap(([, ...modules]) => modules.map((name) => `/monaco-editor/esm/vs/editor/${name}.js`));

/** A part of the editor's view that is made even where it is not shown. */
const viewPart = `import { createFastDomNode } from '../../../../base/browser/fastDomNode.js';
import { ViewPart } from '../../view/viewPart.js';
export class Minimap extends ViewPart { node = createFastDomNode(document.createElement('div')); getDomNode() { return this.node; } prepareRender() {} render() {} }`;

export const monacoParts: Plugin = {
	name: 'monaco-parts',
	apply: 'build',
	load: { filter: { id: /\/monaco-editor\/esm\/vs\/editor\// }, handler(id) {
		if (!ends.some((end) => id.endsWith(end)))
			return null;
		if (id.endsWith('/minimap.js'))
			return viewPart;
		const names = /^export \{ ([\w$, ]+) \};$/m.exec(readFileSync(id, 'utf8'))?.[1]?.split(', ');
		if (!names)
			throw new Error(`${id} exports in a way that web/monacoParts.ts does not know`);
		return names.map((name) => `export class ${name} { static get() { return null; } }`).join('\n');
	} },
	buildEnd() {
		const seen = new Set(ends.filter((end) => [...this.getModuleIds()].some((id) => id.endsWith(end))));
		for (const end of ends)
			if (!seen.has(end))
				throw new Error(`web/monacoParts.ts names ${end}, which is not imported any more`);
	},
};
