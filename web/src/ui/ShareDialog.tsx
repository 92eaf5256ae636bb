// Ways to hand on what is on screen: a link to exactly this, one to the source alone, a frame for a web page; and a report that has
// everything by which somebody else can reproduce a problem.

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { linkState, permalink } from '../actions';
import { commandLine } from '../commandLine';
import { encodeLink } from '../link';
import { chatLength, serverLength } from '../linkLength';
import { about, banner, launchText, lesson, problems, shown, source, sourceKind, state } from '../store';
import { CopyButton } from './CopyButton';
import { download } from '../download';
import { themes, type Theme } from './theme';

const kinds = { view: 'This view', source: 'Source only', frame: 'A frame' } as const;
const kind = signal<keyof typeof kinds>('view');

const panes = { ir: 'source', passes: 'passes', view: 'pass', ptx: 'PTX', panel: 'knobs, run' } as const;
type FramePane = keyof typeof panes;
const frame = signal<{ panes: FramePane[]; width: string; height: number; theme: Theme }>({ panes: ['ir', 'ptx'], width: '100%', height: 600, theme: 'system' });

/** A link to the source and how it is launched, as somebody finds it who has never been here. */
async function sourceLink(): Promise<string> {
	const { compiler, example, source: text, file, launch, launchOf } = linkState();
	const held = Object.fromEntries(Object.entries({ compiler, example, source: text, file, launch, launchOf }).filter(([, value]) => value !== undefined));
	return `${location.href.replace(/[?#].*$/, '')}#${await encodeLink(held)}`;
}

const attribute = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;');

/** The HTML of a frame that shows a link. */
export function frameHtml(link: string, { panes: chosen, width, height, theme }: typeof frame.value): string {
	const query = new URLSearchParams({ embed: '1' });
	if (theme !== 'system')
		query.set('theme', theme);
	if (chosen.length > 0 && chosen.length < Object.keys(panes).length)
		query.set('panes', chosen.join(','));
	const address = link.replace('#', `?${query.toString().replace(/%2C/g, ',')}#`);
	return `<iframe src="${attribute(address)}" width="${attribute(width)}" height="${height}" title="ptxscope"></iframe>`;
}

function FrameForm() {
	const f = frame.value, set = (change: Partial<typeof f>) => { frame.value = { ...f, ...change }; };
	return (
		<fieldset class="frame-form">
			<legend>The frame</legend>
			<span role="group" aria-label="Panes">
				{(Object.keys(panes) as FramePane[]).map((id) => (
					<label key={id} class="check">
						<input type="checkbox" checked={f.panes.includes(id)} onChange={(e) => set({ panes: (Object.keys(panes) as FramePane[]).filter((p) => p === id ? e.currentTarget.checked : f.panes.includes(p)) })} />
						{panes[id]}
					</label>
				))}
			</span>
			<label class="small-field">width <input value={f.width} onInput={(e) => set({ width: e.currentTarget.value })} /></label>
			<label class="small-field">height <input type="number" min={150} max={4000} value={f.height} onInput={(e) => set({ height: Number(e.currentTarget.value) || 600 })} /></label>
			<label class="small-field">theme <select value={f.theme} onChange={(e) => set({ theme: e.currentTarget.value as Theme })}>{themes.map((t) => <option key={t} value={t}>{t}</option>)}</select></label>
			{lesson.value && <span class="quiet">The lesson comes along.</span>}
		</fieldset>
	);
}

export function Share() {
	const [link, setLink] = useState('');
	const of = kind.value;
	useEffect(() => void (of === 'source' ? sourceLink() : permalink()).then(setLink), [of]);
	const text = of === 'frame' ? frameHtml(link, frame.value) : link;
	return (
		<>
			<p>A link holds everything itself: nothing is sent to any server.</p>
			<p class="row-of-buttons" role="group" aria-label="What to share">
				{(Object.keys(kinds) as (keyof typeof kinds)[]).map((k) => <button key={k} type="button" aria-pressed={of === k} onClick={() => { kind.value = k; }}>{kinds[k]}</button>)}
			</p>
			{of === 'view' && <p class="quiet">Source, target, knobs, launch, the pass and the lines that you look at{lesson.value ? ', and the lesson beside them' : ''}.</p>}
			{of === 'source' && <p class="quiet">The source and its launch, with everything else as it is for who comes here first.</p>}
			{of === 'frame' && <FrameForm />}
			<label class="field">{of === 'frame' ? 'HTML' : 'Link'} <input readOnly data-testid="share-text" value={text} onFocus={(e) => e.currentTarget.select()} /></label>
			{link.length > chatLength && (
				<p class="long-link" role="note" data-testid="long-link">
					{link.length.toLocaleString('en')} characters: {link.length > serverLength ? 'some browsers and link shorteners refuse links of more than 8,000' : 'chat and mail programs may cut links of more than 2,000'}.
					{' '}Better save the source and send the file, or share an example with little changed.
				</p>
			)}
			<p class="row-of-buttons">
				{of === 'frame' ? <CopyButton text={() => text} what="frame for a web page" label="Copy iframe" /> : (
					<>
						<CopyButton text={() => link} what="link" label="Copy link" />
						<CopyButton text={() => `[ptxscope](${link})`} what="link as Markdown" label="Copy Markdown" />
						<CopyButton text={() => frameHtml(link, frame.value)} what="frame for a web page" label="Copy iframe" />
					</>
				)}
			</p>
		</>
	);
}

const fence = (language: string, text: string) => `\`\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\`\n`;

/** Everything by which a problem can be reproduced, as Markdown. */
export async function problemReport(words: string): Promise<string> {
	const trouble = banner.value && ['crash', 'load'].includes(banner.value.kind) ? `${banner.value.text}\n${banner.value.detail ?? ''}` : '';
	const said = problems.value.map((d) => `${d.line}:${d.col}: ${d.severity}: ${d.message}`).join('\n');
	return [
		'## What happened\n', words.trim() || '(say what you expected and what you saw)', '\n## How to reproduce it\n', await permalink(), '',
		fence('sh', commandLine()),
		`- ptxscope: ${about.value?.version ?? 'not loaded'}`, `- browser: ${navigator.userAgent}`, `- state: ${state.value}`,
		`- window: ${innerWidth} × ${innerHeight}`, '',
		...(trouble ? ['### What the page said\n', fence('', trouble)] : []), ...(said ? ['### Messages\n', fence('', said)] : []),
		'### Source\n', fence({ ll: 'llvm', cu: 'cuda', mir: 'yaml', ptx: 'ptx' }[sourceKind.value], source.value),
		...(launchText.value ? ['### Launch\n', fence('json', launchText.value)] : []),
		...(shown.value ? ['### PTX\n', fence('ptx', shown.value.trace.ptx)] : []),
	].join('\n');
}

export function Report() {
	const [words, setWords] = useState('');
	return (
		<>
			<p>The report holds the source, its launch, the command line, what the compiler said and a link to exactly this. Nothing is sent: copy it to where you report problems, or save it.</p>
			<textarea class="launch-text" rows={4} aria-label="What happened" placeholder="What did you expect, and what did you see?" value={words} onInput={(e) => setWords(e.currentTarget.value)} />
			<p class="row-of-buttons">
				<CopyButton text={() => problemReport(words)} what="report" label="Copy report" />
				<button type="button" onClick={() => void problemReport(words).then((text) => download('ptxscope-problem.md', text))}>Save report</button>
			</p>
		</>
	);
}
