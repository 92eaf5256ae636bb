// A reporter for node:test that writes one JSON line per finished test: { name, file, line, status, reason, ms }.
// Suites are not tests; a file that dies counts as one failed test.

import { fileURLToPath } from 'node:url';

export default async function* countReporter(events) {
	for await (const { type, data } of events) {
		if ((type !== 'test:pass' && type !== 'test:fail') || data.details?.type === 'suite')
			continue;
		const skipped = data.skip !== undefined && data.skip !== false;
		const todo = data.todo !== undefined && data.todo !== false;
		yield JSON.stringify({
			name: data.name, line: data.line, ms: data.details?.duration_ms ?? 0,
			file: data.file?.startsWith('file:') ? fileURLToPath(data.file) : data.file,
			status: skipped || todo ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
			reason: typeof data.skip === 'string' ? data.skip : typeof data.todo === 'string' ? data.todo : '',
		}) + '\n';
	}
}
