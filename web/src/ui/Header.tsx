import { setConfig, share, showPane } from '../actions';
import { clangState } from '../cuda';
import { inCuda, openExample } from '../examples';
import examples from 'virtual:examples';
import { launchable } from '../kernels';
import { running, runNow, stopRunning } from '../running';
import { batch } from '@preact/signals';
import { config, dialog, embedded, example, exampleName, isCuda, isUnlisted, opening, panel, showKnobs, sourceTitle, state, type Config } from '../store';
import { presentSweep } from '../sweep';
import { commonTargets, targets } from './targets';
import { setTheme, theme, themes, type Theme } from './theme';

const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark', contrast: 'High contrast' };
const generations = [...new Set(targets.map((t) => t.name))].reverse();
const exampleGroups = [...new Set(examples.map((e) => e.group))];

/** The language that is in use, or that costs nothing: clang is large. */
const asBefore = (name: string) => isCuda.value || clangState.value.state === 'ready' ? inCuda(name) : name;

function ThemeChoice() {
	return (
		<label>
			<span class="offscreen">Theme</span>
			<select value={theme.value} onChange={(e) => setTheme(e.currentTarget.value as Theme)}>
				{themes.map((t) => <option key={t} value={t}>{themeNames[t]}</option>)}
			</select>
		</label>
	);
}

const openGallery = () => { dialog.value = 'examples'; };
const openHelp = () => { dialog.value = 'help'; };

/** What a narrow bar has no room for. */
function Menu() {
	const close = () => document.getElementById('menu')?.hidePopover();
	const item = (title: string, act: () => void) => <button type="button" onClick={() => { close(); act(); }}>{title}</button>;
	return (
		<>
			<button type="button" class="narrow-only" aria-label="Menu" title="Gallery, help, theme" popovertarget="menu">⋯</button>
			<div id="menu" popover="auto" class="menu">
				{item('Gallery of examples', openGallery)}{item('Help', openHelp)}<ThemeChoice />
			</div>
		</>
	);
}

/** Runs the kernel from anywhere, and shows the result; without something to run it shows why. */
function runFromBar(): void {
	batch(() => {
		panel.value = 'run';
		showPane('panel');
	});
	if (running.value)
		stopRunning();
	else if (typeof launchable.value !== 'string' && state.value !== 'loading')
		void runNow();
}

function KnobsThatMatter() {
	const found = presentSweep.value, count = found && found.done === found.all ? found.effects.size : 0;
	if (count === 0)
		return null;
	const open = () => batch(() => {
		panel.value = 'knobs';
		showKnobs.value = 'matter';
		showPane('panel');
	});
	return <button type="button" class="matter-here wide" data-testid="knobs-here" title="Knobs that change the PTX of this source" onClick={open}>{count} knob{count > 1 ? 's matter' : ' matters'} here</button>;
}

export function Header() {
	const openHere = `${location.pathname}${location.hash}`;
	return (
		<header class="top">
			<a class="brand" href={embedded ? openHere : './'} target={embedded ? '_blank' : undefined} rel="noopener">
				<svg viewBox="0 0 32 32" width="20" height="20" aria-hidden="true">
					<rect width="32" height="32" rx="7" class="mark" />
					<path d="M8 9h10M8 16h16M8 23h7" class="strokes" />
					<circle cx="23.5" cy="9" r="1.8" class="dot" /><circle cx="20.5" cy="23" r="1.8" class="dot" />
				</svg>
				ptxscope
			</a>
			<label>
				<span class="offscreen">Example</span>
				<select
					data-testid="examples" value={exampleName(opening.value || example.value)}
					onChange={(e) => void openExample(asBefore(e.currentTarget.value))}
				>
					{isUnlisted(opening.value || example.value) && <option value={opening.value || example.value}>{(opening.value || example.value).replace(/^(?:kernels|lessons)\//, '')}</option>}
					{!example.value && <option value="">{sourceTitle.value === 'edited' ? 'edited source' : sourceTitle.value}</option>}
					{exampleGroups.map((group) => (
						<optgroup key={group} label={group}>
							{examples.filter((e) => e.group === group).map((e) => <option key={e.name} value={e.name}>{e.title}</option>)}
						</optgroup>
					))}
				</select>
			</label>
			<button type="button" class="plainly wide" title="All examples, with what they show: E" onClick={openGallery}>Gallery</button>
			<label>
				<span class="offscreen">Target</span>
				<select data-testid="target" value={config.value.target} onChange={(e) => setConfig({ target: e.currentTarget.value })}>
					<optgroup label="In common use">{commonTargets.map((t) => <option key={t.id} value={t.id} title={t.name}>{t.id}</option>)}</optgroup>
					{generations.map((name) => (
						<optgroup key={name} label={name}>
							{targets.filter((t) => t.name === name && !commonTargets.includes(t)).map((t) => <option key={t.id} value={t.id}>{t.id}</option>)}
						</optgroup>
					))}
				</select>
			</label>
			<label>
				<span class="offscreen">Optimisation level</span>
				<select
					data-testid="level" value={String(config.value.level)}
					onChange={(e) => setConfig({ level: Number(e.currentTarget.value) as Config['level'] })}
				>
					{[0, 1, 2, 3].map((l) => <option key={l} value={String(l)}>-O{l}</option>)}
				</select>
			</label>
			<button type="button" class="run-button" aria-label={running.value ? 'Stop the kernel' : 'Run the kernel'} title="Execute the kernel on the emulator" onClick={runFromBar}>{running.value ? 'Stop' : '▸ Run'}</button>
			<KnobsThatMatter />
			<span class="gap" />
			<span class="wide"><ThemeChoice /></span>
			<button type="button" class="plainly wide" title="Keys and help: ?" onClick={openHelp}>Help</button>
			<Menu />
			<button type="button" class="primary" data-testid="share" title="Copy a link to exactly this: Ctrl+S" onClick={() => void share()}>Share</button>
			<button type="button" class="more" aria-label="More ways to share" title="Source only, a frame, a report" data-testid="share-more" onClick={() => { dialog.value = 'share'; }}>▾</button>
		</header>
	);
}
