// A pass of the user's own: its code, where it runs, and what came of it.

import { useEffect } from 'preact/hooks';
import { fresh } from '../freshness';
import { isPtx, own, ownInOutput } from '../store';
import { byId } from '../teach/catalogue';
import { idle, outputWithout, ownPoints, pageLaunches, report, running, runOwn, takeOut } from '../teach/own';
import { limitMs } from '../teach/sandbox';
import { opened } from '../teach/open';

export function OwnPass() {
	useEffect(() => { own.value ??= { after: ownPoints().find((p) => p === 'nvptx-isel') ?? 'ptx', code: idle }; }, []);
	const now = own.value, r = report.value, places = ownPoints(), ptx = isPtx.value;
	if (!now)
		return null;
	const lesson = opened.value && 'lesson' in opened.value ? opened.value.lesson : null;
	const launches = () => lesson?.pass && lesson.launches.length ? lesson.launches : pageLaunches();
	const after = ptx || !places.includes(now.after) && now.after !== 'ptx' ? 'ptx' : now.after;
	const current = r?.of === JSON.stringify(now) ? r : null;
	return (
		<div class="own" data-testid="own-pass">
			<div class="filters">
				<button type="button" class="primary" disabled={running.value || !fresh.value} onClick={() => void runOwn(launches())}>{running.value ? 'Running…' : 'Run pass'}</button>
				<label>after <select value={after} disabled={ptx} onChange={(e) => { own.value = { ...now, after: e.currentTarget.value }; }}>
					{places.map((id) => <option key={id} value={id}>{id}</option>)}
					<option value="ptx">everything, on PTX</option>
				</select></label>
				{ownInOutput.value && <button type="button" onClick={takeOut}>Take it out</button>}
				<span class="gap" />
				{[['pass-1-dead-code', '1'], ['pass-2-folding', '2'], ['pass-3-strength', '3']].map(([id, n]) => byId(id!) && (
					<button key={id} type="button" class="link" title={byId(id!)!.title} onClick={() => void import('../teach/open').then(({ openLesson }) => openLesson({ id: id! }))}>Exercise {n}</button>
				))}
			</div>
			<textarea
				class="launch-text" aria-label="Code of the pass, JavaScript" spellcheck={false} wrap="off" value={now.code}
				onInput={(e) => { own.value = { ...now, code: e.currentTarget.value }; }}
			/>
			<div aria-live="polite" data-testid="own-report">
				{!current && <p class="quiet">JavaScript, in a worker without a network, for at most {limitMs / 1000} s. It gets one machine function at a time{r ? '. Changed since it ran.' : '.'}</p>}
				{current?.error !== undefined && <p class="bad">{current.line ? `Line ${current.line}: ` : ''}{current.error}</p>}
				{current && current.error === undefined && (
					<p>
						{current.changed === 0 ? 'It changed nothing.' : `It changed ${current.changed === 1 ? 'one text' : `${current.changed} texts`}, which the compiler has verified: ${current.before} instructions of PTX before, ${current.after} now.`}
						{' '}{current.same ? <span class={current.same.met ? 'good' : 'bad'}>{current.same.met ? '✓ Executed: every result is as it was.' : `✗ Executed: ${current.same.said}.`}</span> : 'There is no launch to compare results by.'}
					</p>
				)}
				{current?.printed && <pre class="printed">{current.printed}</pre>}
				{!outputWithout() && <p class="quiet">There is no output yet.</p>}
			</div>
		</div>
	);
}
