// The math functions of CUDA's API: the largest error in units in the last place that NVIDIA documents (CUDA C++ Programming Guide,
// Mathematical Functions) for float and for double, and where random arguments lie.

/** name: [float, double, low, high]; `beyond`: from where on an absolute error counts instead, for float and for double. */
export const one = {
	sin: [2, 2, -1e5, 1e5], cos: [2, 2, -1e5, 1e5], tan: [4, 2, -1e5, 1e5], sinpi: [1, 2, -20, 20], cospi: [1, 2, -20, 20],
	asin: [2, 2, -1, 1], acos: [2, 2, -1, 1], atan: [2, 2, -30, 30],
	sinh: [3, 2, -90, 90], cosh: [2, 1, -90, 90], tanh: [2, 1, -12, 12], asinh: [3, 3, -1e3, 1e3], acosh: [4, 3, 1, 1e3], atanh: [3, 2, -1, 1],
	exp: [2, 1, -104, 89], exp2: [2, 1, -150, 129], exp10: [2, 1, -46, 39], expm1: [1, 1, -20, 89],
	log: [1, 1, 0, 10], log2: [1, 1, 0, 10], log10: [2, 1, 0, 10], log1p: [1, 1, -1, 10],
	cbrt: [1, 1, -1e9, 1e9], rcbrt: [1, 1, -1e9, 1e9], sqrt: [0.5, 0.5, 0, 1e9], rsqrt: [2, 1, 0, 1e9],
	erf: [2, 2, -6, 6], erfc: [4, 5, -6, 27], erfcx: [4, 4, -9, 30], erfinv: [2, 5, -1, 1], erfcinv: [4, 6, 0, 2],
	normcdf: [5, 5, -38, 6], normcdfinv: [5, 8, 0, 1], tgamma: [5, 10, -40, 40], lgamma: [6, 4, -2.2, 30],
	j0: [9, 7, -8, 8], j1: [9, 7, -8, 8], y0: [9, 7, 0, 8], y1: [9, 7, 0, 8], cyl_bessel_i0: [6, 6, -90, 90], cyl_bessel_i1: [6, 6, -90, 90],
	floor: [0, 0, -1e6, 1e6], ceil: [0, 0, -1e6, 1e6], trunc: [0, 0, -1e6, 1e6], round: [0, 0, -1e6, 1e6], rint: [0, 0, -1e6, 1e6],
	fabs: [0, 0, -9, 9], logb: [0, 0, -9, 9],
};
export const two = {
	pow: [4, 2, 0, 30], atan2: [3, 2, -100, 100], hypot: [3, 2, -1e6, 1e6], rhypot: [2, 1, -1e6, 1e6], fmod: [0, 0, -1e4, 1e4],
	remainder: [0, 0, -1e4, 1e4], fdim: [0.5, 0.5, -9, 9], fdivide: [2, 0.5, -9, 9], copysign: [0, 0, -9, 9], fmin: [0, 0, -9, 9], fmax: [0, 0, -9, 9],
};
/** Others: what is called of x, y, z, w, a and b (both of the type) and e (an int); f is the suffix of the type. The reference has the name. */
const finite = (x) => Number.isFinite(x), integer = (x) => Number.isInteger(x) && Math.abs(x) <= 300;
export const further = {
	norm3d: [3, 2, -1e6, 1e6, 'norm3d%(x, y, z)'], norm4d: [3, 2, -1e6, 1e6, 'norm4d%(x, y, z, w)'], rnorm3d: [2, 1, -1e6, 1e6, 'rnorm3d%(x, y, z)'], rnorm4d: [2, 1, -1e6, 1e6, 'rnorm4d%(x, y, z, w)'],
	fma: [0.5, 0.5, -9, 9, 'fma%(x, y, z)'], nearbyint: [0, 0, -1e6, 1e6, 'nearbyint%(x)'], nextafter: [0, 0, -9, 9, 'nextafter%(x, y)'],
	'sincos, sine': [2, 2, -1e5, 1e5, '(sincos%(x, &a, &b), a)'], 'sincos, cosine': [2, 2, -1e5, 1e5, '(sincos%(x, &a, &b), b)'],
	'sincospi, sine': [1, 2, -20, 20, '(sincospi%(x, &a, &b), a)'], 'sincospi, cosine': [1, 2, -20, 20, '(sincospi%(x, &a, &b), b)'],
	'frexp, fraction': [0, 0, -9, 9, 'frexp%(x, &e)'], 'frexp, exponent': [0, 0, -9, 9, '(frexp%(x, &e), e)', finite],
	'modf, fraction': [0, 0, -1e6, 1e6, 'modf%(x, &a)'], 'modf, whole': [0, 0, -1e6, 1e6, '(modf%(x, &a), a)'],
	'remquo, remainder': [0, 0, -1e4, 1e4, 'remquo%(x, y, &e)'], 'remquo, quotient': [0, 0, -1e4, 1e4, '(remquo%(x, y, &e), e % 8)', (x) => finite(x) && x !== 0 && Math.abs(x) > 1e-3 && Math.abs(x) < 1e6],
	ldexp: [0.5, 0.5, -9, 9, 'ldexp%(x, (int)y)', null, integer], scalbn: [0.5, 0.5, -9, 9, 'scalbn%(x, (int)y)', null, integer], scalbln: [0.5, 0.5, -9, 9, 'scalbln%(x, (long)y)', null, integer],
	ilogb: [0, 0, -9, 9, 'ilogb%(x)', (x) => finite(x) && x !== 0],
	...Object.fromEntries(['lrint', 'llrint', 'lround', 'llround'].map((name) => [name, [0, 0, -1e6, 1e6, `${name}%(x)`, (x) => Math.abs(x) < 2 ** 52]])),
};

/** Bessel functions above 8, and of other orders: the absolute error. */
export const absolute = {
	j0: [2.2e-6, 5e-12, 8, 1e5], j1: [2.2e-6, 5e-12, 8, 1e5], y0: [2.2e-6, 5e-12, 8, 1e5], y1: [2.2e-6, 5e-12, 8, 1e5],
	jn: [2.2e-6, 5e-12, -300, 300, 128], yn: [2.2e-6, 5e-12, 30, 300, 12],
};

export const special = [
	0, -0, 1, -1, 0.5, -0.5, 2, -2, 3, 10, Infinity, -Infinity, NaN, 1e-30, -1e-30, 1e22, 3e30, -3e30, 0.75, 0.999, 1 - 2 ** -24, 1 + 2 ** -23, 2 ** -149, -(2 ** -149),
	2 ** -126, 3.4028234663852886e38, -3.4028234663852886e38, 16, 64, -8.5, 1.5, -1.5, 2.5, 88.7, -87.4, -103.9, 1024, 709.7, -745.1, 171.6, 34.9, 1e308, 5e-324, 2 ** -1022,
];

/** Numbers between 0 and 1, the same in every run (splitmix64's upper bits). */
export function randoms(seed) {
	let state = BigInt(seed);
	return () => {
		state = BigInt.asUintN(64, state + 0x9E3779B97F4A7C15n);
		let z = state;
		z = BigInt.asUintN(64, (z ^ z >> 30n) * 0xBF58476D1CE4E5B9n);
		z = BigInt.asUintN(64, (z ^ z >> 27n) * 0x94D049BB133111EBn);
		return Number((z ^ z >> 31n) >> 11n) / 2 ** 53;
	};
}

/** Arguments: the special ones, half of the rest between low and high, the others of any exponent, as far as `keep` lets them. */
export function argumentsFor(bits, count, low, high, seed, keep = () => true, made = (x) => x) {
	const next = randoms(seed), round = bits === 32 ? Math.fround : (x) => x, out = special.map(round).filter((x) => keep(x)).slice(0, count);
	const span = bits === 32 ? 277 : 2098, least = bits === 32 ? -149 : -1074;
	while (out.length < count) {
		const x = made(round(out.length & 1 ? low + next() * (high - low) : (next() < 0.5 ? -1 : 1) * (1 + next()) * 2 ** (Math.floor(next() * span) + least)));
		if (keep(x))
			out.push(x);
	}
	return out;
}
