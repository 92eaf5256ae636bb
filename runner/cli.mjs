#!/usr/bin/env node
// ptxscope-runner serve | work | run | token: see usage.

import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const usage = `usage: ptxscope-runner COMMAND [options]

  serve            the HTTP service, and the devices of this machine behind it
    --host=127.0.0.1 --port=4174
    --data=FOLDER              jobs, answers and tokens (default ~/.local/share/ptxscope-runner)
    --origin=URL               a page that may use the service; may be given several times
    --queue=1000 --per-client=100     how many jobs may wait, of all and of one client
    --rate=600                 requests a minute, of one client
    --max-ptx=MIB --max-buffers=MIB   of one job (4 and 256)
    --timeout=20 --memory=MIB  of one job: seconds, and private memory (4096)
    --retention=24             hours that answers are kept
    --trust-proxy              take the client's address from the proxy in front
    --nats=URL                 the queue is JetStream of that server, and workers elsewhere do the jobs
  work --nats=URL  does jobs of that queue on the devices of this machine
    --nats-credentials=FILE    both: a credentials file of NATS
  run F.ptx --launch=L.json    one job on this machine; --json
    --on=URL                   on that service; its token is $PTXSCOPE_TOKEN
  token NAME       makes a token for NAME and prints it once; --data as above

  PTXSCOPE_RUNNER_DEVICE=emulated|ptxas|N chooses the devices: the emulator, ptxas alone, or one GPU. --sandbox: refuse to run without
  bubblewrap. --parallel=N: jobs at a time on devices that are no GPUs.
`;

const options = {
	host: { type: 'string', default: '127.0.0.1' }, port: { type: 'string', default: '4174' }, data: { type: 'string', default: join(homedir(), '.local/share/ptxscope-runner') },
	origin: { type: 'string', multiple: true, default: [] }, queue: { type: 'string', default: '1000' }, 'per-client': { type: 'string', default: '100' }, rate: { type: 'string', default: '600' },
	'max-ptx': { type: 'string', default: '4' }, 'max-buffers': { type: 'string', default: '256' }, timeout: { type: 'string', default: '20' }, memory: { type: 'string', default: '4096' },
	retention: { type: 'string', default: '24' }, 'trust-proxy': { type: 'boolean', default: false }, nats: { type: 'string' }, 'nats-credentials': { type: 'string' }, sandbox: { type: 'boolean', default: false },
	parallel: { type: 'string' }, launch: { type: 'string' }, on: { type: 'string' }, json: { type: 'boolean', default: false }, device: { type: 'string' }, quiet: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h' },
};

class Usage extends Error {}

function number(values, name, least = 0) {
	const n = Number(values[name]);
	if (!Number.isFinite(n) || n < least)
		throw new Usage(`--${name} is a number of at least ${least}`);
	return n;
}

function limitsOf(values) {
	const mib = (name) => Math.floor(number(values, name) * 2 ** 20);
	const ptxBytes = mib('max-ptx'), bufferBytes = mib('max-buffers');
	// The answer is buffers and a line; the question is text, in which a listed value may take 25 characters for a byte.
	return { ptxBytes, bufferBytes, answer: bufferBytes + 2 ** 20, bodyBytes: 2 * ptxBytes + Math.min(bufferBytes, 32 * 2 ** 20), wallMs: number(values, 'timeout') * 1000, memory: mib('memory') };
}

/** Ends the process once, in order, when it is asked to. */
function untilStopped(close) {
	let closing = false;
	for (const name of ['SIGINT', 'SIGTERM'])
		process.on(name, async () => {
			if (closing)
				return;
			closing = true;
			await close();
			process.exit(0);
		});
}

async function serve(values) {
	const { startService } = await import('./src/service.js');
	const limits = limitsOf(values);
	const service = await startService({
		data: values.data, host: values.host, port: number(values, 'port'), origins: values.origin, limits, ratePerMinute: number(values, 'rate', 1), queue: { most: number(values, 'queue', 1), perClient: number(values, 'per-client', 1) },
		retentionMs: number(values, 'retention') * 3600_000, trustProxy: values['trust-proxy'], sandbox: values.sandbox, parallel: values.parallel && number(values, 'parallel', 1),
		nats: values.nats && { servers: values.nats, credentials: values['nats-credentials'] }, log: values.quiet ? false : process.stderr,
	});
	untilStopped(() => service.close());
	if (service.firstToken)
		console.log(`token of "me", shown this once: ${service.firstToken}`);
	console.log(`devices: ${service.devices().map((d) => d.class).join(', ') || 'none'}`);
	console.log(service.address);
}

async function work(values) {
	if (!values.nats)
		throw new Usage('work needs --nats=URL');
	const [{ NatsWorker }, { findDevices }] = await Promise.all([import('./src/nats-worker.js'), import('./src/devices.js')]);
	const devices = await findDevices({ sandbox: { required: values.sandbox } });
	if (!devices.length)
		throw new Error('this machine has no device: neither a GPU nor ptxas');
	const worker = await NatsWorker.start({ servers: values.nats, credentials: values['nats-credentials'] }, devices, { limits: limitsOf(values), parallel: values.parallel && number(values, 'parallel', 1) });
	untilStopped(() => worker.close());
	console.log(`working on ${devices.map((d) => d.class).join(', ')}`);
}

/** A job on this machine, without a service. */
async function runHere(ptx, launch, values) {
	const [{ findDevices }, { doJob, failed }] = await Promise.all([import('./src/devices.js'), import('./src/work.js')]);
	const devices = await findDevices({ sandbox: { required: values.sandbox } }), device = devices.find((d) => values.device ? d.class === values.device : d.kind !== 'ptxas');
	return device ? doJob({ ptx, launch, options: { launches: 5, warmup: 2, ptxas: true } }, device, { limits: limitsOf(values) })
		: failed('no-device', `this machine has no ${values.device ?? 'GPU'}; PTXSCOPE_RUNNER_DEVICE=emulated runs the emulator`);
}

async function run(values, [file]) {
	if (!file || !values.launch)
		throw new Usage('run needs F.ptx and --launch=L.json');
	const [{ ask }, { printAnswer }] = await Promise.all([import('@ptxscope/core/remote.js'), import('@ptxscope/core/remote-print.js')]);
	const ptx = readFileSync(file, 'utf8'), launch = JSON.parse(readFileSync(values.launch, 'utf8'));
	const answer = values.on ? await ask({ url: values.on, token: process.env.PTXSCOPE_TOKEN }, { ptx, launch, device: values.device, options: { ptxas: true } }) : await runHere(ptx, launch, values);
	process.exitCode = printAnswer(answer, { json: values.json, file });
}

async function token(values, [name]) {
	if (!name)
		throw new Usage('token needs a name');
	const { addToken } = await import('./src/tokens.js');
	console.log(addToken(join(values.data, 'tokens'), name));
}

const commands = { serve, work, run, token };

try {
	const { values, positionals: [command, ...rest] } = parseArgs({ options, allowPositionals: true });
	if (values.help) {
		console.log(usage);
	} else {
		if (!Object.hasOwn(commands, command ?? ''))
			throw new Usage(command ? `there is no command ${command}` : 'a command is wanted');
		await commands[command](values, rest);
	}
} catch (error) {
	const mistaken = error instanceof Usage || error.code?.startsWith?.('ERR_PARSE_ARGS');
	console.error(`ptxscope-runner: ${error.message}${mistaken ? `\n\n${usage}` : ''}`);
	process.exitCode = mistaken ? 2 : 1;
}
