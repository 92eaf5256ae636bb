// Runs inside the frame of sandbox.ts: makes the worker, so that the frame's policy is the worker's, and passes on what it says. Its text
// stands in the page; vite.config.ts gives the page's policy its hash.
addEventListener('message', ({ data, ports: [port] }) => {
	const url = URL.createObjectURL(new Blob([data.code], { type: 'text/javascript' }));
	const worker = new Worker(url);
	worker.onmessage = (event) => port.postMessage(event.data);
	worker.onerror = (event) => {
		event.preventDefault();
		port.postMessage({ error: event.message, line: event.lineno });
	};
	port.onmessage = () => {
		worker.terminate();
		URL.revokeObjectURL(url);
		port.close();
	};
	worker.postMessage(data.pieces);
});
