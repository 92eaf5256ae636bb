// Runs on a machine with a GPU: which server (kept on this device, never in links), what it was asked, and what came back beside what the
// emulator says of the same PTX. Nothing here happens before somebody has named a server and pressed the button.

import { computed, signal } from '@preact/signals';
import type { RemoteDevice, RemoteJob, Service } from '@ptxscope/core/remote.js';
import { emulator } from './actions';
import { compareBuffers, type Compared } from './compareBuffers';
import { fresh, presentKey } from './freshness';
import { launchable } from './kernels';
import type { Launch, RunAnswer } from './launch';
import type { FromRemote, ToRemote, Trouble } from './remoteWorker';
import { forget, keep, recall } from './storage';
import { isPtx, shown, source, type Key } from './store';

/** A server as it is kept, and the class of device that was chosen ('' : the first). */
export interface Server extends Service {
	token: string;
	device: string;
}

const isServer = (value: unknown): value is Server => {
	const v = value as Partial<Server> | null;
	return typeof v === 'object' && v !== null && typeof v.url === 'string' && typeof v.token === 'string' && typeof v.device === 'string';
};

export const server = signal<Server | undefined>(recall('runner', isServer));
export const devices = signal<RemoteDevice[]>([]);
/** Whether the form for the server is open. */
export const choosing = signal(false);
/** What is under way, in words; '' where nothing is. */
export const asking = signal('');
export const trouble = signal<(Trouble & { key: Key }) | null>(null);

export interface Measured {
	job: RemoteJob;
	launch: Launch;
	key: Key;
	/** What the emulator says of the same PTX; null where it did not run. */
	emulated: RunAnswer | null;
}
export const measured = signal<Measured | null>(null);
export const compared = computed<Compared[]>(() => {
	const m = measured.value;
	return m?.emulated && m.job.result ? compareBuffers(m.emulated.buffers, m.job.result.buffers) : [];
});

let worker: Worker | undefined;
function tell(message: ToRemote, answer: (message: FromRemote) => void): void {
	worker ??= new Worker(new URL('./remoteWorker.ts', import.meta.url), { type: 'module', name: 'GPU runner' });
	worker.onmessage = ({ data }: MessageEvent<FromRemote>) => answer(data);
	worker.onerror = () => answer({ kind: 'failed', trouble: { message: 'the client of the runner could not be loaded', line: 0 } });
	worker.postMessage(message);
}

/** Why an address cannot be used; '' where it can. */
export function addressProblem(url: string): string {
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
		return 'An address begins with http:// or https://.';
	if (location.protocol === 'https:' && new URL(url).protocol === 'http:' && !/^(?:localhost|127\.|\[::1\])/.test(new URL(url).hostname))
		return 'This page came by https; browsers then let it speak to https servers alone, and to this machine.';
	return '';
}

export function setServer(next: Server): void {
	server.value = next;
	keep('runner', next);
}

export function forgetServer(): void {
	stop();
	server.value = undefined;
	devices.value = [];
	measured.value = null;
	forget('runner');
}

/** Asks the server for its devices; that also tells whether address and token are right. */
export function lookAtServer(): void {
	const service = server.value;
	if (!service)
		return;
	asking.value = 'Asking for devices…';
	trouble.value = null;
	tell({ kind: 'devices', service }, (answer) => {
		asking.value = '';
		if (answer.kind === 'devices')
			devices.value = answer.devices;
		else if (answer.kind === 'failed')
			trouble.value = { ...answer.trouble, key: presentKey() };
	});
}

/** The PTX on screen, if it is that of the source. */
const ptxNow = () => isPtx.value ? source.value : fresh.value ? shown.value!.trace.ptx : null;
export const measurable = computed(() => typeof launchable.value !== 'string' && ptxNow() !== null);

const words = (job: RemoteJob) => job.state === 'queued' ? `Waiting${job.position ? `, ${job.position} before this` : ''}…` : 'Running on the GPU…';

async function emulate(ptx: string, launch: Launch): Promise<RunAnswer | null> {
	const { expect: _, ...rest } = launch;
	try {
		const answer = await emulator().ask({ kind: 'command', argv: ['run', 'input.ptx', '--launch', 'launch.json', '--json', '--profile'], files: { 'input.ptx': ptx, 'launch.json': JSON.stringify(rest) } });
		return answer.stdout.trim().startsWith('{') ? JSON.parse(answer.stdout) as RunAnswer : null;
	} catch {
		return null;
	}
}

/** The same PTX and launch, there and on the emulator. */
export async function runOnGpu(): Promise<void> {
	const service = server.value, launch = launchable.value, ptx = ptxNow(), key = presentKey();
	if (!service) {
		choosing.value = true;
		return;
	}
	if (typeof launch === 'string' || ptx === null)
		return;
	trouble.value = null;
	asking.value = 'Asking…';
	const emulating = emulate(ptx, launch), { expect: _, ...asked } = launch;
	tell({ kind: 'ask', service, question: { ptx, launch: asked, ...service.device ? { device: service.device } : {}, options: { ptxas: true } } }, async (answer) => {
		if (answer.kind === 'state') {
			asking.value = words(answer.job);
			return;
		}
		asking.value = '';
		if (answer.kind === 'failed')
			trouble.value = { ...answer.trouble, key };
		else if (answer.kind === 'done' && answer.job.error)
			trouble.value = { message: answer.job.error.message, line: answer.job.error.line ?? 0, key };
		else if (answer.kind === 'done')
			measured.value = { job: answer.job, launch, key, emulated: await emulating };
	});
}

export function stop(): void {
	worker?.postMessage({ kind: 'cancel' } satisfies ToRemote);
	asking.value = '';
}
