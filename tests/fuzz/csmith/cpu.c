#include PROGRAM
#undef main
#undef printf
int printf(const char *, ...);

static uint32_t result[1 + KEPT];

int main(void)
{
	kept = result;
	csmith_main();
	for (int i = 0; i <= KEPT; i++)
		printf("%u\n", result[i]);
}
