// Checks the goals of a task by what is on screen: the source in the editor, its output, and what the kernel does under the sanitizers.

import type { CompileResult } from '@ptxscope/core';
import { fresh, stateHere } from '../freshness';
import { readLiveness } from '../liveness';
import { pressureAlong } from '../pressureAlong';
import { config, launchText, levelOf, problems, shown, source, state } from '../store';
import { execute, judge, needsRuns, type Facts, type Judged } from './goals';
import type { Lesson, Task } from './lesson';
import { sourceInEditor } from './open';
import { ownAsk, runOwn } from './own';

/** Why nothing can be said about what is on screen; '' where something can. */
export function stateProblem(): string {
	if (fresh.value)
		return '';
	const error = problems.value.find((p) => p.severity === 'error');
	if (state.value === 'error' && error)
		return `The source has an error in line ${error.line}: ${error.message}.`;
	return state.value === 'compiling' || state.value === 'loading' ? 'It is still being compiled.' : 'It has not been compiled.';
}

/** Typing is compiled a moment later, and CUDA C++ may take long; who does not want to wait cancels that. */
async function settled(): Promise<void> {
	while (stateHere.value === 'compiling' || stateHere.value === 'loading')
		await new Promise((resolve) => setTimeout(resolve, 50));
}

/** 32-bit registers alive at the fullest place of any function, as the compiler leaves it. */
function fullest({ passes, texts }: CompileResult): number | undefined {
	const last = new Map<string, number>();
	for (const run of passes)
		if (run.function && run.text !== null && levelOf(run) === 'mir')
			last.set(run.function, run.text);
	const peaks = [...last.values()].flatMap((text) => pressureAlong(readLiveness(texts[text] ?? '')).points.map((p) => p.live));
	return peaks.length ? Math.max(...peaks) : undefined;
}

export async function checkGoals(lesson: Lesson, task: Task): Promise<Judged[] | string> {
	await settled();
	const problem = stateProblem();
	if (problem)
		return problem;
	if (lesson.sources.length > 0 && !sourceInEditor(lesson))
		return 'What is on screen is not of this lesson: open its code first.';
	const launches = lesson.launches.length ? lesson.launches : launchText.value ? [launchText.value] : [];
	if (lesson.pass) {
		const facts = await runOwn(launches);
		return typeof facts === 'string' ? facts.replace(/\.?$/, '.') : task.goals.map((goal) => judge(goal, facts));
	}
	const { trace } = shown.value!;
	const runs = task.goals.some(needsRuns) ? await execute(trace.ptx, launches, config.value.target, ownAsk) : [];
	const registers = task.goals.some((g) => g.kind === 'count' && g.metric === 'registers') ? fullest(trace) : undefined;
	const facts: Facts = { source: source.value, trace, ...(registers !== undefined && { registers }), runs: typeof runs === 'string' ? [] : runs, ...(typeof runs === 'string' && { problem: runs }) };
	return task.goals.map((goal) => judge(goal, facts));
}

