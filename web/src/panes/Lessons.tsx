// A lesson is a text beside the view, whose "show me" links set the page as a permalink does.

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { openState } from '../actions';
import { readLesson, stateOf, type Inline, type Lesson } from '../lessons';
import { lesson as chosen } from '../store';

const files = import.meta.glob<string>('../../../examples/lessons/*.md', { query: '?raw', import: 'default', eager: true });
const lessons: Lesson[] = Object.entries(files).sort(([a], [b]) => a < b ? -1 : 1)
	.map(([path, text]) => readLesson(path.replace(/^.*\/|\.md$/g, ''), text));

/** The link last followed, by its address. */
const followed = signal('');

function Parts({ parts, lesson }: { parts: Inline[]; lesson: Lesson }) {
	const show = (query: string) => {
		followed.value = query;
		void openState(stateOf(lesson, query), { keepPanel: true });
	};
	return <>{parts.map((p, i): ComponentChildren => {
		if (p.kind === 'show')
			return <button key={i} type="button" class="link show" aria-current={followed.value === p.query || undefined} data-show={p.query} onClick={() => show(p.query)}>{p.text}</button>;
		if (p.kind === 'link')
			return <a key={i} href={p.href} target="_blank" rel="noopener noreferrer">{p.text}</a>;
		const Tag = p.kind === 'text' ? 'span' : p.kind;
		return <Tag key={i}>{p.text}</Tag>;
	})}</>;
}

const shows = (l: Lesson) => JSON.stringify(l.blocks).split('"kind":"show"').length - 1;

export function Lessons() {
	const at = lessons.findIndex((l) => l.id === chosen.value), lesson = lessons[at];
	const open = (l: Lesson | undefined) => {
		chosen.value = l?.id ?? '';
		followed.value = '';
		if (l?.base.example)
			void openState({ ...l.base }, { keepPanel: true });
	};
	if (!lesson)
		return (
			<ol class="lesson-list">
				{lessons.map((l) => <li key={l.id}><button type="button" data-lesson={l.id} onClick={() => open(l)}><strong>{l.title}</strong> <span class="quiet">{shows(l)} views</span></button></li>)}
			</ol>
		);
	const next = lessons[at + 1];
	return (
		<article class="lesson" data-testid="lesson">
			<header>
				<h3>{lesson.title}</h3>
				<button type="button" onClick={() => open(undefined)}>All lessons</button>
			</header>
			{lesson.blocks.map((b, i) => {
				if (b.kind === 'pre')
					return <pre key={i}>{b.text}</pre>;
				if (b.kind === 'h')
					return <h4 key={i}><Parts parts={b.parts} lesson={lesson} /></h4>;
				if (b.kind === 'p')
					return <p key={i}><Parts parts={b.parts} lesson={lesson} /></p>;
				const List = b.kind;
				return <List key={i}>{b.items.map((item, k) => <li key={k}><Parts parts={item} lesson={lesson} /></li>)}</List>;
			})}
			{next && <p><button type="button" onClick={() => open(next)}>Next: {next.title}</button></p>}
		</article>
	);
}
