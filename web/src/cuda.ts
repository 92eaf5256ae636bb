// CUDA C++ as a source: clang translates it, ptxscope compiles the IR, and every line of the result leads to a line of CUDA C++.

import { signal } from '@preact/signals';
import type { CompileRequest, Diagnostic } from '@ptxscope/core';
import { readLaunches, type CudaDiagnostic, type Fix } from '@ptxscope/cuda';
import clang from 'virtual:clang';
import { ClangClient, type ClangState } from './compiler/cuda';
import type { Compiled } from './compiler/protocol';
import { source, translated, type Config } from './store';

export const clangState = signal<ClangState>({ state: 'absent' });
/** What has to be fetched. */
export const clangBytes = clang.bytes;
export const clangClient = new ClangClient(new URL(clang.file, document.baseURI).href, new URL(clang.kit.file, document.baseURI).href, (state) => { clangState.value = state; });

/** Whether an earlier visit has kept all of clang, so that it costs no download. */
export async function clangIsKept(): Promise<boolean> {
	const file = 'caches' in globalThis && await caches.match(new URL(clang.file, document.baseURI)).catch(() => undefined);
	return Boolean(file);
}

const nothing = (diagnostics: Diagnostic[]): Compiled => ({
	changes: [], ms: 0,
	trace: {
		version: 1, target: '', passes: [], texts: [], ptx: '', ptxLines: [], diagnostics, remarks: [], functions: [], status: 1, stderr: '',
	},
});

/** The fixes are offered in words besides, for who does not use the editor's menu. */
const withHint = (d: CudaDiagnostic): CudaDiagnostic => d.fixes?.length && !d.hint
	? { ...d, hint: d.fixes.map(({ text }) => text.trim() ? `use ${text.trim()}` : 'leave it out').join(', ') } : d;

/** Lines of the IR become lines of CUDA C++. */
function inSource(result: Compiled, lines: readonly number[]): Compiled {
	const at = (line: number) => lines[line - 1] ?? 0;
	const { trace } = result;
	return { ...result, trace: {
		...trace,
		ptxLines: trace.ptxLines.map(at),
		passes: trace.passes.map((run) => run.lines ? { ...run, lines: run.lines.map(at) } : run),
		remarks: trace.remarks.map((r) => ({ ...r, line: at(r.line) })),
		functions: trace.functions.map((f) => ({ ...f, line: at(f.line) })),
		diagnostics: trace.diagnostics.map((d) => ({ ...d, line: at(d.line), col: at(d.line) && 1, endLine: 0, endCol: 0 })),
	} };
}

/** Translates and compiles; `compile` asks ptxscope. */
export async function compileCuda(text: string, config: Config, compile: (request: Partial<CompileRequest>) => Promise<Compiled>): Promise<Compiled> {
	const begin = performance.now();
	const made = await clangClient.translate({ source: text, target: config.target, level: config.level, lines: true });
	const unread = readLaunches(text).flatMap((l): Diagnostic[] => 'message' in l ? [{ severity: 'warning', line: l.line, col: 1, endLine: 0, endCol: 0, code: '', message: l.message }] : []);
	const diagnostics = [...made.diagnostics.map(withHint), ...unread];
	if (made.status !== 0)
		return nothing(diagnostics);
	if (source.value === text)
		translated.value = { source: text, ir: made.ir, lines: made.lines };
	const result = inSource(await compile({ source: made.ir, name: 'input.ll' }), made.lines);
	return { ...result, ms: performance.now() - begin, trace: { ...result.trace, diagnostics: [...diagnostics, ...result.trace.diagnostics] } };
}

/** Puts clang's proposals for one message into the source. */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
	const lines = text.split('\n'), starts = lines.map(() => 0);
	lines.reduce((at, line, i) => {
		starts[i] = at;
		return at + line.length + 1;
	}, 0);
	/* Columns count bytes. */
	const offset = (line: number, col: number) => {
		const bytes = new TextEncoder().encode(lines[line - 1] ?? '').subarray(0, col - 1);
		return (starts[line - 1] ?? text.length) + new TextDecoder().decode(bytes).length;
	};
	return [...fixes].sort((a, b) => b.line - a.line || b.col - a.col)
		.reduce((now, f) => now.slice(0, offset(f.line, f.col)) + f.text + now.slice(offset(f.endLine, f.endCol)), text);
}
