// The switches of the sanitizers, and the order in which warps take turns.

import { sanitize, sanitizerNames, seed, type SanitizerName } from '../store';

const titles: Readonly<Record<SanitizerName, string>> = {
	memory: 'Accesses between variables, use after free, double free',
	race: 'Accesses to shared and global memory that nothing orders',
	init: 'Use of registers and memory that nobody has written',
	sync: 'Member masks, mbarriers, copies that nobody waited for',
	leak: 'Memory of malloc that nobody frees',
};

function toggle(name: SanitizerName): void {
	const on = sanitize.value.includes(name);
	sanitize.value = sanitizerNames.filter((n) => n === name ? !on : sanitize.value.includes(n));
}

export function Sanitizers() {
	const all = sanitize.value.length === sanitizerNames.length;
	return (
		<fieldset class="sanitizers" data-testid="sanitizers">
			<legend>Sanitizers</legend>
			{sanitizerNames.map((name) => (
				<label key={name} title={titles[name]}><input type="checkbox" checked={sanitize.value.includes(name)} onChange={() => toggle(name)} /> {name}</label>
			))}
			<button type="button" class="link" onClick={() => { sanitize.value = all ? [] : sanitizerNames; }}>{all ? 'none' : 'all'}</button>
			<label title="Warps take turns in another order, the same one each time for a number. Empty: the usual order">
				order <input
					type="text" inputMode="numeric" pattern="\d*" placeholder="usual" aria-label="Seed of the order of warps" value={seed.value}
					onChange={(e) => { seed.value = e.currentTarget.value = /^\d{1,19}$/.exec(e.currentTarget.value.trim())?.[0] ?? ''; }}
				/>
			</label>
		</fieldset>
	);
}
