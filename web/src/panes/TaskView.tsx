// A question or a list of goals in a lesson, which the page checks: by what is on screen, by what the kernel computes, by what the
// passes did.

import { useState } from 'preact/hooks';
import { isPtx, own, panel, shown } from '../store';
import { isDone, markDone } from '../teach/catalogue';
import { checkGoals, stateProblem } from '../teach/check';
import { inWords, passesThat, type Judged } from '../teach/goals';
import type { Lesson, Task } from '../teach/lesson';
import { Parts } from './LessonDock';

const plainly = (text: string) => text.trim().toLowerCase().replace(/\s+/g, ' ').replace(/^[%@`]|`$/g, '');

/** Passes that changed something, in order, each once. */
const choices = () => [...new Set((shown.value?.trace.passes ?? []).filter((r) => r.changed && r.id !== 'input').map((r) => r.id))];

export function TaskView({ task, lesson }: { task: Task; lesson: Lesson }) {
	const [answer, setAnswer] = useState(''), [busy, setBusy] = useState(false);
	const [said, setSaid] = useState<{ good: boolean; text: string } | null>(null), [judged, setJudged] = useState<Judged[] | null>(null);
	const conclude = (good: boolean, text: string) => {
		if (good)
			markDone(lesson, task);
		setSaid({ good, text });
	};
	const hinted = (text: string) => task.hint ? `${text} ${task.hint}` : text;

	const check = async () => {
		setSaid(null);
		setJudged(null);
		const problem = stateProblem();
		if (task.pass) {
			const { adds, text } = task.pass, right = shown.value ? passesThat(adds, text, shown.value.trace) : [];
			if (problem || right.length === 0)
				conclude(false, problem || `No pass ${adds ? 'adds' : 'removes'} ${text} from what is on screen: go back to the lesson's code.`);
			else
				conclude(right.includes(answer), right.includes(answer) ? `Yes, ${answer} ${adds ? 'adds' : 'removes'} it.` : answer ? hinted(`No: behind ${answer} it stands there as often as before.`) : 'Choose a pass.');
		} else if (task.choices.length) {
			const right = task.choices[Number(answer)]?.right === true;
			conclude(right, right ? 'Yes.' : answer === '' ? 'Choose one.' : hinted('No.'));
		} else if (task.answers.length) {
			const right = task.answers.some((a) => plainly(a) === plainly(answer));
			conclude(right, right ? 'Yes.' : hinted('No.'));
		} else {
			setBusy(true);
			const list = await checkGoals(lesson, task);
			setBusy(false);
			if (typeof list === 'string')
				conclude(false, list);
			else {
				setJudged(list);
				const missed = list.filter((j) => !j.met).length;
				conclude(missed === 0, missed === 0 ? 'All goals are reached.' : hinted(`${missed} of ${list.length} goals ${missed === 1 ? 'is' : 'are'} missed.`));
			}
		}
	};
	const name = `task-${lesson.id}-${task.id}`;
	return (
		<section class="task" aria-label={task.goals.length ? 'Goals' : 'Question'} data-testid="task">
			{task.text.map((parts, i) => <p key={i}><Parts parts={parts} lesson={lesson} /></p>)}
			{task.pass && (
				<select aria-label="The pass" value={answer} onChange={(e) => setAnswer(e.currentTarget.value)}>
					<option value="">choose a pass</option>
					{choices().map((id) => <option key={id} value={id}>{id}</option>)}
				</select>
			)}
			{task.choices.map((c, i) => (
				<label key={i} class="choice-row"><input type="radio" name={name} checked={answer === String(i)} onChange={() => setAnswer(String(i))} /> <span><Parts parts={c.parts} lesson={lesson} /></span></label>
			))}
			{task.answers.length > 0 && <input aria-label="Your answer" value={answer} onInput={(e) => setAnswer(e.currentTarget.value)} onKeyDown={(e) => { if (e.key === 'Enter') void check(); }} />}
			{task.goals.length > 0 && (
				<ul class="goals">
					{task.goals.map((g, i) => {
						const j = judged?.[i];
						return <li key={i} class={j ? j.met ? 'good' : 'bad' : ''} data-met={j?.met}><span aria-hidden="true">{j ? j.met ? '✓' : '✗' : '·'}</span> {inWords(g)}{j && !j.met && j.said && <span class="said">{j.said}</span>}</li>;
					})}
				</ul>
			)}
			<p class="row-of-buttons">
				<button type="button" class="primary" disabled={busy} onClick={() => void check()}>{busy ? 'Checking…' : task.goals.length ? 'Check it' : 'Check'}</button>
				{lesson.pass && !isPtx.value && <button type="button" onClick={() => { own.value ??= { ...lesson.pass! }; panel.value = 'own'; }}>Your pass</button>}
				{isDone(lesson, task) && <span class="good">✓ solved</span>}
			</p>
			<p role="status" class={said ? said.good ? 'good' : 'bad' : ''}>{said?.text}</p>
		</section>
	);
}
