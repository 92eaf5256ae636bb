import examples from '../../../examples/index.json';
import { setConfig, share } from '../actions';
import { openExample } from '../examples';
import { config, dialog, embedded, example, exampleName, opening, sourceTitle, type Config } from '../store';
import { targets } from './targets';
import { setTheme, theme, themes, type Theme } from './theme';

const themeNames: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark', contrast: 'High contrast' };
const generations = [...new Set(targets.map((t) => t.name))].reverse();
const exampleGroups = [...new Set(examples.map((e) => e.group))];

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
					onChange={(e) => void openExample(e.currentTarget.value)}
				>
					{!example.value && <option value="">{sourceTitle.value === 'edited' ? 'edited source' : sourceTitle.value}</option>}
					{exampleGroups.map((group) => (
						<optgroup key={group} label={group}>
							{examples.filter((e) => e.group === group).map((e) => <option key={e.name} value={e.name} title={e.about}>{e.title}</option>)}
						</optgroup>
					))}
				</select>
			</label>
			<button type="button" class="plainly wide" title="All examples, with what they show: E" onClick={() => { dialog.value = 'examples'; }}>Gallery</button>
			<label>
				<span class="offscreen">Target</span>
				<select data-testid="target" value={config.value.target} onChange={(e) => setConfig({ target: e.currentTarget.value })}>
					{generations.map((name) => (
						<optgroup key={name} label={name}>
							{targets.filter((t) => t.name === name).map((t) => <option key={t.id} value={t.id}>{t.id}</option>)}
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
			<span class="gap" />
			<label class="wide">
				<span class="offscreen">Theme</span>
				<select value={theme.value} onChange={(e) => setTheme(e.currentTarget.value as Theme)}>
					{themes.map((t) => <option key={t} value={t}>{themeNames[t]}</option>)}
				</select>
			</label>
			<button type="button" class="plainly wide" title="Keys and help: ?" onClick={() => { dialog.value = 'help'; }}>Help</button>
			<button type="button" class="primary" data-testid="share" title="Copy a link to exactly this: Ctrl+S" onClick={() => void share()}>Share</button>
			<button type="button" class="more" aria-label="More ways to share" title="Source only, a frame, a report" data-testid="share-more" onClick={() => { dialog.value = 'share'; }}>▾</button>
		</header>
	);
}
