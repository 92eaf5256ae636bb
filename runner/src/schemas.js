// The JSON of requests and answers; the service checks requests by it, and the OpenAPI page is made of it.

const text = { type: 'string' }, whole = { type: 'integer' }, number = { type: 'number' };
const object = (properties, required = [], more = {}) => ({ type: 'object', properties, required, ...more });
const nullable = (schema) => ({ ...schema, nullable: true });

export const problem = object({
	error: object({
		code: { ...text, description: 'for programs' }, status: whole, message: { ...text, description: 'for people' },
		line: { ...whole, description: 'of the PTX' }, column: whole, path: { ...text, description: 'in the launch' }, hint: text, result: { ...text, description: "the driver's result" }, retryAfter: { ...whole, description: 'seconds' },
	}, ['code', 'status', 'message'], { additionalProperties: true }),
}, ['error']);

export const question = object({
	ptx: { ...text, minLength: 1, description: 'PTX text' },
	launch: { type: 'object', description: 'a launch file (examples/README.md): kernel, grid, block, args, buffers, symbols, textures', additionalProperties: true },
	device: { ...text, maxLength: 100, description: 'a class of GET /devices; absent: the first that runs kernels' },
	options: object({
		launches: { ...whole, minimum: 0, maximum: 100, default: 5, description: 'timed launches; the answer has their median' },
		warmup: { ...whole, minimum: 0, maximum: 100, default: 2, description: 'launches before them' },
		timeoutMs: { ...whole, minimum: 1, description: 'after which the kernel is ended; the service has a limit of its own' },
		ptxas: { type: 'boolean', default: false, description: 'have ptxas assemble the PTX, too' },
		target: { ...text, pattern: '^sm_[0-9]+[af]?$', description: "ptxas' -arch; absent: the device's" },
		fresh: { type: 'boolean', default: false, description: 'execute even where the answer is in store' },
		check: { type: 'boolean', default: true, description: 'read the PTX before the job is accepted; false leaves that to the driver' },
	}, [], { default: {}, additionalProperties: false }),
}, ['ptx', 'launch'], { additionalProperties: false });

const buffer = object({ type: text, count: whole, base64: { ...text, description: 'the bytes, little endian' } }, [], { additionalProperties: true });
const assembled = object({ target: text, ok: { type: 'boolean' }, registers: whole, stackBytes: whole, spillStoreBytes: whole, spillLoadBytes: whole, sharedBytes: whole, constBytes: whole, sassBytes: whole, sassInstructions: whole, line: whole, message: text }, [], { additionalProperties: true });

export const job = object({
	id: text, device: text, state: { ...text, enum: ['queued', 'running', 'done', 'failed', 'cancelled'] },
	submitted: { ...text, format: 'date-time' }, ended: { ...text, format: 'date-time' },
	position: { ...whole, description: 'jobs before this one' }, cached: { type: 'boolean', description: 'the same question was answered before' },
	result: object({
		device: { type: 'object', additionalProperties: true, description: 'name, target, driver, clocks' },
		function: { type: 'object', additionalProperties: true, description: 'registers, sharedBytes, localBytes, blocksPerProcessor, occupancy as the driver reports them' },
		fault: nullable({ type: 'object', additionalProperties: true, description: "the driver's result, and where the driver is ours, thread and line" }),
		buffers: { type: 'object', additionalProperties: buffer, description: 'by name; none after a fault' },
		time: nullable(object({ medianMs: number, launches: whole, ms: { type: 'array', items: number } })),
		printf: text, printfCut: { type: 'boolean' }, log: { ...text, description: "of the driver's compiler" }, ptxas: nullable(assembled),
	}, [], { additionalProperties: true }),
	error: problem.properties.error,
}, ['id', 'device', 'state']);

export const device = object({
	class: text, kind: { ...text, enum: ['gpu', 'emulated', 'ptxas'] }, name: text, target: text, driver: text, memoryBytes: number, processors: whole,
	clockMHz: whole, memoryClockMHz: whole, assembles: { type: 'boolean' }, workers: whole,
}, ['class', 'kind', 'name']);

export const waiting = object({ wait: { ...number, minimum: 0, maximum: 60, default: 0, description: 'seconds to wait for the end of the job' } });
export const jobId = object({ id: { ...text, pattern: '^[0-9a-f-]{36}$' } }, ['id']);
export const tag = object({ 'idempotency-key': { ...text, maxLength: 100, description: 'a second question under the same key is the same job' } });
