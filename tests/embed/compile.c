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

static const char library[] = "define void @give(ptr %p) {\n"
			      "  store i32 42, ptr %p\n"
			      "  ret void\n"
			      "}\n";
static const char taker[] = "target triple = \"nvptx64-nvidia-cuda\"\n"
			    "declare void @give(ptr)\n"
			    "define ptx_kernel void @k(ptr %p) {\n"
			    "  call void @give(ptr %p)\n"
			    "  ret void\n"
			    "}\n";

/* A library of ps_compile, and of the emulator, which forgets it. */
static int compile_linked(void)
{
	const PsLibrary  libraries[] = {{"give.ll", library, sizeof library - 1}};
	PsCompileOptions o = {
		.size = sizeof o, .text = taker, .text_size = sizeof taker - 1, .libraries = libraries, .n_libraries = 1};
	PsCompilation *c;
	int            failed = expect_status(&o, &c, PS_STATUS_DONE, "a library was not linked");
	const char    *ptx = ps_compilation_ptx(c, NULL);
	failed |= expect(ptx && strstr(ptx, ", 42;") && !strstr(ptx, "call"), "the library's function was not inlined", c);
	ps_compilation_free(c);
	o.libraries = NULL;
	failed |= expect_status(&o, &c, PS_STATUS_USAGE, "a null pointer was read") | (c != NULL);
	PsEmulator *e = ps_emulator_new(0);
	uint32_t    p = 0;
	PsArg       args[] = {ps_pointer("p", 0)};
	PsLaunch    launch = {
		   .size = sizeof launch, .kernel = "k", .grid = {1, 1, 1}, .block = {1, 1, 1}, .args = args, .n_args = 1};
	failed |= ps_emulator_library(e, "give.ll", library, sizeof library - 1) != PS_STATUS_DONE;
	failed |= ps_emulator_load(e, "k.ll", taker, sizeof taker - 1, 0, NULL) != PS_STATUS_DONE;
	failed |= ps_emulator_buffer(e, "p", &p, sizeof p) != PS_STATUS_DONE;
	failed |= ps_emulator_launch(e, &launch, 0, NULL) != PS_STATUS_DONE || ps_emulator_run(e) != PS_RUN_DONE;
	failed |= ps_emulator_read(e, "p", 0, &p, sizeof p) != PS_STATUS_DONE || p != 42;
	ps_emulator_library(e, NULL, NULL, 0);
	const char *words[] = {"--link=give.ll"};
	failed |= ps_emulator_load(e, "k.ll", taker, sizeof taker - 1, 1, words) == PS_STATUS_DONE;
	ps_emulator_free(e);
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

int main(void) { return compile_good() | compile_bad() | compile_refused() | compile_linked() | compile_without_memory(); }
