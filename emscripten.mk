# WASM build of ptxscope: `make -f emscripten.mk` builds build/wasm/ptxscope.wasm.
#   make -f emscripten.mk MODE=debug    assertions on, no optimisation  → build/wasm-debug/
#   make -f emscripten.mk unit          the unit tests of core on a 32-bit host: node build/wasm/unit/unit.js [NAME]
#
# One stand-alone module without generated glue: the loader is wasm/index.js, and the same file runs in a page, a worker
# and Node. All of core but the native entry is compiled in, with wasm/host.c as its entry.

MODE    ?= release
EMCC    ?= emcc
B       := build/wasm$(if $(filter debug,$(MODE)),-debug)

# Debian's emscripten finds its optimiser's JavaScript packages only here.
export NODE_PATH := /usr/share/nodejs$(if $(NODE_PATH),:$(NODE_PATH))

WERROR  ?= -Werror
# A size that narrows because size_t has 32 bits here is shown, but no reason to have no module at all.
WARN    := -Wall -Wextra -Wconversion -Wno-pass-failed $(WERROR) -Wno-error=shorten-64-to-32
STD     := -std=c11 -ffp-contract=off -fno-strict-aliasing
# Small rather than fast: it is fetched over a network, and compiling a kernel takes milliseconds either way. The emulator is fast.
CFLAGS_release := -Oz -flto -DNDEBUG
CFLAGS_debug   := -O0 -g

VERSION := $(shell sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' package.json 2>/dev/null | head -1)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)

CPPFLAGS := -Icore
# What every engine with WebAssembly exceptions and SIMD has, too, and what makes code smaller.
CFLAGS   := $(STD) $(WARN) $(CFLAGS_$(MODE)) -msign-ext -mbulk-memory -mnontrapping-fptoint -sSUPPORT_LONGJMP=wasm

# emcc is a Python program that starts clang; starting it takes three times as long as compiling one of these files. So it is asked
# once for clang's options. Where it does not say, it compiles every file itself.
ifndef CLANG
CLANG   := $(wildcard $(shell em-config LLVM_ROOT 2>/dev/null)/clang)
endif
EMFLAGS := $(if $(CLANG),$(shell EM_COMPILER_WRAPPER= $(EMCC) --cflags $(CFLAGS) 2>/dev/null))
COMPILE = $(if $(EMFLAGS),$(CLANG) $(EMFLAGS),$(EMCC) $(CFLAGS))

EXPORTS := ps_alloc ps_free ps_run ps_version ps_commit \
	$(addprefix ps_emulator_,free messages diagnostics library load text origin kernel launch_json progress result fault place blocks warp path register memory) \
	$(addprefix ps_emulator_,host_memory unmap printed kernel_named parameter variable) \
	emulator_new emulator_aim emulator_step emulator_steps emulator_map emulator_launch
comma   := ,
empty   :=
# Emscripten 3.1.6 knows imports of module "env" only, so those of wasm/host.c look undefined to it. A symbol that really is
# missing becomes an import that the loader does not offer: then nothing loads, and every test of the module fails.
# Arenas ask for few and large pieces: the small allocator serves them.
LDFLAGS := $(CFLAGS_$(MODE)) -sSUPPORT_LONGJMP=wasm -sSTANDALONE_WASM --no-entry -sMALLOC=emmalloc \
	-sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0 -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=16MB -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=2MB \
	-Wl,--export-table -Wl,--growable-table \
	-sEXPORTED_FUNCTIONS=$(subst $(empty) $(empty),$(comma),$(strip $(EXPORTS:%=_%)))

SRC     := $(filter-out core/cli/% core/threads/% core/cuda/% core/cudart/% core/nvrtc/%,$(wildcard core/*/*.c)) wasm/host.c
OBJ     := $(SRC:%.c=$(B)/obj/%.o)

.PHONY: all unit clean
.DELETE_ON_ERROR:
all: $(B)/ptxscope.wasm

# What the linker takes apart last is worth another look: 1,500 bytes of the compressed module. Looking until nothing changes saves
# 1,400 more, and takes half a minute.
AGAIN := wasm-opt -Oz --enable-exception-handling --enable-simd --enable-bulk-memory --enable-sign-ext --enable-mutable-globals --enable-nontrapping-float-to-int

$(B)/ptxscope.wasm: $(OBJ) emscripten.mk
	$(EMCC) $(LDFLAGS) -o $@ $(OBJ)
	$(if $(filter release,$(MODE)),if command -v wasm-opt >/dev/null; then $(AGAIN) $@ -o $@; fi)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) $(CPPFLAGS) -MMD -MP -c -o $@ $<

# The emulator spends its time in loops over lanes: there speed is worth its size. -Os would leave inline functions as calls, and -O3
# unrolls the loops before they could become vectors; of memory.c, -Os is as fast. Loops of vectors are no faster unrolled.
# Link-time optimisation would lose the vectors.
$(addprefix $(B)/obj/core/simt/,kernels.o exec.o memory.o memory_fast.o): COMPILE = $(EMCC) $(CFLAGS)
$(addprefix $(B)/obj/core/simt/,kernels.o exec.o memory.o memory_fast.o): CFLAGS += $(if $(filter release,$(MODE)),-O2 -msimd128 -finline-functions -fno-unroll-loops -fno-lto)
$(B)/obj/core/simt/memory.o: CFLAGS += $(if $(filter release,$(MODE)),-Os)

# The commit is baked into one object alone; it is rebuilt when the commit changes.
$(B)/obj/core/api/version.o: CPPFLAGS += -DPS_VERSION='"$(VERSION)"' -DPS_COMMIT='"$(COMMIT)"'
$(B)/obj/core/api/version.o: $(B)/commit-$(COMMIT)
$(B)/commit-$(COMMIT):
	@mkdir -p $(@D) && rm -f $(B)/commit-* && touch $@

include tests/unit/unit.mk
UNIT_WARN := -Wno-string-conversion

unit: $(B)/unit/unit.js

# Linked without optimisation, which would take longer than the tests.
$(B)/unit/unit.js: $(UNIT_OBJ) $(filter-out %/wasm/host.o,$(OBJ)) emscripten.mk
	@mkdir -p $(@D) && echo '{"type":"commonjs"}' >$(@D)/package.json
	$(EMCC) $(CFLAGS_$(MODE)) -O0 -sSUPPORT_LONGJMP=wasm -sALLOW_MEMORY_GROWTH -sTOTAL_STACK=8MB -sEXIT_RUNTIME -sNODERAWFS -sWASM_ASYNC_COMPILATION=0 -o $@ \
		$(filter %.o,$^)

clean:
	rm -rf $(B)

-include $(OBJ:.o=.d)
