// The answer of a GPU runner on the command line: in the form of `run`, with what was measured below.

import { bytesOf, valuesOf } from './buffers.js';

const shown = 16;

/** The answer as `run --json` has it, with `device`, `time`, `function` and `ptxas` beside it. */
function asJson({ buffers, fault, printf, ...rest }) {
	const values = Object.fromEntries(Object.entries(buffers).map(([name, b]) => [name, { type: b.type, values: valuesOf(b.type, bytesOf(b)) }]));
	const faults = fault ? [{ kind: fault.result, message: fault.message ?? fault.text, line: fault.line, thread: fault.thread, block: fault.block }] : [];
	return { buffers: values, faults, ...printf ? { printf } : {}, device: rest.device, time: rest.time, function: rest.function, ptxas: rest.ptxas ?? null };
}

function asText({ buffers, printf, device, time, function: f, ptxas }) {
	const lines = printf ? [printf.replace(/\n$/, '')] : [];
	for (const [name, b] of Object.entries(buffers)) {
		const all = valuesOf(b.type, bytesOf(b));
		lines.push(`${name}: ${b.type}[${b.count}] = ${all.slice(0, shown).join(' ')}${all.length > shown ? ' ...' : ''}`);
	}
	lines.push(`${device.name}, driver ${device.driver}${time ? `: ${time.medianMs.toPrecision(4)} ms (median of ${time.launches})` : ''}`);
	if (f)
		lines.push(`${f.registers} registers, ${f.sharedBytes} bytes shared, ${f.localBytes} bytes local, occupancy ${Math.round(f.occupancy * 100)} %`);
	if (ptxas?.ok)
		lines.push(`ptxas: ${ptxas.registers} registers, ${ptxas.spillStoreBytes + ptxas.spillLoadBytes} bytes spilled, ${ptxas.sassInstructions} SASS instructions, ${ptxas.sassBytes} bytes`);
	return lines.join('\n');
}

/** Prints a job ({ result } or { error }); the exit status that `run` would have. */
export function printAnswer({ result, error }, { json, file }) {
	if (error) {
		console.error(`${file}:${error.line ? `${error.line}:1:` : ''} error: ${error.message}`);
		return 1;
	}
	console.log(json ? JSON.stringify(asJson(result)) : asText(result));
	if (!result.fault)
		return 0;
	const { fault } = result, place = fault.thread ? ` in thread (${fault.thread.join(', ')}) of block (${fault.block.join(', ')})` : '';
	console.error(`${file}:${fault.line ? `${fault.line}:1:` : ''} fault: ${fault.result}: ${fault.message ?? fault.text}${place}`);
	return 1;
}
