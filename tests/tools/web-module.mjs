// A module of the page's sources in Node, for tests of what needs no browser: bundled in memory, as the page's build does it.

import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { root } from './setup.mjs';

export const needsBundler = existsSync(join(root, 'node_modules/rolldown')) ? {} : { skip: 'rolldown missing' };

/** What `web/src/PATH` exports. */
export async function webModule(...paths) {
	const { rolldown } = await import('rolldown');
	const input = '\0entry';
	const bundle = await rolldown({
		input, plugins: [{
			name: 'entry', resolveId: (id) => id === input ? id : null,
			load: (id) => id === input ? paths.map((path) => `export * from ${JSON.stringify(join(root, 'web/src', path))};`).join('\n') : null,
		}],
	});
	const { output } = await bundle.generate({ format: 'esm' });
	await bundle.close();
	return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
