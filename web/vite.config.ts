import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import { clangModule } from '../wasm/cuda/node.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The page asks nobody but its own origin for anything. Monaco writes style elements, hence 'unsafe-inline' for styles alone.
const policy = [
	"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self' 'unsafe-inline'", "img-src 'self' data: blob:",
	"font-src 'self' data:", "connect-src 'self'", "worker-src 'self' blob:", "manifest-src 'self'", "base-uri 'none'",
	"form-action 'none'",
].join('; ');

/** Emits sw.js with the list of everything that was built. */
const serviceWorker: Plugin = {
	name: 'service-worker',
	apply: 'build',
	generateBundle: {
		order: 'post',
		handler(_, bundle) {
			// What belongs to clang is fetched and kept when somebody writes CUDA C++, not before.
			const assets = Object.keys(bundle).filter((f) => f.startsWith('assets/'));
			const kept = assets.filter((f) => f.startsWith('assets/clang-')).sort();
			const files = ['./', 'icon.svg', 'manifest.webmanifest', ...assets.filter((f) => !kept.includes(f))].sort();
			const version = `ptxscope-${createHash('sha256').update(files.join()).digest('hex').slice(0, 12)}`;
			const source = readFileSync(at('sw.js'), 'utf8').replace('__VERSION__', version).replace('__FILES__', JSON.stringify(files)).replace('__KEPT__', JSON.stringify(kept));
			this.emitFile({ type: 'asset', fileName: 'sw.js', source });
		},
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

/** `virtual:clang`: clang's module, packed, as a file of its own. Packing takes seconds and is kept in build/. */
const clang: Plugin = {
	name: 'clang',
	resolveId: { filter: { id: /^virtual:clang$/ }, handler: () => '\0clang' },
	load: { filter: { id: /^\0clang$/ }, handler() {
		const module = readFileSync(clangModule), hash = createHash('sha256').update(module).digest('hex').slice(0, 8);
		const name = `clang-${hash}.bin`, file = `assets/${name}`, kept = at(`../build/cache/${name}`);
		if (!existsSync(kept)) {
			mkdirSync(at('../build/cache'), { recursive: true });
			writeFileSync(kept, gzipSync(module, { level: 6 }));
		}
		const source = readFileSync(kept);
		if (this.environment.mode === 'build')
			this.emitFile({ type: 'asset', fileName: file, source });
		return `export default ${JSON.stringify({ file: this.environment.mode === 'build' ? file : `/@fs${kept}`, bytes: source.length })}`;
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
	plugins: [serviceWorker, prebuilt, clang, {
		name: 'content-security-policy',
		transformIndexHtml: () => command === 'build'
			? [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: policy }, injectTo: 'head-prepend' }]
			: [],
	}],
}));
