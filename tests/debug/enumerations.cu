#include "cuda.h"
enum Color { RED, GREEN = 5, BLUE };
enum class Big : unsigned long long { A = 0xffffffffffffffffull, B = 1 };
enum class Neg : signed char { M = -3, P = 3 };
K void k(Color *c, Big *b, Neg *n)
{
	Color t = *c;
	if (t == GREEN)
		*b = Big::A;
	else
		*n = Neg::M;
	*c = BLUE;
}
