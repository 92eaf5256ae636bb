// The few pictures on buttons, drawn in the colour of the text.

const paths = {
	find: 'M7 3a4 4 0 1 0 0 8a4 4 0 0 0 0-8zM10 10l3.5 3.5',
	wrap: 'M2 4h12M2 8h9.5a2.5 2.5 0 0 1 0 5H8m2-2l-2 2l2 2M2 12h3',
	lines: 'M2 3.5h12M2 6.5h12M2 9.5h12M2 12.5h12',
	columns: 'M2.5 3h11v10h-11zM8 3v10',
	full: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
	less: 'M6 2.5V6H2.5M13.5 6H10V2.5M10 13.5V10h3.5M2.5 10H6v3.5',
} as const;

export const Icon = ({ of }: { of: keyof typeof paths }) => (
	<svg class="icon" viewBox="0 0 16 16" width="15" height="15" aria-hidden="true"><path d={paths[of]} /></svg>
);
