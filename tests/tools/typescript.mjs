// Modules of the page in Node: those without a browser in them are bundled in memory and imported.

import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export async function importTypescript(url) {
	const bundle = await rolldown({ input: fileURLToPath(url), platform: 'node', logLevel: 'silent' });
	const { output } = await bundle.generate({ format: 'esm' });
	await bundle.close();
	return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`);
}
