import { useState } from 'preact/hooks';
import { copy } from '../actions';

interface Props {
	text: () => string | Promise<string>;
	what: string;
	label?: string;
	disabled?: boolean;
}

export function CopyButton({ text, what, label = 'Copy', disabled }: Props) {
	const [done, setDone] = useState('');
	return (
		<button
			type="button" disabled={disabled} title={`Copy the ${what}`}
			onClick={async () => {
				setDone(await copy(await text()) ? 'Copied' : 'Not allowed');
				setTimeout(() => setDone(''), 1500);
			}}
		>
			{done || label}
		</button>
	);
}
