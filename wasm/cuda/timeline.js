// How long work takes, as a model: a program's clocks must not depend on the machine that emulates it. Work of a stream is done in order
// by one of three engines: copies in, copies out, kernels. The default stream waits for the others, and they for it. Time is in
// nanoseconds and begins at 0.

const callTime = 1_000, launchTime = 4_000, copyTime = 6_000;
/** Bytes a nanosecond over the bus, and on the device. */
const busSpeed = 12, memorySpeed = 400;
const instructionsPerNanosecond = 1.5 * 4 * 16;

export class Timeline {
	#now = 0;
	#engines = { in: 0, out: 0, kernel: 0 };
	/** Stream → when its work ends, and whether it goes its own way. */
	#streams = new Map([[0, { end: 0, independent: false }]]);

	now() { return this.#now; }
	sleep(time) { this.#now += time; }
	call() { this.#now += callTime; }

	addStream(stream, independent) { this.#streams.set(stream, { end: this.#now, independent }); }
	removeStream(stream) { this.#streams.delete(stream); }

	#do(stream, engine, time) {
		const own = this.#streams.get(stream);
		const others = [...this.#streams.entries()].filter(([id, s]) => id !== stream && !s.independent && !own.independent && (stream === 0 || id === 0));
		const begin = Math.max(this.#now, own.end, engine ? this.#engines[engine] : 0, ...others.map(([, s]) => s.end));
		own.end = begin + time;
		if (engine)
			this.#engines[engine] = own.end;
		return own.end;
	}

	launched(stream, instructions) {
		this.#now += launchTime;
		this.#do(stream, 'kernel', 2_000 + instructions / instructionsPerNanosecond);
	}

	/** `way`: in, out, or within the device. */
	copied(stream, way, bytes) {
		this.#do(stream, way === 'within' ? 'kernel' : way, copyTime + bytes / (way === 'within' ? memorySpeed : busSpeed));
	}

	/** When what the stream was given until now ends. */
	mark(stream) { return this.#do(stream, null, 0); }
	waitFor(stream, time) {
		const own = this.#streams.get(stream);
		own.end = Math.max(own.end, time);
	}
	/** The host waits for a stream, a moment, or all. */
	join(stream) { this.until(this.#streams.get(stream).end); }
	until(time) { this.#now = Math.max(this.#now, time); }
	joinAll() { this.until(Math.max(...[...this.#streams.values()].map((s) => s.end))); }
	isDone(time) { return time <= this.#now; }
	endOf(stream) { return this.#streams.get(stream).end; }
}
