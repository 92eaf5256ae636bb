/** The client of a GPU runner (runner/README.md). */

export interface Service {
	url: string;
	token?: string;
}

export interface RemoteDevice {
	class: string;
	kind: 'gpu' | 'emulated' | 'ptxas';
	name: string;
	target?: string;
	driver?: string;
	workers?: number;
}

export interface Question {
	ptx: string;
	launch: object;
	device?: string;
	options?: { launches?: number; warmup?: number; timeoutMs?: number; ptxas?: boolean; target?: string; fresh?: boolean; check?: boolean };
}

export interface Assembled {
	ok: boolean;
	target: string;
	registers: number;
	stackBytes: number;
	spillStoreBytes: number;
	spillLoadBytes: number;
	sharedBytes: number;
	sassBytes: number;
	sassInstructions: number;
	message?: string;
}

export interface RemoteResult {
	device: { name: string; target: string; driver: string; clockMHz?: number; memoryClockMHz?: number; warp?: number };
	function?: { registers: number; sharedBytes: number; localBytes: number; constBytes: number; maxThreads: number; blocksPerProcessor: number; occupancy: number };
	fault: { call: string; result: string; text: string; message?: string; line?: number; thread?: number[]; block?: number[] } | null;
	/** None after a fault. */
	buffers: Record<string, { type: string; count: number; base64: string }>;
	time: { medianMs: number; launches: number; ms: number[] } | null;
	printf: string;
	printfCut?: boolean;
	log?: string;
	ptxas?: Assembled | null;
}

export interface RemoteJob {
	id: string;
	device: string;
	state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
	position?: number;
	cached?: boolean;
	result?: RemoteResult;
	error?: { code: string; status: number; message: string; line?: number };
}

export declare class RemoteProblem extends Error {
	status: number;
	code: string;
	line: number;
	retryAfter: number;
	path?: string;
}

export declare function ask(service: Service, question: Question, options?: { signal?: AbortSignal; tag?: string; onState?: (job: RemoteJob) => void }): Promise<RemoteJob>;
export declare function devicesOf(service: Service, signal?: AbortSignal): Promise<RemoteDevice[]>;
