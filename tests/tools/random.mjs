// Random numbers that a seed fixes, the same on every host.

/** Numbers that a seed fixes: next() in [0, 2^32), below(n), pick(list), chance(p). (xorshift128) */
export class Random {
	#s;
	constructor(seed) {
		this.#s = [seed >>> 0, 0x9E3779B9, 0x243F6A88, 0xB7E15162];
		for (let i = 0; i < 16; i++)
			this.next();
	}
	next() {
		let t = this.#s[3];
		t ^= t << 11;
		t ^= t >>> 8;
		const s = this.#s[0];
		this.#s = [(t ^ s ^ (s >>> 19)) >>> 0, s, this.#s[1], this.#s[2]];
		return this.#s[0];
	}
	below(n) { return this.next() % n; }
	pick(list) { return list[this.below(list.length)]; }
	chance(p) { return this.next() < p * 2 ** 32; }
}
