// Is the page being printed? The editor draws only the lines in sight; on paper the whole source stands in its place.

import { signal } from '@preact/signals';

const query = matchMedia('print');
export const printing = signal(query.matches);
query.addEventListener('change', (e) => { printing.value = e.matches; });
