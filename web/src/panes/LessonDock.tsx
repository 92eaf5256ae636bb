// The open lesson, beside what it shows. Its text is data, never HTML (teach/lesson.ts).

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { lessonAddress, permalink } from '../actions';
import { embedded, lesson as chosen, panel } from '../store';
import { keep } from '../storage';
import { nextOf } from '../teach/catalogue';
import type { Block, Inline, Lesson } from '../teach/lesson';
import { followStep, opened, openLesson, openSource, sourceInEditor } from '../teach/open';
import { CopyButton } from '../ui/CopyButton';
import { TaskView } from './TaskView';

/** On a narrow window the text gives way to what it shows. */
const folded = signal(false);

export function Parts({ parts, lesson }: { parts: Inline[]; lesson: Lesson }) {
	return <>{parts.map((p, i): ComponentChildren => {
		if (p.kind === 'show')
			return <button key={i} type="button" class="link show" aria-current={chosen.value?.step === p.step || undefined} data-show={p.query} data-step={p.step} onClick={() => followStep(lesson, p.step)}>{p.text}</button>;
		if (p.kind === 'link')
			return <a key={i} href={p.href} target="_blank" rel="noopener noreferrer">{p.text}</a>;
		const Tag = p.kind === 'text' ? 'span' : p.kind;
		return <Tag key={i}>{p.text}</Tag>;
	})}</>;
}

function Blocks({ blocks, lesson }: { blocks: Block[]; lesson: Lesson }) {
	return <>{blocks.map((b, i): ComponentChildren => {
		switch (b.kind) {
		case 'pre': return <pre key={i}>{b.text}</pre>;
		case 'h': return <h4 key={i}><Parts parts={b.parts} lesson={lesson} /></h4>;
		case 'p': return <p key={i}><Parts parts={b.parts} lesson={lesson} /></p>;
		case 'note': return <aside key={i} class="note" aria-label="Note"><Blocks blocks={b.blocks} lesson={lesson} /></aside>;
		case 'task': return <TaskView key={`${lesson.id}#${b.task.id}`} task={b.task} lesson={lesson} />;
		case 'table': return (
			<table key={i}>
				<thead><tr>{b.head.map((c, k) => <th key={k} scope="col"><Parts parts={c} lesson={lesson} /></th>)}</tr></thead>
				<tbody>{b.rows.map((row, k) => <tr key={k}>{row.map((c, n) => <td key={n}><Parts parts={c} lesson={lesson} /></td>)}</tr>)}</tbody>
			</table>
		);
		case 'ol': return <ol key={i} start={b.start}>{b.items.map((item, k) => <li key={k}><Blocks blocks={item} lesson={lesson} /></li>)}</ol>;
		case 'ul': return <ul key={i}>{b.items.map((item, k) => <li key={k}><Blocks blocks={item} lesson={lesson} /></li>)}</ul>;
		}
	})}</>;
}

const languages = { ll: 'LLVM IR', cu: 'CUDA C++', mir: 'machine IR', ptx: 'PTX' } as const;

/** The lesson's own code, in each language that it is there in. */
function Sources({ lesson }: { lesson: Lesson }) {
	const now = sourceInEditor(lesson);
	if (lesson.sources.length === 0)
		return null;
	const open = (source: Lesson['sources'][number], anew = false) => {
		keep('language', source.kind);
		void openSource(lesson, source, anew);
	};
	return (
		<p class="row-of-buttons sources" role="group" aria-label="Code of this lesson">
			{lesson.sources.map((x) => (
				<button key={`${x.name}.${x.kind}`} type="button" aria-pressed={x === now} onClick={() => open(x)}>
					{lesson.sources.filter((y) => y.kind === x.kind).length > 1 ? `${x.name}.${x.kind}` : languages[x.kind]}
				</button>
			))}
			{now && <button type="button" class="link" onClick={() => open(now, true)}>Start over</button>}
		</p>
	);
}

export function LessonDock() {
	const now = opened.value, box = useRef<HTMLElement>(null);
	const id = now && 'lesson' in now ? now.lesson.id : '', step = chosen.value?.step;
	useEffect(() => box.current?.scrollTo({ top: 0 }), [id]);
	useEffect(() => box.current?.querySelector('.show[aria-current]')?.scrollIntoView({ block: 'nearest' }), [id, step]);
	const close = () => {
		chosen.value = null;
		if (!embedded)
			panel.value = 'lesson';
	};
	if (!now)
		return <aside class="dock" aria-label="Lesson"><p class="empty">…</p></aside>;
	const lesson = 'lesson' in now ? now.lesson : null, next = lesson && nextOf(lesson);
	return (
		<aside class={`dock${folded.value ? ' folded' : ''}`} aria-label="Lesson" data-testid="lesson" ref={box} tabIndex={-1}>
			<header>
				<h2>{lesson?.title ?? 'Lesson'}</h2>
				<button type="button" class="fold-dock" aria-expanded={!folded.value} onClick={() => { folded.value = !folded.value; }}>{folded.value ? 'Read' : 'Fold'}</button>
				{!embedded && <button type="button" onClick={close}>All lessons</button>}
				<button type="button" class="close" aria-label="Close the lesson" onClick={() => { chosen.value = null; }}>×</button>
			</header>
			{'error' in now && <p class="bad" role="alert">This lesson cannot be shown: {now.error}.</p>}
			{lesson && !folded.value && (
				<article class="lesson">
					<Sources lesson={lesson} />
					<Blocks blocks={lesson.blocks} lesson={lesson} />
					<footer class="row-of-buttons">
						{next && <button type="button" onClick={() => openLesson({ id: next.id })}>Next: {next.title}</button>}
						<CopyButton text={() => lessonAddress(false)} what="link to this lesson" label="Link to the lesson" />
						{lesson.sources.length > 0 && <CopyButton text={permalink} what="link to the lesson with your code" label="Link to my solution" />}
						{step && <CopyButton text={() => lessonAddress(true)} what="link to this step" label="Link to this step" />}
					</footer>
				</article>
			)}
		</aside>
	);
}
