// Whole programs: a CUDA C++ source with a main is built by clang and runs in a worker of its own, which the page can end.

import { computed, effect, signal } from '@preact/signals';
import { hasMain, type CudaDiagnostic, type Program, type ProgramRun } from '@ptxscope/cuda';
import { client } from './actions';
import { Superseded } from './compiler/client';
import type { FromProgram, ToProgram } from './compiler/program';
import { clangClient } from './cuda';
import { fresh, presentKey } from './freshness';
import { embedded, fileName, isCuda, opened, panel, programArgs, source, type Key } from './store';

export const isProgram = computed(() => isCuda.value && hasMain(source.value));

export interface ProgramState {
	state: 'building' | 'running' | 'ended' | 'failed' | 'stopped';
	/** What it has printed, in order. */
	printed: { stream: 1 | 2; text: string }[];
	problems: CudaDiagnostic[];
	message: string;
	result: ProgramRun | null;
	key: Pick<Key, 'source' | 'config'>;
}
export const program = signal<ProgramState | null>(null);
export const programRuns = computed(() => program.value?.state === 'building' || program.value?.state === 'running');

const timeoutMs = 60_000, mostPrinted = 1 << 20;

let worker: Worker | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
let asked = 0;

const change = (next: Partial<ProgramState>) => {
	if (program.value)
		program.value = { ...program.value, ...next };
};

function end(): void {
	clearTimeout(timer);
	worker?.terminate();
	worker = undefined;
}

export function stopProgram(message = 'Stopped.'): void {
	asked++;
	clangClient.cancelBuild();
	end();
	if (programRuns.value)
		change({ state: 'stopped', message });
}

const wordsOf = (text: string) => [...text.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

/** Text is shown at most once a frame. */
function printer() {
	const decoders = { 1: new TextDecoder(), 2: new TextDecoder() }, pieces: ProgramState['printed'] = [];
	let size = 0, drawn = true;
	const draw = () => {
		drawn = true;
		change({ printed: [...pieces] });
	};
	return {
		add(stream: 1 | 2, bytes: Uint8Array) {
			const text = decoders[stream].decode(bytes, { stream: true }), last = pieces.at(-1);
			size += bytes.length;
			if (last?.stream === stream)
				pieces[pieces.length - 1] = { stream, text: last.text + text };
			else
				pieces.push({ stream, text });
			if (drawn)
				requestAnimationFrame(draw);
			drawn = false;
			return size <= mostPrinted;
		},
		draw,
	};
}

function start(built: Program): void {
	const mine = worker = new Worker(new URL('./compiler/program.ts', import.meta.url), { type: 'module', name: 'program' });
	const out = printer();
	const finish = (next: Partial<ProgramState>) => {
		if (worker !== mine)
			return;
		out.draw();
		end();
		change(next);
	};
	mine.addEventListener('message', ({ data }: MessageEvent<FromProgram>) => {
		if (worker !== mine)
			return;
		if (data.kind === 'ended')
			finish({ state: 'ended', result: data.result });
		else if (data.kind === 'failed')
			finish({ state: 'failed', message: data.message });
		else if (!out.add(data.stream, data.bytes))
			finish({ state: 'stopped', message: 'Stopped: it printed more than 1 MB.' });
	});
	mine.addEventListener('error', (event) => {
		event.preventDefault();
		finish({ state: 'failed', message: event.message || 'the worker stopped' });
	});
	timer = setTimeout(() => finish({ state: 'stopped', message: `Stopped after ${timeoutMs / 1000} s.` }), timeoutMs);
	change({ state: 'running' });
	mine.postMessage({ compiler: client.shared.module, program: built, args: wordsOf(programArgs.value) } satisfies ToProgram);
}

export async function runProgramNow(): Promise<void> {
	stopProgram();
	const mine = ++asked, { source: text, config: of } = presentKey();
	program.value = { state: 'building', printed: [], problems: [], message: '', result: null, key: { source: text, config: of } };
	try {
		const built = await clangClient.build({ source: text, name: fileName.value.endsWith('.cu') ? fileName.value : 'program.cu', target: of.target, level: of.level });
		if (mine !== asked)
			return;
		if (built.status !== 0)
			change({ state: 'failed', problems: built.diagnostics.filter((d) => d.severity === 'error'), message: 'The program cannot be built.' });
		else
			start(built);
	} catch (error) {
		if (mine === asked)
			change(error instanceof Superseded ? { state: 'stopped', message: 'Stopped.' } : { state: 'failed', message: (error as Error).message });
	}
}

/** A program that is opened (an example, a link, a file) runs by itself, once. */
let seen = '';
effect(() => {
	if (!fresh.value || !isProgram.value || embedded || source.value !== opened.value || seen === source.value)
		return;
	seen = source.value;
	queueMicrotask(() => {
		panel.value = 'run';
		void runProgramNow();
	});
});

/** What is on screen is another text: the run of the one before ends. */
effect(() => {
	const now = source.value, of = program.peek();
	if (of && of.key.source !== now && !isProgram.value)
		stopProgram();
});
