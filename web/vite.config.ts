import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { clangModule, packKit } from '../wasm/cuda/node.js';
import { monacoParts } from './monacoParts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The one script that stands in a document of ours: that of the frame where passes of the user's own run. */
const room = createHash('sha256').update(readFileSync(at('src/teach/room.js'), 'utf8')).digest('base64');

// The page asks nobody but its own origin for anything. Monaco writes style elements, hence 'unsafe-inline' for styles alone.
const policy = [
	"default-src 'none'", `script-src 'self' 'wasm-unsafe-eval' 'sha256-${room}'`, "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:",
	"font-src 'self' data:", "connect-src 'self'", "worker-src 'self' blob:", "manifest-src 'self'", "base-uri 'none'",
	"form-action 'none'",
].join('; ');

/** Emits sw.js with what it keeps. Its list of files at once is short, as the page has just fetched them; the many small texts come in
 * one file; what belongs to the editor is kept where it has been used (phones never fetch it), and so is clang. */
const serviceWorker: Plugin = {
	name: 'service-worker',
	apply: 'build',
	generateBundle: {
		order: 'post',
		handler(_, bundle) {
			const assets = Object.keys(bundle).filter((f) => f.startsWith('assets/')).sort();
			const clang = assets.filter((f) => f.startsWith('assets/clang-'));
			const editor = assets.filter((f) => /^assets\/(?:LlEditor|codicon)-/.test(f));
			const page = bundle['index.html'];
			const html = page?.type === 'asset' ? String(page.source) : '';
			const atOnce = assets.filter((f) => html.includes(f) || /^assets\/(?:ptxscope-.*\.wasm|worker-.*\.js)$/.test(f));
			const text = (f: string) => {
				const file = bundle[f]!;
				return file.type === 'chunk' ? file.code : typeof file.source === 'string' ? file.source : new TextDecoder('utf8', { fatal: true }).decode(file.source);
			};
			const packed = assets.filter((f) => !clang.includes(f) && !editor.includes(f) && !atOnce.includes(f) && /\.(?:js|css|ll|cu|json|md)$/.test(f));
			const pack = JSON.stringify(Object.fromEntries(packed.map((f) => [f, text(f)])));
			const name = `assets/offline-${createHash('sha256').update(pack).digest('hex').slice(0, 8)}.json`;
			this.emitFile({ type: 'asset', fileName: name, source: pack });
			const rest = assets.filter((f) => ![clang, editor, atOnce, packed].some((list) => list.includes(f)));
			const files = ['./', 'theme.js', 'icon.svg', 'manifest.webmanifest', ...atOnce, ...rest];
			const version = `ptxscope-${createHash('sha256').update([...assets, pack].join()).digest('hex').slice(0, 12)}`;
			const constants = { __VERSION__: version, __FILES__: files, __PACK__: name, __USED__: editor, __KEPT__: clang };
			let source = readFileSync(at('sw.js'), 'utf8');
			for (const [word, value] of Object.entries(constants))
				source = source.replace(`'${word}'`, JSON.stringify(value));
			this.emitFile({ type: 'asset', fileName: 'sw.js', source });
		},
	},
};

/** NAME.br and NAME.gz beside every file of text and every module, for servers that send them. Packing takes seconds and is kept in build/. */
const compressed: Plugin = {
	name: 'compressed',
	apply: 'build',
	writeBundle({ dir }, bundle) {
		mkdirSync(at('../build/cache'), { recursive: true });
		const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: hint } = constants;
		for (const file of Object.keys(bundle)) {
			const data = readFileSync(`${dir}/${file}`);
			if (data.length < 512 || !/\.(?:js|css|html|json|svg|wasm|ttf|ll|cu|md|webmanifest)$/.test(file))
				continue;
			const hash = createHash('sha256').update(data).digest('hex').slice(0, 16);
			for (const [ending, pack] of [
				['.br', () => brotliCompressSync(data, { params: { [quality]: 11, [hint]: data.length } })],
				['.gz', () => gzipSync(data, { level: 9 })],
			] as const) {
				const kept = at(`../build/cache/${hash}${ending}`);
				if (!existsSync(kept))
					writeFileSync(kept, pack());
				writeFileSync(`${dir}/${file}${ending}`, readFileSync(kept));
			}
		}
	},
};

/** `virtual:prebuilt`: the default kernel's PTX, so that it is on screen before the compiler is. */
const prebuilt: Plugin = {
	name: 'prebuilt',
	resolveId: { filter: { id: /^virtual:prebuilt$/ }, handler: () => '\0prebuilt' },
	load: { filter: { id: /^\0prebuilt$/ }, async handler() {
		const { load } = await import('../wasm/index.js');
		const compiler = await load(at('../build/wasm/ptxscope.wasm'));
		const { target, level, example } = JSON.parse(readFileSync(at('src/defaults.json'), 'utf8')) as { target: string; level: 0 | 1 | 2 | 3; example: string };
		const source = readFileSync(at(`../examples/${example}.ll`), 'utf8');
		const { ptx, ptxLines } = compiler.compile({ source, name: `${example}.ll`, target, level });
		return `export default ${JSON.stringify({ ptx, ptxLines })}`;
	} },
};

/** `virtual:examples`: what the header needs of the list of examples. */
const examples: Plugin = {
	name: 'examples',
	resolveId: { filter: { id: /^virtual:examples$/ }, handler: () => '\0examples' },
	load: { filter: { id: /^\0examples$/ }, handler() {
		const all = JSON.parse(readFileSync(at('../examples/index.json'), 'utf8')) as { name: string; title: string; group: string }[];
		return `export default ${JSON.stringify(all.map(({ name, title, group }) => ({ name, title, group, ...(existsSync(at(`../examples/${name}.cu`)) && { cuda: true }) })))}`;
	} },
};

/** `virtual:clang`: clang's module and the library of whole programs, packed, as files of their own. Packing takes seconds and is kept in
 * build/. */
const clang: Plugin = {
	name: 'clang',
	resolveId: { filter: { id: /^virtual:clang$/ }, handler: () => '\0clang' },
	load: { filter: { id: /^\0clang$/ }, async handler() {
		const folder = at('../build/cache');
		mkdirSync(folder, { recursive: true });
		const emit = (name: string, of: Buffer, pack: () => Buffer) => {
			const file = `clang-${name}${createHash('sha256').update(of).digest('hex').slice(0, 8)}.bin`, kept = `${folder}/${file}`;
			if (!existsSync(kept))
				writeFileSync(kept, gzipSync(pack(), { level: 6 }));
			const source = readFileSync(kept);
			if (this.environment.mode === 'build')
				this.emitFile({ type: 'asset', fileName: `assets/${file}`, source });
			return { file: this.environment.mode === 'build' ? `assets/${file}` : `/@fs${kept}`, bytes: source.length };
		};
		const module = readFileSync(clangModule), kit = await packKit();
		return `export default ${JSON.stringify({ ...emit('', module, () => module), kit: emit('kit-', kit, () => kit) })}`;
	} },
};

export default defineConfig(({ command }) => ({
	root: at('.'),
	// Relative addresses: the site may be put under any path.
	base: './',
	resolve: {
		alias: [
			{ find: /^@ptxscope\/core\/ptxscope\.wasm/, replacement: at('../build/wasm/ptxscope.wasm') },
		],
	},
	build: {
		outDir: at('../build/web'),
		emptyOutDir: true,
		target: 'es2022',
		assetsInlineLimit: 0,
		modulePreload: { polyfill: false },
		chunkSizeWarningLimit: 4000,
	},
	worker: { format: 'es' },
	server: { fs: { allow: [at('..')] } },
	plugins: [monacoParts, serviceWorker, compressed, prebuilt, examples, clang, {
		name: 'content-security-policy',
		transformIndexHtml: () => command === 'build'
			? [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' }]
			: [],
	}],
}));
