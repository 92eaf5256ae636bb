#include PROGRAM

__attribute__((nvptx_kernel)) void k(uint32_t *out)
{
	kept = out;
	csmith_main();
}
