#include "init.h"

#include <string.h>

static double f64_of(uint64_t bits)
{
	double v;
	memcpy(&v, &bits, sizeof v);
	return v;
}

/* binary64 to binary16, rounded once, to nearest even. */
static uint16_t half_of(double v)
{
	uint64_t bits;
	memcpy(&bits, &v, sizeof bits);
	uint64_t sign = bits >> 48 & 0x8000, mantissa = bits & 0xFFFFFFFFFFFFFu;
	int      exponent = (int)(bits >> 52 & 0x7FF) - 1023;
	if (exponent == 1024)
		return (uint16_t)(sign | (mantissa ? 0x7E00 : 0x7C00));
	if (exponent < -25)
		return (uint16_t)sign;
	/* The significand with its leading one, cut where binary16 ends: ten bits behind the point, fewer below 2^-14. */
	int      cut = exponent < -14 ? 42 + (-14 - exponent) : 42;
	uint64_t whole = mantissa | (uint64_t)1 << 52, kept = whole >> cut, rest = whole & (((uint64_t)1 << cut) - 1),
		 half = (uint64_t)1 << (cut - 1);
	if (rest > half || (rest == half && (kept & 1)))
		kept++;
	uint64_t out = exponent < -14 ? kept : ((uint64_t)(exponent + 15) << 10) + kept - 0x400;
	return (uint16_t)(sign | (out > 0x7C00 ? 0x7C00 : out));
}

static void put_float(uint8_t *to, ElementType type, double v)
{
	float    single = (float)v;
	uint16_t half = half_of(v);
	if (type == E_F64)
		memcpy(to, &v, sizeof v);
	else if (type == E_F32)
		memcpy(to, &single, sizeof single);
	else
		memcpy(to, &half, sizeof half);
}

static uint64_t splitmix64(uint64_t seed, uint64_t i)
{
	uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static uint64_t integer(const Init *init, uint64_t i)
{
	const uint64_t *v = init->value;
	if (init->kind == INIT_LINEAR)
		return v[0] + v[1] * i;
	uint64_t span = v[2] - v[1] + 1, z = splitmix64(v[0], i);
	return v[1] + (span ? z % span : z);
}

/* Built with -ffp-contract=off: a product is rounded before it is added to. */
static double floating(const Init *init, uint64_t i)
{
	if (init->kind == INIT_LINEAR) {
		double step = f64_of(init->value[1]) * (double)i;
		return f64_of(init->value[0]) + step;
	}
	double least = f64_of(init->value[1]), range = f64_of(init->value[2]) - least;
	double product = (double)(splitmix64(init->value[0], i) >> 11) * 0x1p-53 * range;
	return least + product;
}

void init_fill(uint8_t *to, ElementType type, uint64_t count, const Init *init)
{
	size_t bytes = element_bytes(type);
	for (uint64_t i = 0; i < count; i++, to += bytes) {
		if (init->kind == INIT_ZERO) {
			memset(to, 0, bytes);
		} else if (init->kind == INIT_CONSTANT) {
			memcpy(to, &init->value[0], bytes);
		} else if (element_is_float(type)) {
			put_float(to, type, floating(init, i));
		} else {
			uint64_t v = integer(init, i);
			memcpy(to, &v, bytes);
		}
	}
}
