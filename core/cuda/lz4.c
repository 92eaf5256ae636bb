/* lz4.c: a decoder of LZ4's block format, as its public description has it: sequences of literals and of copies of what has been decoded.
 *
 * A token has two lengths of 4 bits, of which 15 goes on in the bytes that follow; a copy has a distance of 16 bits and is at least 4
 * bytes long. The last sequence has literals only. Linear in the output; every length is checked against what is there. */
#include "cuda/state.h"

#include <string.h>

typedef struct Input {
	const u8 *p, *end;
} Input;

/* The length that begins with 4 bits; false: it does not end. */
static bool length(Input *in, size_t *n)
{
	u8 more = 255;
	if (*n != 15)
		return true;
	while (more == 255) {
		if (in->p == in->end)
			return false;
		*n += more = *in->p++;
	}
	return true;
}

bool lz4_decode(const u8 *from, size_t n, u8 *to, size_t size)
{
	Input  in = {from, from + n};
	size_t at = 0;
	while (in.p < in.end) {
		u8     token = *in.p++;
		size_t literals = token >> 4, copy = token & 15;
		if (!length(&in, &literals) || literals > (size_t)(in.end - in.p) || literals > size - at)
			return false;
		memcpy(to + at, in.p, literals);
		at += literals;
		in.p += literals;
		if (in.p == in.end)
			break;
		if (in.end - in.p < 2)
			return false;
		size_t distance = (size_t)(in.p[0] | in.p[1] << 8);
		in.p += 2;
		if (!length(&in, &copy) || !distance || distance > at || copy + 4 > size - at)
			return false;
		for (size_t end = at + copy + 4; at < end; at++) /* the two may overlap */
			to[at] = to[at - distance];
	}
	return at == size;
}
