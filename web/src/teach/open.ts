// Opens lessons, their steps and their sources. A reader's version of a source is kept in this browser until it is started over.

import { effect, signal } from '@preact/signals';
import { openState } from '../actions';
import type { LessonLink, LinkState } from '../link';
import * as s from '../store';
import { forget, isString, keep, recall } from '../storage';
import { lessonOf } from './catalogue';
import { stateOf, stateOfSource, type Lesson, type Source } from './lesson';

/** The lesson on screen, or why there is none. */
export const opened = signal<{ link: LessonLink; lesson: Lesson } | { link: LessonLink; error: string } | null>(null);

const identity = ({ id, at, text }: LessonLink) => JSON.stringify([id, at, text]);
const draftOf = (lesson: Lesson, source: Source) => `lesson.${lesson.id}.${source.name}.${source.kind}`;

/** The source of a lesson that is in the editor: by its file name, which only a lesson's sources are opened under. */
export const sourceInEditor = (lesson: Lesson): Source | undefined => lesson.sources.find((x) => s.fileName.value === `${x.name}.${x.kind}`);

/** The code of a lesson's pass as the reader left it. */
const passDraft = (lesson: Lesson) => `lesson.${lesson.id}.pass`;
function openPass(lesson: Lesson): void {
	if (!lesson.pass)
		return;
	s.own.value = { ...lesson.pass, code: recall(passDraft(lesson), isString) ?? lesson.pass.code };
	s.panel.value = 'own';
}

/** Opens a source of a lesson as the reader left it, or as it was. */
export function openSource(lesson: Lesson, source: Source, anew = false): Promise<boolean> {
	if (anew) {
		forget(draftOf(lesson, source));
		forget(passDraft(lesson));
		openPass(lesson);
	}
	return openState(stateOfSource(lesson, source, recall(draftOf(lesson, source), isString) ?? source.text), { keepPanel: true });
}

/** Goes to a step of a lesson. */
export function followStep(lesson: Lesson, step: number): void {
	const query = lesson.steps[step - 1];
	if (query === undefined)
		return;
	s.lesson.value = { ...withoutGo(s.lesson.value!), step };
	void openState(stateOf(lesson, query), { keepPanel: true });
}

const withoutGo = ({ go: _, ...rest }: LessonLink): LessonLink => rest;

/** Opens a lesson at its beginning: its example, its source, or what is on screen. */
export function openLesson(link: LessonLink): void {
	s.lesson.value = { ...link, go: true };
}

/** The first view of a lesson. */
function begin(lesson: Lesson, step: number | undefined): void {
	openPass(lesson);
	if (step)
		followStep(lesson, step);
	else if (lesson.sources[0])
		void openSource(lesson, lesson.sources.find((x) => x.kind === (recall('language', isString) ?? 'll')) ?? lesson.sources[0]);
	else if (lesson.base.example)
		void openState({ ...lesson.base } as LinkState, { keepPanel: true });
}

effect(() => {
	const link = s.lesson.value, now = opened.peek();
	if (!link) {
		opened.value = null;
		return;
	}
	const same = now && identity(now.link) === identity(link);
	if (same && !link.go)
		return;
	lessonOf(link).then((lesson) => {
		if (s.lesson.peek() !== link)
			return;
		opened.value = { link, lesson };
		if (link.go) {
			s.lesson.value = withoutGo(link);
			begin(lesson, link.step);
		}
	}, (error: Error) => { opened.value = { link, error: error.message }; });
});

// What the reader makes of a lesson's source is kept.
let timer: ReturnType<typeof setTimeout> | undefined;
effect(() => {
	const now = opened.value, text = s.source.value, code = s.own.value?.code;
	clearTimeout(timer);
	if (!now || !('lesson' in now))
		return;
	const { lesson } = now, source = sourceInEditor(lesson);
	timer = setTimeout(() => {
		if (source && text !== source.text && text.trim())
			keep(draftOf(lesson, source), text);
		if (lesson.pass && code !== undefined && code !== lesson.pass.code)
			keep(passDraft(lesson), code);
	}, 400);
});
