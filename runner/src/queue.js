// The queue in the process: bounded, fair, and nothing in it is more than an id.
//
// Each device class has a line per client; the clients take turns, so that somebody with a thousand jobs delays somebody with one by one
// job. A job that comes back (its worker died) goes to the front of its client's line.

/** No room: for the client (`own`), or at all. */
export class QueueFull extends Error {
	constructor(own, most) {
		super(own ? `at most ${most} of your jobs may wait at a time` : `${most} jobs are waiting already`);
		this.own = own;
	}
}

export class FairQueue {
	#lines = new Map(); // device class → Map of client → ids, in the order of their turns
	#waiting = 0;
	#of = new Map(); // client → how many wait

	constructor({ most = 1000, perClient = 100 } = {}) {
		this.most = most;
		this.perClient = perClient;
	}

	get length() { return this.#waiting; }

	/** Throws QueueFull. */
	push(deviceClass, client, id) {
		const own = this.#of.get(client) ?? 0;
		if (own >= this.perClient)
			throw new QueueFull(true, this.perClient);
		if (this.#waiting >= this.most)
			throw new QueueFull(false, this.most);
		this.#add(deviceClass, client, (line) => line.push(id));
	}

	/** A job that was taken and comes back; there is always room for it. */
	pushBack(deviceClass, client, id) {
		this.#add(deviceClass, client, (line) => line.unshift(id));
	}

	#add(deviceClass, client, put) {
		const lines = this.#lines.get(deviceClass) ?? new Map();
		const line = lines.get(client) ?? [];
		put(line);
		this.#lines.set(deviceClass, lines.set(client, line));
		this.#count(client, 1);
	}

	#count(client, by) {
		const n = (this.#of.get(client) ?? 0) + by;
		this.#waiting += by;
		if (n)
			this.#of.set(client, n);
		else
			this.#of.delete(client);
	}

	/** The next id of a device class; undefined: none waits. */
	take(deviceClass) {
		const lines = this.#lines.get(deviceClass);
		if (!lines?.size)
			return undefined;
		const [client, line] = lines.entries().next().value, id = line.shift();
		lines.delete(client);
		if (line.length)
			lines.set(client, line); // behind the others
		this.#count(client, -1);
		return id;
	}

	remove(deviceClass, client, id) {
		const lines = this.#lines.get(deviceClass), line = lines?.get(client), at = line?.indexOf(id) ?? -1;
		if (at < 0)
			return false;
		line.splice(at, 1);
		if (!line.length)
			lines.delete(client);
		this.#count(client, -1);
		return true;
	}

	/** How many jobs run before this one, with what is known now; -1: it does not wait. */
	position(deviceClass, client, id) {
		const lines = this.#lines.get(deviceClass), at = lines?.get(client)?.indexOf(id) ?? -1;
		if (at < 0)
			return -1;
		let before = at, own = false;
		for (const [other, line] of lines) {
			own ||= other === client;
			if (other !== client)
				before += Math.min(line.length, at + (own ? 0 : 1));
		}
		return before;
	}

	waiting(deviceClass) {
		return [...this.#lines.get(deviceClass)?.values() ?? []].reduce((n, line) => n + line.length, 0);
	}
}
