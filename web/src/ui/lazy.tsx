// A component that is fetched when it is first shown.

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function lazy<P extends object>(get: () => Promise<ComponentType<P>>): ComponentType<P> {
	let got: ComponentType<P> | undefined;
	return function Lazy(props: P) {
		const [, redraw] = useState(0);
		const [failed, fail] = useState('');
		useEffect(() => {
			if (!got)
				get().then((part) => { got = part; redraw(1); }, (error: Error) => fail(error.message));
		}, []);
		if (failed)
			return <p class="empty">This part could not be loaded: {failed}</p>;
		const Part = got;
		return Part ? <Part {...props} /> : <p class="empty">…</p>;
	};
}
