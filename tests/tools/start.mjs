// `npm start`: sets up what is missing, builds the compiler for the browser and the page, serves it until stopped.

import { build } from './build.mjs';
import { ensureNpm, ensureTools, howToInstall, nodeProblem } from './setup.mjs';

const say = (line) => console.error(`ptxscope: ${line}`);

function stop(reason) {
	console.error(`ptxscope: ${reason}`);
	process.exit(1);
}

const old = nodeProblem();
if (old)
	stop(old);
const missing = ensureTools(['make', 'emcc'], say);
if (missing.length)
	stop(`some tools are missing and could not be installed from here:\n${howToInstall(missing)}`);
const npm = ensureNpm(say);
if (npm)
	stop(npm);
for (const part of ['wasm', 'web']) {
	say(`building ${part}`);
	const failure = await build(part, { strict: false });
	if (failure)
		stop(`the build of ${part} failed\n${failure}`);
}

const { serve } = await import('../../web/serve.mjs');
const port = Number(process.env.PORT || 4173);
try {
	const { url } = await serve({ root: new URL('../../build/web', import.meta.url).pathname, port, host: process.env.HOST });
	console.log(url);
} catch (error) {
	stop(error.code === 'EADDRINUSE' ? `port ${port} is taken: PORT=${port + 1} npm start uses another one` : error.message);
}
for (const signal of ['SIGINT', 'SIGTERM'])
	process.once(signal, () => process.exit(0));
