// `ptxscope run F --launch L.json --on=URL`: compiles here, runs there. The token of the service is $PTXSCOPE_TOKEN.

import { readFileSync } from 'node:fs';
import { ask, RemoteProblem } from './remote.js';
import { printAnswer } from './remote-print.js';

/** The value of an option, given as --NAME=VALUE or --NAME VALUE, one dash or two; and the other words. */
function takeOption(words, name) {
	const i = words.findIndex((w) => new RegExp(`^--?${name}(=|$)`).test(w));
	if (i < 0)
		return [undefined, words];
	const inside = words[i].includes('=');
	return [inside ? words[i].slice(words[i].indexOf('=') + 1) : words[i + 1], words.filter((_, k) => k !== i && (inside || k !== i + 1))];
}

/** Whether the words ask for a run elsewhere. */
export const isRemote = ([command, ...words]) => command === 'run' && words.some((w) => /^--?on(=|$)/.test(w));

/** The file is PTX already, or becomes it by the compiler here with all other options; null: it has errors, which have been printed. */
function ptxOf(compiler, file, options, host) {
	if (file.endsWith('.ptx'))
		return readFileSync(file, 'utf8');
	const written = [], own = { ...host, print: (stream, bytes) => stream === 1 ? written.push(Buffer.from(bytes)) : host.print(stream, bytes) };
	const status = compiler.command(['compile', file, ...options, '-o', '-'], own, 2 ** 31 - 2 ** 20);
	return status === 0 ? Buffer.concat(written).toString('utf8') : null;
}

/** The exit status of `run … --on=URL`. */
export async function runRemotely(compiler, argv, host) {
	let [url, words] = takeOption(argv.slice(1), 'on'), launch, device;
	[launch, words] = takeOption(words, 'launch');
	[device, words] = takeOption(words, 'device');
	const json = words.some((w) => /^--?json$/.test(w)), files = words.filter((w) => !w.startsWith('-'));
	if (!url || !launch || files.length !== 1) {
		console.error('usage: ptxscope run F.ll|F.mir|F.ptx --launch=L.json --on=URL [--device=CLASS] [--json] [options of compile]');
		return 2;
	}
	try {
		const described = JSON.parse(readFileSync(launch, 'utf8'));
		const ptx = ptxOf(compiler, files[0], words.filter((w) => w.startsWith('-') && !/^--?json$/.test(w)), host);
		if (ptx === null)
			return 1;
		return printAnswer(await ask({ url, token: process.env.PTXSCOPE_TOKEN }, { ptx, launch: described, device, options: { ptxas: true } }), { json, file: files[0] });
	} catch (error) {
		console.error(error instanceof RemoteProblem && error.line ? `${files[0]}: line ${error.line} of the PTX: ${error.message}` : `ptxscope: ${error.message}`);
		return error instanceof RemoteProblem ? 1 : 2;
	}
}
