// The page's own lessons and puzzles, and those of the reader's own.

import { signal } from '@preact/signals';
import type { LessonLink } from '../link';
import { isNumbers, keep, recall } from '../storage';
import { readLesson, tasksOf, type Lesson, type Task } from './lesson';

const files = import.meta.glob<string>(['../../../examples/lessons/*.md', '../../../examples/puzzles/*.md'], { query: '?raw', import: 'default', eager: true });
const read = Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1).map(([path, text]) => ({ path, lesson: readLesson(path.replace(/^.*\/|\.md$/g, ''), text) }));
const under = (folder: string) => read.filter(({ path }) => path.includes(`/${folder}/`)).map(({ lesson }) => lesson);

export const lessons: readonly Lesson[] = under('lessons');
export const puzzles: readonly Lesson[] = under('puzzles');
export const byId = (id: string): Lesson | undefined => read.find(({ lesson }) => lesson.id === id)?.lesson;

/** The lesson on the same shelf that comes next. */
export function nextOf(lesson: Lesson): Lesson | undefined {
	const shelf = [lessons, puzzles].find((list) => list.includes(lesson));
	return shelf?.[shelf.indexOf(lesson) + 1];
}

/** Lessons are texts; nobody's is longer. */
const longest = 2_000_000;

/** Fetches a lesson of the same site; the page's policy allows no other. */
async function fetchLesson(at: string): Promise<string> {
	const url = new URL(at, document.baseURI);
	if (url.origin !== location.origin)
		throw new Error('a lesson comes from this site; one from elsewhere can be pasted or dropped');
	const response = await fetch(url);
	if (!response.ok)
		throw new Error(`${url.pathname} cannot be had (${response.status})`);
	const text = await response.text();
	if (text.length > longest)
		throw new Error(`${url.pathname} is longer than 2 MB`);
	return text;
}

/** The lesson that a link names. Rejects with a reason. */
export async function lessonOf(link: LessonLink): Promise<Lesson> {
	if (link.text !== undefined)
		return readLesson('own', link.text);
	if (link.at !== undefined)
		return readLesson(`at:${link.at}`, await fetchLesson(link.at));
	const lesson = byId(link.id ?? '');
	if (!lesson)
		throw new Error(`there is no lesson ${link.id} here`);
	return lesson;
}

// ── Progress, kept in this browser ───────────────────────────────────────────────────────────────────────────────────────────

const done = signal<Record<string, number>>(recall('solved', isNumbers) ?? {});
const keyOf = (lesson: Lesson, task: Task) => `${lesson.id}#${task.id}`;

export const isDone = (lesson: Lesson, task: Task): boolean => keyOf(lesson, task) in done.value;
/** All tasks of a lesson, where it has any. */
export const isSolved = (lesson: Lesson): boolean => {
	const tasks = tasksOf(lesson);
	return tasks.length > 0 && tasks.every((task) => isDone(lesson, task));
};

export function markDone(lesson: Lesson, task: Task): void {
	done.value = { ...done.value, [keyOf(lesson, task)]: 1 };
	keep('solved', done.value);
}
