/* compile.c: a program of its own that compiles LLVM IR through the public header alone: the PTX and what each pass
 * left of a good input, the diagnostics of a bad one, as records.
 *
 *	cc -I core/api tests/embed/compile.c build/native/libptxscope.a -lm */
#include "ptxscope.h"

#include <stdio.h>
#include <string.h>

static const char good[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
			   "define ptx_kernel void @twice(ptr addrspace(1) %p) {\n"
			   "  %v = load i32, ptr addrspace(1) %p\n"
			   "  %w = add i32 %v, %v\n"
			   "  store i32 %w, ptr addrspace(1) %p\n"
			   "  ret void\n"
			   "}\n";

static const char bad[] = "define void @f() {\n"
			  "  %x = add i32 %nobody, 1\n"
			  "  ret void\n"
			  "}\n";

static int expect(bool holds, const char *what, const PsCompilation *c)
{
	if (!holds)
		fprintf(stderr, "%s\n%s", what, ps_compilation_messages(c));
	return !holds;
}

static int expect_status(const PsCompileOptions *o, PsCompilation **c, PsStatus status, const char *what)
{
	PsStatus got = ps_compile(o, c);
	return expect(got == status, what, *c);
}

static int compile_good(void)
{
	const PsKnob     knobs[] = {{"disable-dce", "true"}};
	PsCompileOptions o = {.size = sizeof o, .text = good, .text_size = sizeof good - 1, .target = "sm_90", .ptx = 85};
	PsCompilation   *c;
	PsStage          stage;
	size_t           size, n = 0;
	o.level = PS_O2;
	o.knobs = knobs;
	o.n_knobs = 1;
	o.stages = true;
	if (expect_status(&o, &c, PS_STATUS_DONE, "no success"))
		return 1;
	const char *ptx = ps_compilation_ptx(c, &size);
	int         failed = expect(size == strlen(ptx) && strstr(ptx, ".target sm_90") && strstr(ptx, ".version 8.5"), ptx, c);
	for (size_t i = 0; ps_compilation_stage(c, i, &stage); i++, n++) {
		const char *text = ps_compilation_stage_text(c, i, &size);
		failed |= expect(text != NULL, "a stage without a text", c);
		if (i < 2)
			printf("%s of '%s', %s, %s\n", stage.id, stage.function, stage.level == PS_LEVEL_IR ? "IR" : "MIR",
			       stage.changed ? "changed" : "unchanged");
	}
	failed |= expect(n > 20 && stage.level == PS_LEVEL_MIR, "stages are missing", c);
	ps_compilation_free(c);
	return failed;
}

static int compile_bad(void)
{
	static const char *const severity[] = {[PS_NOTE] = "note", [PS_WARNING] = "warning", [PS_ERROR] = "error"};
	PsCompileOptions         o = {.size = sizeof o, .text = bad, .text_size = sizeof bad - 1, .name = "bad.ll"};
	PsCompilation           *c;
	PsDiagnostic             d;
	int                      failed = expect_status(&o, &c, PS_STATUS_INPUT, "errors were not found");
	failed |= expect(!ps_compilation_ptx(c, NULL), "there is PTX", c);
	for (size_t i = 0; ps_compilation_diagnostic(c, i, &d); i++)
		printf("%s %s at %u:%u to %u:%u: %s\n", severity[d.severity], d.code, d.line, d.col, d.end_line, d.end_col,
		       d.message);
	printf("%s", ps_compilation_messages(c));
	ps_compilation_free(c);
	return failed;
}

/* Options that are at fault, and memory that does not suffice. */
static int compile_refused(void)
{
	const PsKnob     unknown[] = {{"o", "/tmp/file"}};
	PsCompileOptions o = {.size = sizeof o, .text = good, .text_size = sizeof good - 1, .knobs = unknown, .n_knobs = 1};
	PsCompilation   *c;
	int              failed = expect_status(&o, &c, PS_STATUS_USAGE, "a word that is no knob was taken");
	printf("%s", ps_compilation_messages(c));
	ps_compilation_free(c);
	o.n_knobs = 0;
	o.target = "sm_1";
	failed |= expect_status(&o, &c, PS_STATUS_USAGE, "a target that is none was taken");
	ps_compilation_free(c);
	o.target = NULL;
	o.text = NULL;
	failed |= expect_status(&o, &c, PS_STATUS_USAGE, "a null pointer was read") | (c != NULL);
	o.text = good;
	o.size = 0;
	failed |= expect_status(&o, &c, PS_STATUS_USAGE, "no options were taken") | (c != NULL);
	o.size = sizeof(size_t) + sizeof(char *) + sizeof(size_t) + sizeof(char *); /* up to `name`: an older header */
	o.target = "ignored";
	failed |= expect_status(&o, &c, PS_STATUS_DONE, "fields behind `size` were read");
	ps_compilation_free(c);
	ps_compilation_free(NULL);
	return failed;
}

static int compile_without_memory(void)
{
	static char      text[1 << 20];
	PsCompileOptions o = {.size = sizeof o, .text = text, .memory_cap = 1};
	PsCompilation   *c;
	for (int k = 0; k < 10000; k++)
		o.text_size += (size_t)sprintf(text + o.text_size, "define void @f%d() {\n  ret void\n}\n", k);
	int failed = expect_status(&o, &c, PS_STATUS_MEMORY, "it fits");
	printf("%s", ps_compilation_messages(c));
	ps_compilation_free(c);
	return failed;
}

int main(void) { return compile_good() | compile_bad() | compile_refused() | compile_without_memory(); }
