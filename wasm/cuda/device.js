// The device that a program finds: what CUDA documents of its generation, on a chip of 16 multiprocessors.

const KB = 1024;
/** From a generation on: threads and blocks of a multiprocessor, its shared memory, and what a block may have of it at most. */
const generations = [
	[120, 1536, 24, 100, 99], [100, 2048, 32, 228, 227], [90, 2048, 32, 228, 227], [89, 1536, 24, 100, 99], [87, 1536, 16, 164, 163], [86, 1536, 16, 100, 99],
	[80, 2048, 32, 164, 163], [75, 1024, 16, 64, 64], [70, 2048, 32, 96, 96], [50, 2048, 32, 64, 48], [0, 2048, 16, 48, 48],
];

export function deviceOf(target) {
	const sm = Number(/\d+/.exec(target)?.[0] ?? 75);
	const [, threads, blocks, shared, optIn] = generations.find(([from]) => sm >= from);
	return {
		major: Math.floor(sm / 10), minor: sm % 10, threads, blocks, shared: shared * KB, sharedOfBlock: 48 * KB, sharedAtMost: optIn * KB, multiprocessors: 16,
		memory: 0x4000_0000,
	};
}

/** cudaDeviceAttr → value. */
export const attributesOf = (d) => new Map([
	[1, 1024], [2, 1024], [3, 1024], [4, 64], [5, 2147483647], [6, 65535], [7, 65535], [8, d.sharedOfBlock], [9, 64 * KB], [10, 32], [11, 2147483647],
	[12, 65536], [13, 1_500_000], [14, 512], [16, d.multiprocessors], [17, 0], [18, 0], [19, 1], [20, 0], [31, 1], [32, 0], [36, 8_000_000], [37, 256],
	[38, 4 * KB * KB], [39, d.threads], [40, 2], [41, 1], [75, d.major], [76, d.minor], [78, 1], [81, d.shared], [82, 65536], [83, 1], [88, 0], [89, 1],
	[95, 1], [97, d.sharedAtMost], [106, d.blocks],
]);
