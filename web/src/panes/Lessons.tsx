// Lessons: a text beside the view, whose links set example, pass, tab and panel as a permalink does.

import lessons from '../../../examples/lessons.json';
import { signal } from '@preact/signals';
import { openState } from '../actions';
import type { LinkState } from '../link';
import { lesson as chosen } from '../store';

const step = signal(-1);

export function Lessons() {
	const lesson = lessons.find((l) => l.id === chosen.value);
	if (!lesson)
		return (
			<ul class="lesson-list">
				{lessons.map((l) => (
					<li key={l.id}><button type="button" onClick={() => { chosen.value = l.id; step.value = -1; }}><strong>{l.title}</strong> <span class="quiet">{l.steps.length} steps</span></button></li>
				))}
			</ul>
		);
	const show = (i: number) => {
		step.value = i;
		void openState({ ...(lesson.steps[i]!.show as LinkState) }, { keepPanel: true });
	};
	return (
		<article class="lesson">
			<header>
				<h3>{lesson.title}</h3>
				<button type="button" onClick={() => { chosen.value = ''; }}>All lessons</button>
			</header>
			<ol>
				{lesson.steps.map((s, i) => (
					<li key={i} aria-current={i === step.value ? 'step' : undefined}>
						{s.text} <button type="button" class="link" onClick={() => show(i)}>Show me {s.label}</button>
					</li>
				))}
			</ol>
		</article>
	);
}
