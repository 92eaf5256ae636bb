/* libFuzzer target: any text or bitcode is read, verified, printed and read again. What was read without an error
 * must print to a text that is read without an error and prints the same.
 * Build and run: make fuzz-ir, make fuzz-bitcode (tests/fuzz/fuzz.mk). */
#include "ir/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void print(IrModule *m, Text *out, Session *s)
{
	text_init(out, &s->arena);
	ir_print_module(out, m, NULL);
}

/* Function by function: what is good that way is good. */
static bool check(Session *s, Str text)
{
	IrModule *m = ir_parse_to_check(s, text);
	if (m)
		ir_verify(m);
	return m && !s->diags.errors && ir_check_bodies(m);
}

static void round_trip(Session *s, Str text)
{
	bool checked = check(s, text);
	diags_clear(&s->diags);
	IrModule *m = ir_parse(s, text);
	if (m && !s->diags.errors)
		ir_verify(m);
	if (!m || s->diags.errors) {
		if (checked)
			abort();
		return;
	}
	Text first, second;
	print(m, &first, s);
	IrModule *again = ir_parse(s, text_str(&first));
	if (!again || s->diags.errors)
		abort();
	ir_verify(again);
	if (s->diags.errors)
		abort();
	print(again, &second, s);
	if (!str_eq(text_str(&first), text_str(&second)))
		abort();
	if (ir_hash_module(m) != ir_hash_module(again))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Session *s = malloc(sizeof *s);
	jmp_buf  out;
	session_init(s, 512u << 20);
	s->out = &out;
	if (setjmp(out) == 0)
		round_trip(s, (Str){(const char *)data, (u32)size});
	else if (!s->out_of_memory)
		abort();
	session_free(s);
	free(s);
	return 0;
}
