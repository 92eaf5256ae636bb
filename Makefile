# Native build of ptxscope: `make` builds build/native/ptxscope.
#   make MODE=debug    assertions, pass claims checked, no optimisation  → build/debug/
#   make MODE=asan     the same under AddressSanitizer and UBSan          → build/asan/
#   make threads       two emulators, two compilations, and launches of several jobs, under ThreadSanitizer
#   make WERROR=       for compilers whose warnings we have not seen
#   make cuda          CUDA's driver API and runtime on the emulator: build/cuda/libptxscope-cuda.so, libptxscope-cudart.so; NVRTC
#   make unit          unit tests of core (tests/unit/*.c), MODE as above; one alone: build/native/unit NAME

MODE    ?= native
CC      ?= cc
B       := build/$(MODE)

# Sanitizers make gcc see things: there, warnings are no errors.
WERROR  ?= $(if $(filter-out asan tsan,$(MODE)),-Werror)
WARN    := -Wall -Wextra -Wconversion $(WERROR)
STD     := -std=c11 -ffp-contract=off -fno-strict-aliasing
CFLAGS_native := -O2 -DNDEBUG
CFLAGS_debug  := -O0 -g
CFLAGS_asan   := -Og -g1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
CFLAGS_tsan   := -O1 -g1 -fsanitize=thread
LDFLAGS_asan   := -fsanitize=address,undefined
LDFLAGS_tsan   := -fsanitize=thread
# The tables are full of pointers: at a fixed address nothing has to be relocated when the program starts, and nothing has to be
# looked up where the C library is there to be linked statically. That is a twentieth of a small compilation, and a third of the time
# that a program with UBSan's tables takes to start.
LDFLAGS_native := $(shell echo 'int main(void) { return 0; }' | $(CC) -static -x c -o /dev/null - 2>/dev/null && echo -static)

VERSION := $(shell sed -n 's/.*"version": *"\([^"]*\)".*/\1/p' package.json 2>/dev/null | head -1)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)

CPPFLAGS := -Icore
CFLAGS   := $(STD) $(WARN) $(CFLAGS_$(MODE))
LDFLAGS  := $(LDFLAGS_$(MODE)) $(if $(filter native asan,$(MODE)),-no-pie)
LDLIBS   := -lm -lpthread
COMPILE   = $(CC) $(CFLAGS)

SRC      := $(filter-out core/cuda/% core/cudart/% core/nvrtc/%,$(wildcard core/*/*.c))
OBJ      := $(SRC:core/%.c=$(B)/obj/%.o)
LIB_OBJ  := $(filter-out $(B)/obj/cli/%,$(OBJ))

.PHONY: all cuda unit unit-program clean
.DELETE_ON_ERROR:
all: $(B)/ptxscope

$(B)/ptxscope: $(OBJ)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/libptxscope.a: $(LIB_OBJ)
	rm -f $@ && ar rcs $@ $^

$(B)/obj/%.o: core/%.c
	@mkdir -p $(@D)
	$(COMPILE) $(CPPFLAGS) -MMD -MP -c -o $@ $<

# The emulator spends its time in loops over lanes: those are worth vectorising. The reader and what it stands on are called most.
HOT := simt/kernels simt/kernels_avx2 simt/kernels_call simt/exec simt/memory simt/memory_fast $(patsubst core/%.c,%,$(wildcard core/base/*.c core/ir/*.c))
$(HOT:%=$(B)/obj/%.o): CFLAGS += $(if $(filter native,$(MODE)),-O3)

# Where the compiler happens to place the emulator's loops makes a fifth of the time of a product of matrices; aligned, it does not.
ALIGNED := -falign-functions=64 -falign-loops=32 -falign-jumps=32:17
LANES   := $(filter simt/%,$(HOT))
$(LANES:%=$(B)/obj/%.o): CFLAGS += $(if $(filter native,$(MODE)),$(shell echo 'int x;' | $(CC) -Werror $(ALIGNED) -x c -c -o /dev/null - 2>/dev/null && echo $(ALIGNED)))

# The commit is baked into one object alone; it is rebuilt when the commit changes.
$(B)/obj/api/version.o: CPPFLAGS += -DPS_VERSION='"$(VERSION)"' -DPS_COMMIT='"$(COMMIT)"'
$(B)/obj/api/version.o: $(B)/commit-$(COMMIT)
$(B)/commit-$(COMMIT):
	@mkdir -p $(@D) && rm -f $(B)/commit-* && touch $@

# A shared library out of the static one: compilers for distributions make position-independent code of the static one's objects, too.
# Where yours does not, the linker says so: make CC='cc -fPIE' cuda.
CUDA     := build/cuda$(if $(filter-out native,$(MODE)),-$(MODE))
CUDA_SRC := $(wildcard core/cuda/*.c)
CUDA_OBJ := $(CUDA_SRC:core/cuda/%.c=$(CUDA)/obj/%.o)

NVRTC := $(CUDA)/libptxscope-nvrtc13.so $(CUDA)/libptxscope-nvrtc12.so

cuda: $(CUDA)/libptxscope-cuda.so $(CUDA)/libptxscope-cudart.so $(CUDA)/libptxscope-cudart12.so $(NVRTC)

$(CUDA)/libptxscope-cuda.so: $(CUDA_OBJ) $(B)/libptxscope.a core/cuda/exports.map core/cuda/functions.def core/cuda/older.ld
	sed -n 's/^[A-Z]*([^,]*, *\([^,]*\), *[^,]*, *\(pt[ds][sz]\))$$/\1_\2 = \1;/p' core/cuda/functions.def | sort -u >$(CUDA)/aliases.ld
	$(CC) -shared $(LDFLAGS_$(MODE:native=shared)) -Wl,-soname,libcuda.so.1 -Wl,-Bsymbolic -Wl,--version-script=core/cuda/exports.map \
		-o $@.new $(CUDA_OBJ) $(CUDA)/aliases.ld core/cuda/older.ld $(B)/libptxscope.a -lm -lpthread
	mv $@.new $@ # programs may be loading the one before
	ln -sf libptxscope-cuda.so $(@D)/libcuda.so.1 && ln -sf libptxscope-cuda.so $(@D)/libcuda.so

CUDART_SRC := $(wildcard core/cudart/*.c)
CUDART_OBJ := $(CUDART_SRC:core/cudart/%.c=$(CUDA)/obj/cudart/%.o)

# The runtime's names have a version, as in NVIDIA's own library, which programs of nvcc ask for.
$(CUDA)/libptxscope-cudart.so: $(CUDART_OBJ) $(CUDA)/libptxscope-cuda.so core/cudart/exports.map core/cudart/functions.def
	sed -n 's/^FUNCTION(\([^,]*\), *\(pt[ds][sz]\))$$/\1_\2 = \1;/p; s/^MISSING(\([^,]*\), *\(pt[ds][sz]\))$$/\1_\2 = \1;/p' \
		core/cudart/functions.def >$(CUDA)/cudart-aliases.ld
	$(CC) -shared $(LDFLAGS_$(MODE:native=shared)) -Wl,-soname,libcudart.so.13 -Wl,-Bsymbolic -Wl,--version-script=core/cudart/exports.map \
		-Wl,-rpath,'$$ORIGIN' -o $@ $(CUDART_OBJ) $(CUDA)/cudart-aliases.ld $(CUDA)/libptxscope-cuda.so -lpthread
	ln -sf libptxscope-cudart.so $(@D)/libcudart.so.13

# The same for programs of CUDA 12, whose structures and names differ in part (core/cudart/twelve.h).
CUDART12_OBJ := $(CUDART_SRC:core/cudart/%.c=$(CUDA)/obj/cudart12/%.o)
$(CUDA)/libptxscope-cudart12.so: $(CUDART12_OBJ) $(CUDA)/libptxscope-cudart.so core/cudart/twelve.ld
	sed 's/libcudart\.so\.13/libcudart.so.12/' core/cudart/exports.map >$(CUDA)/cudart12-exports.map
	$(CC) -shared $(LDFLAGS_$(MODE:native=shared)) -Wl,-soname,libcudart.so.12 -Wl,-Bsymbolic -Wl,--version-script=$(CUDA)/cudart12-exports.map \
		-Wl,-rpath,'$$ORIGIN' -o $@ $(CUDART12_OBJ) $(CUDA)/cudart-aliases.ld core/cudart/twelve.ld $(CUDA)/libptxscope-cuda.so -lpthread
	ln -sf libptxscope-cudart12.so $(@D)/libcudart.so.12

$(CUDA)/obj/cudart12/%.o: core/cudart/%.c
	@mkdir -p $(@D)
	$(COMPILE) $(CPPFLAGS) -DPS_CUDART=12 -fPIC -MMD -MP -c -o $@ $<

# For programs that ask NVRTC for cubins: NVIDIA's is behind it.
$(NVRTC): $(CUDA)/libptxscope-nvrtc%.so: core/nvrtc/nvrtc.c core/nvrtc/functions.def core/nvrtc/exports.map
	@mkdir -p $(@D)/obj
	sed 's/libnvrtc\.so\.13/libnvrtc.so.$*/' core/nvrtc/exports.map >$(CUDA)/nvrtc$*-exports.map
	$(COMPILE) $(CPPFLAGS) -DPS_NVRTC=$* -fPIC -c -o $(CUDA)/obj/nvrtc$*.o $<
	$(CC) -shared $(LDFLAGS_$(MODE:native=shared)) -Wl,-soname,libnvrtc.so.$* -Wl,-Bsymbolic -Wl,--version-script=$(CUDA)/nvrtc$*-exports.map \
		-o $@ $(CUDA)/obj/nvrtc$*.o -ldl -lpthread
	ln -sf libptxscope-nvrtc$*.so $(@D)/libnvrtc.so.$*

# For programs that are linked statically, as under AddressSanitizer, whose objects are not position-independent.
$(CUDA)/libptxscope-cuda.a: $(CUDA_OBJ) $(CUDART_OBJ)
	rm -f $@ && ar rcs $@ $^

$(CUDA)/obj/cudart/%.o: core/cudart/%.c
	@mkdir -p $(@D)
	$(COMPILE) $(CPPFLAGS) -fPIC -MMD -MP -c -o $@ $<

$(CUDA)/obj/%.o: core/cuda/%.c
	@mkdir -p $(@D)
	$(COMPILE) $(CPPFLAGS) -fPIC -MMD -MP -c -o $@ $<

include tests/unit/unit.mk
# Compiling them takes longer than running them. Where a test catches a longjmp, gcc 12 takes loop counters for lost.
UNIT_WARN := -Wno-clobbered
$(UNIT_OBJ): CFLAGS += $(if $(filter native,$(MODE)),-O1)

# Calls on different objects may run at the same time (ptxscope.h).
.PHONY: threads
threads:
	$(MAKE) MODE=tsan build/tsan/threads
	build/tsan/threads examples saxpy reduce_shared histogram matmul_tiled atomic_lock bitonic_sort

$(B)/threads: tests/threads/threads.c $(B)/libptxscope.a
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# What tests run: the unit tests, and on Linux the program as a server of command lines (tests/tools/served.c).
unit-program: $(B)/unit $(if $(filter Linux,$(shell uname -s)),$(B)/served)
unit: $(B)/unit
	$(B)/unit

$(B)/unit: $(UNIT_OBJ) $(B)/libptxscope.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(B)/served: tests/tools/served.c core/cli/main.c $(B)/libptxscope.a
	@mkdir -p $(B)/tests
	$(CC) $(CPPFLAGS) $(CFLAGS) -Dmain=program_main -c -o $(B)/tests/program_main.o core/cli/main.c
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ tests/tools/served.c $(B)/tests/program_main.o $(B)/libptxscope.a $(LDLIBS)

# Reads modules over and over (npm run bench).
$(B)/bench-read: tests/bench/read.c $(B)/libptxscope.a
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

clean:
	rm -rf build

-include $(OBJ:.o=.d) $(CUDA_OBJ:.o=.d) $(CUDART_OBJ:.o=.d) $(CUDART12_OBJ:.o=.d)

include tests/fuzz/fuzz.mk
