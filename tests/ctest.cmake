# ctest.cmake: the list of tests.  A file that is dropped into a folder is a test; this needs no edit.
#
# ctest reads it through the build's CTestTestfile.cmake, which sets UFC_BUILD, UFC_CC, UFC_SANITIZE.
# Labels: lang err rt fault golden num numpy python examples gpu sim ptx growth fuzz cli modes zoo man rules
# long.

set(TESTS "${CMAKE_CURRENT_LIST_DIR}")
set(RUN "${TESTS}/run")
set(ENVIRONMENT "UFC=${UFC_BUILD}/ufc;UFC_BUILD=${UFC_BUILD};CC=${UFC_CC};UFC_SANITIZE=${UFC_SANITIZE}")
list(APPEND ENVIRONMENT UFC_CACHE=0) # code is made, not what a test before this one has left

# new_test(NAME LABELS SECONDS COMMAND...)
# A sanitizer's programs have four times as long.
set(times 1)
if(UFC_SANITIZE)
    set(times 4)
endif()
macro(new_test name labels seconds)
    add_test("${name}" ${ARGN})
    math(EXPR most "${seconds} * ${times}")
    set_tests_properties("${name}" PROPERTIES LABELS "${labels}" TIMEOUT ${most} SKIP_RETURN_CODE 77
        ENVIRONMENT "${ENVIRONMENT}")
endmacro()

# The language: calls and diagnostics.
foreach(kind lang err)
    file(GLOB files "${TESTS}/${kind}/*.uf")
    foreach(file ${files})
        get_filename_component(name "${file}" NAME_WE)
        new_test("${kind}/${name}" ${kind} 120 "${RUN}" ${kind} "${file}")
        if(kind STREQUAL "lang")
            new_test("gpu/${name}" "gpu;lang" 300 "${RUN}" lang "${file}" cuda)
            new_test("sim/${name}" "sim;lang" 120 "${RUN}" lang "${file}" sim)
        endif()
    endforeach()
endforeach()

# The runtime.
file(GLOB files "${TESTS}/rt/*.c")
foreach(file ${files})
    get_filename_component(name "${file}" NAME_WE)
    if(name MATCHES "^big")
        new_test("rt/${name}" "rt;long" 600 "${RUN}" c "${file}")
    elseif(name MATCHES "^gpu")
        new_test("rt/${name}" "rt;gpu" 300 "${RUN}" gpu "${file}")
        new_test("rt/${name}-fake" rt 300 "${RUN}" fake "${file}")
        set_tests_properties("rt/${name}" "rt/${name}-fake" PROPERTIES RESOURCE_LOCK "${file}")
    elseif(name MATCHES "_gpu$") # the fake driver will not do
        new_test("rt/${name}" "rt;gpu" 300 "${RUN}" gpu "${file}")
    elseif(name MATCHES "^(fault|allocations)") # each call of the system, each allocation fails
        new_test("rt/${name}" "rt;fault" 300 "${RUN}" c "${file}")
    else()
        new_test("rt/${name}" rt 300 "${RUN}" c "${file}")
    endif()
endforeach()

new_test(rt/dlpack rt 60 "${TESTS}/dlpack")
new_test(rt/link rt 60 "${TESTS}/link")
new_test(rt/nvtx rt 60 "${TESTS}/nvtx")
new_test(rt/terse rt 120 "${TESTS}/terse")

# on_devices(NAME LABEL PROGRAM [FILE]): with each level of host code, on the fake driver, in the
# simulator, on a GPU.
macro(on_devices name label program)
    foreach(level v2 v3 v4)
        new_test(${name}-${level} ${label} 600 env UFC_LEVEL=${level} "${RUN}" c "${program}"
            --device=cpu ${ARGN})
    endforeach()
    new_test(${name}-fake ${label} 600 "${RUN}" fake "${program}" --device=cuda ${ARGN})
    new_test(${name}-sim "${label};sim" 600 "${RUN}" c "${program}" --device=sim ${ARGN})
    new_test(${name}-gpu "${label};gpu" 600 "${RUN}" c "${program}" --device=cuda ${ARGN})
    foreach(how v2 v3 v4 fake sim gpu)
        set_tests_properties(${name}-${how} PROPERTIES FIXTURES_REQUIRED "${program}"
            ENVIRONMENT "${ENVIRONMENT};UFC_BUILT=1")
    endforeach()
endmacro()

# The Python package.
file(GLOB files "${TESTS}/python/*.py")
foreach(file ${files})
    get_filename_component(name "${file}" NAME_WE)
    if(name MATCHES "^big")
        new_test("python/${name}" "python;long" 1800 "${RUN}" python "${file}")
    else()
        new_test("python/${name}" python 300 "${RUN}" python "${file}")
    endif()
endforeach()
new_test(python/bare "python;long" 1800 "${TESTS}/bare")
# These load what the golden files call, which the first of them makes.
set_tests_properties(python/numpys_own python/numpy_cases PROPERTIES
    ENVIRONMENT "${ENVIRONMENT};UFC_CACHE=${UFC_BUILD}/tests/golden-cache")
set_tests_properties(python/numpy_cases PROPERTIES DEPENDS python/numpys_own)

# NumPy's results.
new_test(golden/build "golden;gpu" 600 "${RUN}" build "${TESTS}/golden/replay.c")
set_tests_properties(golden/build PROPERTIES FIXTURES_SETUP "${TESTS}/golden/replay.c")
on_devices(golden/patterns golden "${TESTS}/golden/replay.c" "${TESTS}/golden/patterns.txt")
on_devices(golden/methods golden "${TESTS}/golden/replay.c" "${TESTS}/golden/methods.txt")
on_devices(golden/numbers golden "${TESTS}/golden/replay.c" "${TESTS}/golden/numbers.txt")
on_devices(golden/gufuncs golden "${TESTS}/golden/replay.c" "${TESTS}/golden/gufuncs.txt")
on_devices(golden/types golden "${TESTS}/golden/replay.c" "${TESTS}/golden/types.txt")
on_devices(golden/casting golden "${TESTS}/golden/replay.c" "${TESTS}/golden/casting.txt")

# The accuracy contract: every built-in function with special values and some random ones, some
# with all 16-bit ones; with a million, a test a function, by `ctest -C long -L num`.
set(ACCURACY "${UFC_BUILD}/num/accuracy")
new_test(num/accuracy "num;sim" 600 "${ACCURACY}" 300 v2,v3,v4,sim)
new_test(num/accuracy-gpu "num;gpu" 600 "${ACCURACY}" 300 cuda)
new_test(num/halves "num;sim" 600 "${ACCURACY}" 65536 v2,v3,v4,sim cbrt erf rsqrt)
new_test(num/float32 num 600 "${UFC_BUILD}/num/float32" 4093 v2)
foreach(device v2 v3 v4 sim cuda)
    set(labels num)
    if(device STREQUAL "cuda")
        set(labels "num;gpu")
    endif()
    new_test(num/numpy-${device} "${labels}" 300 sh -c "xz -dc '${TESTS}/num/numpy.txt.xz' |
        '${UFC_BUILD}/num/numpy' /dev/stdin '${TESTS}/num/wider.txt' ${device}")
endforeach()
new_test(num/table num 60 "${TESTS}/num/table")
if(CTEST_CONFIGURATION_TYPE STREQUAL "long")
    set(row "^(BUILTIN|WRITTEN|COMPLEX)\\([^\"]*\"([a-z][^\"]*)\".*")
    file(STRINGS "${TESTS}/../compiler/builtin.def" names REGEX "${row}")
    list(TRANSFORM names REPLACE "${row}" "\\2")
    list(REMOVE_DUPLICATES names)
    foreach(name ${names})
        if(NOT name MATCHES "^(popcount|clz|gcd|lcm)$") # of integers: no errors
            new_test(num/million-${name} "num;sim;long" 7200 "${ACCURACY}" 1000000 v2,v3,v4,sim ${name})
        endif()
    endforeach()
    new_test(num/million-gpu "num;long" 7200 "${ACCURACY}" 1000000 cuda)
endif()

# What NumPy's own tests assert.
on_devices(numpy/umath numpy "${TESTS}/golden/replay.c" "${TESTS}/numpy/umath.txt")
on_devices(numpy/ufunc numpy "${TESTS}/golden/replay.c" "${TESTS}/numpy/ufunc.txt")
on_devices(numpy/differs numpy "${TESTS}/golden/replay.c" "${TESTS}/numpy/differs.txt")
new_test(numpy/differences numpy 60 "${TESTS}/numpy/differences")
on_devices(numpy/iteration numpy "${TESTS}/golden/replay.c" "${TESTS}/numpy/nditer.txt")
foreach(name overlap nditer)
    new_test(numpy/build-${name} "numpy;gpu" 600 "${RUN}" build "${TESTS}/numpy/${name}.c")
    set_tests_properties(numpy/build-${name} PROPERTIES FIXTURES_SETUP "${TESTS}/numpy/${name}.c")
    on_devices(numpy/${name} numpy "${TESTS}/numpy/${name}.c")
endforeach()
new_test(numpy/signature numpy 60 "${RUN}" c "${TESTS}/numpy/signature.c")
new_test(numpy/list numpy 60 "${TESTS}/numpy/check")

# The examples: on the tutorials' inputs, as a user builds them, as machine code.
new_test(examples/build "examples;gpu" 300 "${RUN}" build "${TESTS}/examples/tutorial.c")
set_tests_properties(examples/build PROPERTIES FIXTURES_SETUP "${TESTS}/examples/tutorial.c")
on_devices(examples/tutorial examples "${TESTS}/examples/tutorial.c" "${TESTS}/golden/tutorial.txt")
file(GLOB files "${TESTS}/../examples/*.c")
foreach(file ${files})
    get_filename_component(name "${file}" NAME_WE)
    if(EXISTS "${TESTS}/examples/${name}")
        new_test("examples/${name}" "examples;gpu" 300 "${TESTS}/examples/${name}")
    else()
        new_test("examples/${name}" "examples;gpu" 300 "${RUN}" c "${file}")
    endif()
endforeach()
file(GLOB files "${TESTS}/../examples/*.uf" "${TESTS}/ptx/*.uf")
foreach(file ${files})
    get_filename_component(name "${file}" NAME_WE)
    new_test("ptx/${name}" ptx 300 "${RUN}" ptx "${file}")
    new_test("ptx/${name}-all" "ptx;long" 1800 "${RUN}" ptx "${file}" all)
endforeach()

# What compiling takes grows with the length of a source.
new_test(growth/steps growth 240 "${TESTS}/growth/steps")
new_test(growth/code growth 180 "${RUN}" c "${TESTS}/growth/code.c")
new_test(growth/memory growth 60 "${TESTS}/growth/memory")
new_test(growth/flat growth 120 "${TESTS}/growth/flat" 120)
new_test(growth/flat-1000 "growth;long" 900 "${TESTS}/growth/flat" 1000)
new_test(growth/endless "growth;long" 300 "${TESTS}/growth/memory" endless)

# Broken sources give errors.
new_test(fuzz/compile fuzz 600 "${RUN}" c "${TESTS}/fuzz/compile.c" 1000 "${TESTS}/..")

# Calls of all kinds touch nothing beyond their arrays, and give what they give of arrays in C order.
# A minute each, after a build with clang's libFuzzer.
file(GLOB files "${TESTS}/fuzz/targets/*.c")
foreach(file ${files})
    get_filename_component(name "${file}" NAME_WE)
    new_test("fuzz/target-${name}" "fuzz;long" 1800 make -C "${TESTS}/.." "fuzz-${name}")
    set_tests_properties("fuzz/target-${name}" PROPERTIES RESOURCE_LOCK build-fuzz)
endforeach()
new_test(fuzz/calls fuzz 300 "${RUN}" c "${TESTS}/fuzz/calls.c" 1 20000)
new_test(fuzz/calls-million "fuzz;long" 3600 "${RUN}" c "${TESTS}/fuzz/calls.c" 20001 1000000)
set_tests_properties(fuzz/calls fuzz/calls-million PROPERTIES RESOURCE_LOCK "${TESTS}/fuzz/calls.c")

# Random programs give the same bits everywhere: ufuncs, and gufuncs.
# programs(KIND NAME LABELS SECONDS [--device=D] FIRST COUNT)
macro(programs kind name labels seconds)
    new_test(fuzz/${kind}${name} "${labels}" ${seconds} "${RUN}" c "${TESTS}/fuzz/${kind}.c" ${ARGN})
    set_tests_properties(fuzz/${kind}${name} PROPERTIES FIXTURES_REQUIRED "${TESTS}/fuzz/${kind}.c"
        ENVIRONMENT "${ENVIRONMENT};UFC_BUILT=1")
endmacro()
foreach(kind programs gufuncs typed)
    set(labels "fuzz;gpu")
    if(kind STREQUAL "typed")
        set(labels "fuzz")
    endif()
    new_test(fuzz/build-${kind} "${labels}" 300 "${RUN}" build "${TESTS}/fuzz/${kind}.c")
    set_tests_properties(fuzz/build-${kind} PROPERTIES FIXTURES_SETUP "${TESTS}/fuzz/${kind}.c")
endforeach()
programs(programs "" fuzz 600 1 100)
programs(programs -gpu "fuzz;gpu" 1800 --device=cuda 1 1000)
foreach(first RANGE 1 10000 1000)
    programs(programs -${first} "fuzz;long" 3600 ${first} 1000)
endforeach()
programs(gufuncs "" fuzz 600 1 40)
programs(gufuncs -special fuzz 600 --special 1 20)
programs(gufuncs -several fuzz 600 --device=sim:0,1 1 20)
programs(programs -several fuzz 600 --device=sim:0,1,2 1 40)
programs(gufuncs -gpu "fuzz;gpu" 1800 --device=cuda 1 300)
foreach(first RANGE 1 2000 250)
    programs(gufuncs -${first} "fuzz;long" 3600 ${first} 250)
endforeach()
# Each type in each function, operator and statement: one in 11, which takes its turn in all holes of
# a template, since 11 divides no number of choices; all.
foreach(mode ufunc gufunc def declaration)
    programs(typed -${mode} fuzz 600 ${mode} 11 200)
    programs(typed -${mode}-all "fuzz;long" 7200 ${mode} 1 8)
endforeach()

# The command line.
new_test(cli/cli cli 300 "${TESTS}/cli")
new_test(cli/files cli 120 "${TESTS}/files")
new_test(cli/arguments cli 120 "${TESTS}/arguments")
new_test(cli/cache cli 120 "${TESTS}/cache")
new_test(cli/debuggers cli 300 "${TESTS}/debuggers")
new_test(cli/gpu_debuggers "cli;gpu" 900 "${TESTS}/gpu_debuggers")
new_test(cli/faults "cli;fault" 600 "${TESTS}/faults")
new_test(cli/faults-all "cli;fault;long" 3600 "${TESTS}/faults" 100)

# The workloads that tests/bench/peers.py measures, at small sizes.
foreach(device cpu cuda)
    set(label "long")
    if(device STREQUAL "cuda")
        set(label "gpu;long")
    endif()
    new_test(bench/${device} "${label}" 600 "${TESTS}/bench/peers.py" --device=${device} --quick --peers=
        --seconds=0.02)
endforeach()
# The zoo at small sizes, beside NumPy, a test a class.  In the simulator only the kernels that these calls
# take are compiled; among the long ones all are, which takes three times as long.
set(numpy_python python3)
foreach(python python3 /usr/bin/python3)
    execute_process(COMMAND "${python}" -c "import numpy" RESULT_VARIABLE missing OUTPUT_QUIET
        ERROR_QUIET)
    if(missing EQUAL 0)
        set(numpy_python "${python}")
        break()
    endif()
endforeach()
if(NOT UFC_SANITIZE)
    foreach(class RANGE 1 8)
        foreach(device cpu sim cuda)
            set(label "zoo")
            if(device STREQUAL "cuda")
                set(label "zoo;gpu")
            endif()
            set(check "${numpy_python}" "${TESTS}/bench/zoo.py" "${UFC_BUILD}" --check
                --device=${device} class=${class})
            if(device STREQUAL "sim")
                new_test(zoo/${class}-sim-all "zoo;long" 600 ${check})
                list(APPEND check --called)
            endif()
            new_test(zoo/${class}-${device} "${label}" 300 ${check})
        endforeach()
    endforeach()
endif()
new_test(bench/launch "gpu;long" 300 "${RUN}" c "${TESTS}/bench/launch.c")
new_test(bench/several "gpu;long" 300 "${RUN}" c "${TESTS}/bench/several.c")
new_test(bench/staging "gpu;long" 300 "${RUN}" c "${TESTS}/bench/staging.c")
# What options of generation change, and what they leave.
foreach(device cpu sim cuda)
    new_test(modes/${device} "modes" 600 "${TESTS}/modes" ${device})
endforeach()
set_tests_properties(modes/sim PROPERTIES LABELS "modes;sim")
set_tests_properties(modes/cuda PROPERTIES LABELS "modes;gpu")

# README and the manual pages: their snippets run, their mdoc is clean.
foreach(file README man/ufc.1 man/ufc.3 man/ufcc.3 man/ufc_lang.7)
    get_filename_component(name "${file}" NAME)
    new_test("man/${name}" man 120 "${TESTS}/snippets" "${TESTS}/../${file}")
endforeach()

# The house.
new_test(rules/house rules 240 "${TESTS}/rules")
new_test(rules/documented rules 60 "${TESTS}/documented")

# What takes long begins first, so that no core waits for it at the end: in seconds of a core, about.
macro(takes seconds)
    set_tests_properties(${ARGN} PROPERTIES COST ${seconds})
endmacro()
takes(120 golden/build examples/build)
takes(60 rt/allocations cli/faults rt/windows cli/cli num/accuracy fuzz/programs growth/code)
takes(30 rt/special rt/across rt/link growth/steps fuzz/gufuncs fuzz/gufuncs-special cli/debuggers
    python/jax_arrays python/lifetime numpy/build-overlap numpy/build-nditer fuzz/build-gufuncs
    fuzz/build-programs fuzz/build-typed)
takes(20 rules/house)
takes(20 ptx/statistics ptx/linalg ptx/methods ptx/complex ptx/signal ptx/attention ptx/scatter_kinds)
if(NOT UFC_SANITIZE)
    takes(20 zoo/3-cpu zoo/3-sim zoo/5-cpu zoo/6-cpu)
endif()
