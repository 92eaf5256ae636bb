// Saving a text or a picture as a file.

export function download(name: string, data: string | Blob, type = 'text/plain'): void {
	const url = URL.createObjectURL(typeof data === 'string' ? new Blob([data], { type }) : data);
	const a = document.createElement('a');
	a.href = url;
	a.download = name;
	a.click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
}
