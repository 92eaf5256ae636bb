// A reporter for node:test that prints what fails, with its file and line, and one line per file.

import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { root } from './setup.mjs';

const nameOf = (file) => file ? relative(root, file.startsWith('file:') ? fileURLToPath(file) : file) : 'node';

/** The message, what was wanted and got, and where in the tests it happened. */
function describe(error) {
	const cause = error?.cause ?? error;
	if (!(cause instanceof Error))
		return inspect(cause);
	const where = (cause.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line) && line.includes('/tests/')).slice(0, 3);
	return [cause.message, ...where].join('\n');
}

const indent = (text) => text.split('\n').map((line) => `    ${line}`).join('\n');

export default async function* quietReporter(events) {
	const counts = new Map();
	for await (const { type, data } of events) {
		if (type === 'test:stderr' || type === 'test:stdout') {
			yield data.message;
			continue;
		}
		if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite')
			continue;
		const file = nameOf(data.file);
		const count = counts.get(file) ?? { passed: 0, failed: 0, skipped: 0 };
		counts.set(file, count);
		if (data.skip !== undefined && data.skip !== false) {
			count.skipped++;
		} else if (type === 'test:pass') {
			count.passed++;
		} else {
			count.failed++;
			yield `not ok - ${file}:${data.line ?? 0}: ${data.name}\n${indent(describe(data.details?.error))}\n`;
		}
	}
	for (const [file, { passed, failed, skipped }] of counts)
		yield `# ${file}: ${passed} passed, ${failed} failed, ${skipped} skipped\n`;
}
