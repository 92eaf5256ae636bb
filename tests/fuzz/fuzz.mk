# make fuzz-ir [FUZZ_SECONDS=1800]   libFuzzer (clang-19, ASan and UBSan) over the reader of LLVM IR, seeded
# from examples/ and tests/; what it finds lies in build/fuzz/ir/.

FUZZ_CC      ?= clang-19
FUZZ_SECONDS ?= 1800
FUZZ_JOBS    ?= 2
# Seconds of one input that are a finding: far more than any takes, also where the machine does other things.
FUZZ_TIMEOUT ?= 20
FUZZ_SRC     := $(wildcard core/base/*.c core/config/*.c core/sem/*.c core/graph/*.c core/isa/*.c core/ir/*.c)
FUZZ_SEEDS   ?= $(wildcard examples/*.ll tests/ir/*.ll tests/ir/bad/*.ll)

FUZZ_FLAGS   := -std=c11 -O1 -g -fno-strict-aliasing -ffp-contract=off -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all

# $(call copy_seeds,FILES,FOLDER): under names that hold their folders, as two folders may have a file of one name.
copy_seeds = @mkdir -p $(2) && $(foreach seed,$(1),cp $(seed) $(2)/$(subst /,-,$(seed)) &&) true

build/fuzz/ir-fuzz: tests/fuzz/ir.c $(FUZZ_SRC) $(wildcard core/*/*.h core/*/*.def)
	@mkdir -p $(@D)
	$(FUZZ_CC) -Icore $(FUZZ_FLAGS) -o $@ tests/fuzz/ir.c $(FUZZ_SRC) -lm

.PHONY: fuzz-ir
fuzz-ir: build/fuzz/ir-fuzz
	@mkdir -p build/fuzz/ir/corpus
	$(call copy_seeds,$(FUZZ_SEEDS),build/fuzz/ir/seeds)
	cd build/fuzz/ir && ../ir-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 -max_len=20000 \
		-dict=../../../tests/fuzz/ir.dict -jobs=$(FUZZ_JOBS) -workers=$(FUZZ_JOBS) corpus seeds

# make fuzz-bitcode [FUZZ_SECONDS=1800]   the same program on bitcode; finds lie in build/fuzz/bitcode/.
.PHONY: fuzz-bitcode
fuzz-bitcode: build/fuzz/ir-fuzz
	@mkdir -p build/fuzz/bitcode/corpus
	$(call copy_seeds,$(wildcard tests/bitcode/*.bc),build/fuzz/bitcode/seeds)
	cd build/fuzz/bitcode && ../ir-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 -max_len=20000 \
		-jobs=$(FUZZ_JOBS) -workers=$(FUZZ_JOBS) corpus seeds

# make fuzz-compile [FUZZ_SECONDS=1800]   the same over all of `ptxscope compile`; finds lie in build/fuzz/compile/.
FUZZ_OBJ   := $(patsubst core/%.c,build/fuzz/obj/%.o,$(filter-out core/cli/% core/cuda/% core/cudart/% core/nvrtc/%,$(wildcard core/*/*.c)))

build/fuzz/obj/%.o: core/%.c
	@mkdir -p $(@D)
	$(FUZZ_CC) -Icore $(FUZZ_FLAGS) -MMD -MP -c -o $@ $<

-include $(FUZZ_OBJ:.o=.d)

build/fuzz/obj/api/version.o: FUZZ_FLAGS += -DPS_VERSION='"0"' -DPS_COMMIT='"0"'

build/fuzz/compile-fuzz: tests/fuzz/compile.c $(FUZZ_OBJ)
	$(FUZZ_CC) -Icore $(FUZZ_FLAGS) -o $@ $^ -lm

.PHONY: fuzz-compile
fuzz-compile: build/fuzz/compile-fuzz
	@mkdir -p build/fuzz/compile/corpus
	$(call copy_seeds,$(FUZZ_SEEDS) $(wildcard tests/dag/*.ll tests/ptx/*.ll tests/opt/*.ll),build/fuzz/compile/seeds)
	cd build/fuzz/compile && ../compile-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 -max_len=20000 \
		-dict=../../../tests/fuzz/ir.dict -jobs=$(FUZZ_JOBS) -workers=$(FUZZ_JOBS) corpus seeds

# make fuzz-ptx [FUZZ_SECONDS=1800]   any text as PTX, and its kernels executed under a budget of steps; finds lie in build/fuzz/ptx/.
build/fuzz/ptx-fuzz: tests/fuzz/ptx.c $(FUZZ_OBJ)
	$(FUZZ_CC) -Icore $(FUZZ_FLAGS) -o $@ $^ -lm

.PHONY: fuzz-ptx
fuzz-ptx: build/fuzz/ptx-fuzz $(B)/ptxscope
	@mkdir -p build/fuzz/ptx/corpus
	node tests/fuzz/seeds.mjs build/fuzz/ptx/seeds build/fuzz/ptx/dict
	cd build/fuzz/ptx && ../ptx-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 -max_len=20000 \
		-dict=dict -jobs=$(FUZZ_JOBS) -workers=$(FUZZ_JOBS) corpus seeds

# make fuzz-launch, fuzz-variables, fuzz-images, fuzz-calls, fuzz-api [FUZZ_SECONDS=1800]   the same over the emulator: libFuzzer's
# bytes decide what a generator makes (tests/fuzz/emulator/). Finds lie in build/fuzz/NAME/; FUZZ_SHOW=1 build/fuzz/NAME-fuzz FILE
# prints one. build/MODE/fuzz-NAME is the same generator with random bytes.
FUZZ_EMULATOR   := launch variables images calls api
FUZZ_GENERATORS := $(addprefix tests/fuzz/emulator/,main.c ptx.c json.c) tests/fuzz/shared/choice.c tests/fuzz/shared/shared.c
FUZZ_WRAP_api   := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
FUZZ_HEADERS    := $(wildcard tests/fuzz/emulator/*.h tests/fuzz/shared/*.h)

$(FUZZ_EMULATOR:%=build/fuzz/%-fuzz): build/fuzz/%-fuzz: tests/fuzz/emulator/%.c $(FUZZ_GENERATORS) $(FUZZ_OBJ) $(FUZZ_HEADERS)
	$(FUZZ_CC) -Icore $(FUZZ_FLAGS) -DPS_LIBFUZZER $(FUZZ_WRAP_$*) -o $@ $(filter %.c %.o,$^) -lm

.PHONY: $(FUZZ_EMULATOR:%=fuzz-%)
$(FUZZ_EMULATOR:%=fuzz-%): fuzz-%: build/fuzz/%-fuzz
	@mkdir -p build/fuzz/$*/corpus build/fuzz/$*/seeds
	@for i in 1 2 3 4 5 6 7 8 9; do head -c $${i}00 /dev/urandom > build/fuzz/$*/seeds/$$i; done
	cd build/fuzz/$* && ../$*-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 -max_len=3000 -len_control=0 \
		-jobs=$(FUZZ_JOBS) -workers=$(FUZZ_JOBS) corpus seeds

$(FUZZ_EMULATOR:%=$(B)/fuzz-%): $(B)/fuzz-%: tests/fuzz/emulator/%.c $(FUZZ_GENERATORS) $(B)/libptxscope.a $(FUZZ_HEADERS)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(FUZZ_WRAP_$*) -o $@ $(filter %.c,$^) $(B)/libptxscope.a $(LDLIBS)

# build/MODE/fuzz-kernels: random kernels through every stage (npm run fuzz -- kernels).
FUZZ_SHARED  := $(wildcard tests/fuzz/shared/*.c)
FUZZ_KERNELS := $(wildcard tests/fuzz/kernels/*.c) $(FUZZ_SHARED)

$(B)/fuzz-kernels: $(FUZZ_KERNELS) $(wildcard tests/fuzz/kernels/*.h tests/fuzz/shared/*.h) $(B)/libptxscope.a
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(FUZZ_KERNELS) $(B)/libptxscope.a $(LDLIBS)

# build/MODE/fuzz-mutants: mutants of valid IR through the whole compile path (npm run fuzz -- mutants).
FUZZ_MUTANTS := $(wildcard tests/fuzz/mutants/*.c) $(FUZZ_SHARED)

$(B)/fuzz-mutants: $(FUZZ_MUTANTS) $(wildcard tests/fuzz/mutants/*.h tests/fuzz/shared/*.h) $(B)/libptxscope.a
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(FUZZ_MUTANTS) $(B)/libptxscope.a $(LDLIBS)

unit-program: $(B)/fuzz-kernels $(B)/fuzz-mutants $(FUZZ_EMULATOR:%=$(B)/fuzz-%)

# make fuzz-driver [FUZZ_SECONDS=1800] [FUZZ_SEED=1]: random sequences of calls of CUDA's driver API, under ASan and UBSan.
build/fuzz/driver-fuzz: tests/fuzz/driver.c
	@mkdir -p $(@D)
	$(MAKE) MODE=asan build/cuda-asan/libptxscope-cuda.a build/asan/libptxscope.a
	$(CC) -std=c11 -D_GNU_SOURCE -g -Icore -fsanitize=address,undefined -fno-sanitize-recover=all -o $@ tests/fuzz/driver.c \
		build/cuda-asan/libptxscope-cuda.a build/asan/libptxscope.a -lm -lpthread

.PHONY: fuzz-driver build/fuzz/driver-fuzz
fuzz-driver: build/fuzz/driver-fuzz
	build/fuzz/driver-fuzz --seconds=$(FUZZ_SECONDS) --seed=$(or $(FUZZ_SEED),1) 2>build/fuzz/driver.err || (tail -40 build/fuzz/driver.err && false)
