# The unit tests of core, tests/unit/*.c, as one program that runs all of them or the one named: each file's main becomes a function.
# Included by Makefile and emscripten.mk, which say how to compile (COMPILE) and how to link.

UNIT     := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c))
UNIT_OBJ := $(UNIT:%=$(B)/tests/%.o) $(B)/tests/main/unit.o

$(B)/tests/%.o: tests/unit/%.c
	@mkdir -p $(@D)
	$(COMPILE) $(CPPFLAGS) -Itests/unit -Dmain=unit_$* $(UNIT_WARN) -MMD -MP -c -o $@ $<

$(B)/tests/main/unit.c: $(wildcard tests/unit/*.c) tests/unit/unit.mk
	@mkdir -p $(@D)
	@{ echo '#include <stdio.h>'; echo '#include <string.h>'; \
	$(foreach u,$(UNIT),echo 'int unit_$(u)(int argc, char **argv);';) \
	echo 'int main(int argc, char **argv)'; echo '{'; echo '	int failed = 0;'; \
	$(foreach u,$(UNIT),echo '	if (argc > 1 && strcmp(argv[1], "$(u)") == 0) return unit_$(u)(argc - 1, argv + 1);';) \
	echo '	if (argc > 1) { puts("no file of unit tests has that name"); return 2; }'; \
	$(foreach u,$(UNIT),echo '	puts("# $(u)"); failed |= unit_$(u)(1, argv);';) \
	echo '	return failed;'; echo '}'; } >$@

$(B)/tests/main/unit.o: $(B)/tests/main/unit.c
	$(COMPILE) -c -o $@ $<

-include $(UNIT_OBJ:.o=.d)
