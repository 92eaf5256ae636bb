# WASM build of ptxscope: `make -f emscripten.mk` builds build/wasm/ptxscope.wasm.
#   make -f emscripten.mk MODE=debug    assertions on, no optimisation  → build/wasm-debug/
#
# One stand-alone module without generated glue: the loader is wasm/index.js, and the same file runs in a page, a worker
# and Node. All of core but the native entry is compiled in, with wasm/host.c as its entry.

MODE    ?= release
EMCC    ?= emcc
B       := build/wasm$(if $(filter debug,$(MODE)),-debug)

# Debian's emscripten finds its optimiser's JavaScript packages only here.
export NODE_PATH := /usr/share/nodejs$(if $(NODE_PATH),:$(NODE_PATH))

WERROR  ?= -Werror
WARN    := -Wall -Wextra -Wconversion $(WERROR)
STD     := -std=c11 -ffp-contract=off -fno-strict-aliasing
CFLAGS_release := -O2 -DNDEBUG
CFLAGS_debug   := -O0 -g

VERSION := $(shell sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' package.json 2>/dev/null | head -1)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)

CPPFLAGS := -Icore
CFLAGS   := $(STD) $(WARN) $(CFLAGS_$(MODE)) -sSUPPORT_LONGJMP=wasm

EXPORTS := ps_alloc ps_free ps_run ps_version ps_commit
comma   := ,
empty   :=
# Emscripten 3.1.6 knows imports of module "env" only, so the four of wasm/host.c look undefined to it. A symbol that really is
# missing becomes an import that the loader does not offer: then nothing loads, and every test of the module fails.
LDFLAGS := $(CFLAGS_$(MODE)) -sSUPPORT_LONGJMP=wasm -sSTANDALONE_WASM --no-entry \
	-sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0 -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=16MB -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=2MB \
	-sEXPORTED_FUNCTIONS=$(subst $(empty) $(empty),$(comma),$(strip $(EXPORTS:%=_%)))

SRC     := $(filter-out core/cli/%,$(wildcard core/*/*.c)) wasm/host.c
OBJ     := $(SRC:%.c=$(B)/obj/%.o)

.PHONY: all clean
.DELETE_ON_ERROR:
all: $(B)/ptxscope.wasm

$(B)/ptxscope.wasm: $(OBJ) emscripten.mk
	$(EMCC) $(LDFLAGS) -o $@ $(OBJ)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(EMCC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# The commit is baked into one object alone; it is rebuilt when the commit changes.
$(B)/obj/core/api/version.o: CPPFLAGS += -DPS_VERSION='"$(VERSION)"' -DPS_COMMIT='"$(COMMIT)"'
$(B)/obj/core/api/version.o: $(B)/commit-$(COMMIT)
$(B)/commit-$(COMMIT):
	@mkdir -p $(@D) && rm -f $(B)/commit-* && touch $@

clean:
	rm -rf $(B)

-include $(OBJ:.o=.d)
