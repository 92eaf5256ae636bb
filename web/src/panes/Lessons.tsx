// The list of lessons and puzzles, and the way to show one of one's own. What is opened stands beside the rest of the page.

import { signal } from '@preact/signals';
import { pickText } from '../files';
import { lesson } from '../store';
import { isSolved, lessons, puzzles } from '../teach/catalogue';
import { readLesson, type Lesson } from '../teach/lesson';
import { openLesson } from '../teach/open';

const draft = signal(''), address = signal('');

function Shelf({ title, list, counts }: { title: string; list: readonly Lesson[]; counts: (l: Lesson) => string }) {
	return (
		<section class="shelf" aria-label={title}>
			<h3>{title}</h3>
			<ol class="lesson-list">
				{list.map((l) => (
					<li key={l.id}>
						<button type="button" data-lesson={l.id} aria-current={lesson.value?.id === l.id || undefined} onClick={() => openLesson({ id: l.id })}>
							<strong>{l.title}</strong> <span class="quiet">{counts(l)}</span>{isSolved(l) && <span class="good" title="Solved in this browser"> ✓ solved</span>}
						</button>
					</li>
				))}
			</ol>
		</section>
	);
}

/** A lesson of one's own, with what its author should know of it. */
function Own() {
	const problems = draft.value.trim() ? readLesson('own', draft.value).problems : [];
	return (
		<section class="shelf" aria-label="A lesson of your own">
			<h3>A lesson of your own</h3>
			<p class="quiet">Markdown; a link <code>[text](show:pass=licm&amp;lines=3-5)</code> sets the page, a fence <code>llvm source</code> holds code, a fence <code>goals</code> or <code>question</code> is checked by the page. A link to the lesson holds all of it.</p>
			<textarea class="launch-text" aria-label="Lesson, Markdown" rows={5} spellcheck={false} value={draft.value} onInput={(e) => { draft.value = e.currentTarget.value; }} />
			{problems.map((p) => <p key={p} class="bad">{p}</p>)}
			<p class="row-of-buttons">
				<button type="button" disabled={!draft.value.trim()} onClick={() => openLesson({ text: draft.value })}>Show it</button>
				<button type="button" onClick={() => pickText('.md,.markdown,.txt,text/markdown,text/plain', (text) => { draft.value = text; openLesson({ text }); })}>Open a file</button>
			</p>
			<form class="field" onSubmit={(e) => { e.preventDefault(); openLesson({ at: address.value.trim() }); }}>
				<label class="field">Address on this site <input value={address.value} placeholder="lessons/mine.md" onInput={(e) => { address.value = e.currentTarget.value; }} /></label>
				<button type="submit" disabled={!address.value.trim()}>Show</button>
			</form>
		</section>
	);
}

export function Lessons() {
	const solved = puzzles.filter(isSolved).length;
	return (
		<div class="shelves">
			<Shelf title="Lessons" list={lessons} counts={(l) => `${l.steps.length} views`} />
			<Shelf title={`Puzzles: ${solved} of ${puzzles.length} solved`} list={puzzles} counts={(l) => l.about} />
			<Own />
		</div>
	);
}
