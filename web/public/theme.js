// Sets the theme before the first frame, so that a dark page is never white at first. What it reads is written by src/ui/theme.ts.
{
	let theme = new URLSearchParams(location.search).get('theme');
	try {
		theme ??= JSON.parse(localStorage.getItem('ptxscope.theme'));
	} catch { /* storage is forbidden */ }
	const known = theme === 'light' || theme === 'dark' || theme === 'contrast';
	const root = document.documentElement;
	root.dataset.theme = known ? theme : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
	root.style.colorScheme = root.dataset.theme === 'light' ? 'light' : 'dark';
}
