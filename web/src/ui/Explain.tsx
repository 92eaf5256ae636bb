import { explained } from '../explained';

/** A card beside the word that it explains. */
export function Explain() {
	const e = explained.value;
	if (!e)
		return null;
	return (
		<div class="explain" role="tooltip" style={{ left: `${Math.min(e.x, innerWidth - 380)}px`, top: `${Math.min(e.y, innerHeight - 110)}px` }}>
			<strong>{e.title}</strong>
			<p>{e.text}{e.since && <span class="quiet"> ({e.since})</span>}</p>
			{e.form && <code>{e.form}</code>}
			{e.parts && e.parts.length > 0 && <dl>{e.parts.map(([word, meaning]) => <div key={word}><dt>{word}</dt><dd>{meaning}</dd></div>)}</dl>}
		</div>
	);
}
