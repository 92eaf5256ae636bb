// LLVM's bitstream as a tree, to change single records and write them again: blocks { id, items }, records { code, ops, blob }.
// After LLVM's document "LLVM Bitcode File Format". What is written has no abbreviations but for blobs, and no places of other blocks.

const BLOCKINFO = 0, MODULE = 8, VALUE_SYMTAB = 14, METADATA = 15;
const FIXED = 1, VBR = 2, ARRAY = 3, CHAR6 = 4, BLOB = 5;
const char6 = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._';

/** The places of bodies, symbols and nodes, which writing changes. */
const isPlace = (block, { code }) => (block === MODULE && code === 13) || (block === METADATA && (code === 38 || code === 39));

class Reader {
	constructor(bytes) { this.bytes = bytes; this.at = 0; this.info = new Map(); }
	bits(n) {
		let v = 0n;
		for (let i = 0; i < n; i++, this.at++)
			v |= BigInt(this.bytes[this.at >> 3] >> (this.at & 7) & 1) << BigInt(i);
		return v;
	}
	vbr(n) {
		let v = 0n, piece, shift = 0n;
		do {
			piece = this.bits(n);
			v |= (piece & (1n << BigInt(n - 1)) - 1n) << shift;
			shift += BigInt(n - 1);
		} while (piece >> BigInt(n - 1));
		return v;
	}
	number(n) { return Number(this.vbr(n)); }
	align() { this.at = this.at + 31 & ~31; }
	abbreviation() {
		return Array.from({ length: this.number(5) }, () => {
			if (this.bits(1))
				return { literal: this.vbr(8) };
			const encoding = Number(this.bits(3));
			return { encoding, width: encoding === FIXED || encoding === VBR ? this.number(5) : 0 };
		});
	}
	scalar({ literal, encoding, width }) {
		if (literal !== undefined || !width && encoding !== CHAR6)
			return literal ?? 0n;
		return encoding === FIXED ? this.bits(width) : encoding === VBR ? this.vbr(width) : BigInt(char6.charCodeAt(Number(this.bits(6))));
	}
	abbreviated(kinds) {
		const ops = [];
		let blob;
		for (let i = 0; i < kinds.length; i++)
			if (kinds[i].encoding === ARRAY) {
				for (let n = this.number(6); n; n--)
					ops.push(this.scalar(kinds[i + 1]));
				break;
			} else if (kinds[i].encoding === BLOB) {
				const n = this.number(6);
				this.align();
				blob = this.bytes.subarray(this.at / 8, this.at / 8 + n);
				this.at += 8 * n;
				this.align();
			} else {
				ops.push(this.scalar(kinds[i]));
			}
		return { code: Number(ops.shift()), ops, blob };
	}
	/** Behind the number of the block. */
	block(id) {
		const width = this.number(4), items = [], kinds = [...this.info.get(id) ?? []];
		let target;
		this.align();
		this.at += 32;
		for (;;) {
			const entry = Number(this.bits(width));
			if (entry === 0) {
				this.align();
				return { id, items };
			} else if (entry === 1) {
				const inner = this.block(this.number(8));
				if (inner.id !== BLOCKINFO)
					items.push(inner);
			} else if (entry === 2) {
				(id === BLOCKINFO ? this.info.get(target) : kinds).push(this.abbreviation());
			} else {
				const record = entry > 3 ? this.abbreviated(kinds[entry - 4])
					: { code: this.number(6), ops: Array.from({ length: this.number(6) }, () => this.vbr(6)) };
				items.push(record);
				if (id === BLOCKINFO && record.code === 1)
					this.info.set(target = Number(record.ops[0]), this.info.get(target) ?? []);
			}
		}
	}
}

/** The blocks of a file. */
export function readBitstream(bytes) {
	const reader = new Reader(bytes), blocks = [];
	reader.at = 32;
	while (reader.at + 32 <= 8 * bytes.length && reader.bits(2) === 1n)
		blocks.push(reader.block(reader.number(8)));
	return blocks;
}

class Writer {
	bits = [];
	put(v, n) {
		for (let i = 0n; i < n; i++)
			this.bits.push(Number(BigInt(v) >> i & 1n));
	}
	vbr(v, n) {
		const more = 1n << BigInt(n - 1);
		let rest = BigInt(v);
		for (; rest >= more; rest >>= BigInt(n - 1))
			this.put(rest & more - 1n | more, n);
		this.put(rest, n);
	}
	align() {
		while (this.bits.length % 32)
			this.bits.push(0);
	}
	/** An abbreviation for the record alone: its code, its operands, the blob. */
	blob({ code, ops, blob }, abbreviation) {
		this.put(2, 6);
		this.vbr(ops.length + 2, 5);
		this.put(1, 1);
		this.vbr(code, 8);
		for (const _ of ops) {
			this.put(VBR << 1, 4);
			this.vbr(6, 5);
		}
		this.put(BLOB << 1, 4);
		this.put(abbreviation, 6);
		for (const op of [...ops, blob.length])
			this.vbr(op, 6);
		this.align();
		for (const byte of blob)
			this.put(byte, 8);
		this.align();
	}
	block({ id, items }, outer) {
		let abbreviation = 4;
		this.put(1, outer);
		this.vbr(id, 8);
		this.vbr(6, 4);
		this.align();
		const from = this.bits.length;
		this.put(0, 32);
		for (const item of items)
			if (item.items) {
				if (id !== MODULE || item.id !== VALUE_SYMTAB)
					this.block(item, 6);
			} else if (item.blob) {
				this.blob(item, abbreviation++);
			} else if (!isPlace(id, item)) {
				this.put(3, 6);
				for (const v of [item.code, item.ops.length, ...item.ops])
					this.vbr(v, 6);
			}
		this.put(0, 6);
		this.align();
		const words = (this.bits.length - from - 32) / 32;
		for (let i = 0; i < 32; i++)
			this.bits[from + i] = words >> i & 1;
	}
}

export function writeBitstream(blocks) {
	const writer = new Writer();
	writer.put(0xDEC04342, 32);
	for (const block of blocks)
		writer.block(block, 2);
	const bytes = Buffer.alloc(writer.bits.length / 8);
	writer.bits.forEach((bit, i) => bytes[i >> 3] |= bit << (i & 7));
	return bytes;
}

/** The first block or record of which `is` holds, and where it stands. */
export function find(blocks, is) {
	for (const [at, item] of blocks.entries()) {
		const inner = is(item) ? { item, at, list: blocks } : item.items && find(item.items, is);
		if (inner)
			return inner;
	}
}
