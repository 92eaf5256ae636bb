// `npm run runner`: the runner under load, on the emulator behind CUDA's driver API.
//   corpus    every kernel of ../shared/corpus through the service; the buffers have to be those of `ptxscope run`
//   local     2,000 jobs of 50 clients while executors are killed at random and the service is killed and started again
//   nats      the same with the queue in NATS: workers, the NATS server and the service are killed
//   hostile   endless loops, wild addresses, huge grids and floods of printf at once; the service has to answer all the while
// Without a word all of them; --jobs=N --clients=N --seed=N change the numbers, --corpus=FOLDER the place.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bytesOf, valuesOf } from '../../wasm/buffers.js';
import { ask } from '../../wasm/remote.js';
import { native, temporaryFolder } from '../tools/ptxscope.mjs';
import { addLaunch, addPtx, freePort, loadLocal, loadNats, serve } from '../tools/runner-load.mjs';
import { ensureTools, howToInstall, root } from '../tools/setup.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { jobs: { type: 'string', default: '2000' }, clients: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' }, corpus: { type: 'string', default: join(root, '../shared/corpus') } } });
const size = { jobs: Number(values.jobs), clients: Number(values.clients), restarts: 4, seed: Number(values.seed) };

const built = spawnSync('make', ['-s', 'all', 'cuda'], { cwd: root, encoding: 'utf8' });
if (built.status !== 0)
	throw new Error(built.stderr);

/** A service of its own, and what `work` makes of it. */
async function withService(work, ...more) {
	const data = temporaryFolder(), port = await freePort(), service = await serve(port, data, ...more);
	try {
		return await work({ url: `http://127.0.0.1:${port}`, token: /once: (\S+)/.exec(service.said())[1] });
	} finally {
		await service.kill();
	}
}

const run = (args) => spawnSync(native, args, { encoding: 'utf8', maxBuffer: 1 << 28 });

async function corpus() {
	const folder = values.corpus;
	if (!existsSync(folder))
		return 'not there';
	const at = temporaryFolder(), [code, described] = [join(at, 'k.ptx'), join(at, 'l.json')], faults = [];
	const equal = await withService(async (service) => {
		let n = 0;
		for (const file of readdirSync(join(folder, 'launch'))) {
			const name = file.slice(0, -5), { expect: _, ...launch } = JSON.parse(readFileSync(join(folder, 'launch', file), 'utf8'));
			writeFileSync(code, run(['compile', join(folder, 'll', `${name}.ll`), '--libdevice', '-mcpu=sm_90', '-o', '-']).stdout);
			writeFileSync(described, JSON.stringify(launch));
			const want = JSON.parse(run(['run', code, '--launch', described, '--json']).stdout);
			const { result, error } = await ask(service, { ptx: readFileSync(code, 'utf8'), launch, options: { launches: 1, warmup: 0 } });
			if (!result || result.fault) {
				faults.push(`${name}: ${error?.message ?? result.fault.result}`);
				continue;
			}
			assert.deepEqual(Object.fromEntries(Object.entries(result.buffers).map(([b, v]) => [b, { type: v.type, values: valuesOf(v.type, bytesOf(v)) }])), want.buffers, name);
			n++;
		}
		return n;
	});
	return `${equal} kernels equal to run${faults.length ? `; not executed: ${faults.join('; ')}` : ''}`;
}

const inLoop = (body) => addPtx.replace('\tret;', `L:\n${body}\n\tbra L;\n\tret;`);
const nasty = {
	'an endless loop': [inLoop('\tst.volatile.global.u32 [%rd1], %r1;'), {}],
	'a wild address': [addPtx.replace('st.global.u32 [%rd1]', 'st.global.u32 [%rd1+-123456789012]'), {}],
	'a huge grid': [addPtx, { grid: [2 ** 31 - 1, 65535, 1] }],
	'a grid of full blocks': [addPtx, { grid: [65535, 1, 1], block: [1024, 1, 1] }],
	'an endless barrier': [inLoop('\tbar.sync 0;'), { block: [1024, 1, 1] }],
	'much memory': [addPtx, { buffers: { x: { type: 'u8', count: 200 * 2 ** 20, init: { kind: 'random', seed: 1 } } } }],
};

async function hostile() {
	return withService(async (service) => {
		const slowest = { ms: 0 }, outcomes = [];
		let over = false;
		const watching = (async () => {
			while (!over) {
				const began = Date.now();
				assert.ok((await fetch(`${service.url}/healthz`)).ok);
				slowest.ms = Math.max(slowest.ms, Date.now() - began);
				await new Promise((resolve) => { setTimeout(resolve, 50); });
			}
		})();
		await Promise.all(Object.entries(nasty).flatMap(([name, [ptx, launch]]) => Array.from({ length: 3 }, async () => {
			const { result, error } = await ask(service, { ptx, launch: { ...addLaunch(1), ...launch }, options: { launches: 0, warmup: 0, timeoutMs: 2000, fresh: true } });
			outcomes.push(`${name}: ${error?.code ?? result.fault?.result ?? 'done'}`);
		})));
		const { result } = await ask(service, { ptx: addPtx, launch: addLaunch(5) });
		assert.equal(valuesOf('u32', bytesOf(result.buffers.x))[0], 16);
		over = true;
		await watching;
		return `${[...new Set(outcomes)].sort().join('; ')}; the service answered within ${slowest.ms} ms`;
	}, '--timeout=3');
}

async function nats() {
	const missing = ensureTools(['nats'], console.log);
	return missing.length ? howToInstall(missing) : told(await loadNats(size));
}

const told = ({ seconds, killed, restarted }) => `${size.jobs} jobs of ${size.clients} clients in ${seconds.toFixed(1)} s, each answered once; ${killed} processes killed, ${restarted} restarts`;
const parts = { corpus, local: async () => told(await loadLocal(size)), nats, hostile };
for (const name of positionals.length ? positionals : Object.keys(parts)) {
	if (!Object.hasOwn(parts, name))
		throw new Error(`there is no part ${name}: ${Object.keys(parts).join(', ')}`);
	console.log(`${name}: ${await parts[name]()}`);
}
process.exit(0); // connections that clients keep alive
