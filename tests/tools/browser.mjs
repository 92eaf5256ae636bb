// How tests and the bench start Chromium: headless, quiet on the network, in a fresh profile.

export const browserFlags = [
	'--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync',
];
