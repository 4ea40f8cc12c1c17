# ctest.cmake: the list of tests.  A file that is dropped into a folder is a test; this needs no edit.
#
# ctest reads it through the build's CTestTestfile.cmake, which sets UFC_BUILD, UFC_CC, UFC_SANITIZE.
# Labels: lang err rt golden examples gpu sim ptx fuzz cli man rules long.

set(TESTS "${CMAKE_CURRENT_LIST_DIR}")
set(RUN "${TESTS}/run")
set(ENVIRONMENT "UFC=${UFC_BUILD}/ufc;UFC_BUILD=${UFC_BUILD};CC=${UFC_CC};UFC_SANITIZE=${UFC_SANITIZE}")

# new_test(NAME LABELS SECONDS COMMAND...)
macro(new_test name labels seconds)
    add_test("${name}" ${ARGN})
    set_tests_properties("${name}" PROPERTIES LABELS "${labels}" TIMEOUT ${seconds} SKIP_RETURN_CODE 77
        ENVIRONMENT "${ENVIRONMENT}")
endmacro()

# The language: calls and diagnostics.
foreach(kind lang err)
    file(GLOB files "${TESTS}/${kind}/*.uf")
    foreach(file ${files})
        get_filename_component(name "${file}" NAME_WE)
        new_test("${kind}/${name}" ${kind} 120 "${RUN}" ${kind} "${file}")
        if(kind STREQUAL "lang")
            new_test("gpu/${name}" "gpu;lang" 120 "${RUN}" lang "${file}" cuda)
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
        new_test("rt/${name}" "rt;gpu" 300 "${RUN}" c "${file}")
        new_test("rt/${name}-fake" rt 300 "${RUN}" fake "${file}")
        set_tests_properties("rt/${name}" "rt/${name}-fake" PROPERTIES RESOURCE_LOCK "${file}")
    elseif(name MATCHES "_gpu$") # the fake driver will not do
        new_test("rt/${name}" "rt;gpu" 300 "${RUN}" c "${file}")
    else()
        new_test("rt/${name}" rt 300 "${RUN}" c "${file}")
    endif()
endforeach()

new_test(rt/dlpack rt 60 "${TESTS}/dlpack")

# on_hosts(NAME LABEL PROGRAM FILE): with each level of host code, on the fake driver.
macro(on_hosts name label program file)
    foreach(level v2 v3 v4)
        new_test(${name}-${level} ${label} 600 env UFC_LEVEL=${level} "${RUN}" c "${program}"
            --device=cpu "${file}")
    endforeach()
    new_test(${name}-fake ${label} 600 "${RUN}" fake "${program}" --device=cuda "${file}")
    foreach(how v2 v3 v4 fake)
        set_tests_properties(${name}-${how} PROPERTIES FIXTURES_REQUIRED "${program}"
            ENVIRONMENT "${ENVIRONMENT};UFC_BUILT=1")
    endforeach()
endmacro()

# on_devices(NAME LABEL PROGRAM FILE): there, in the simulator, on a GPU.
macro(on_devices name label program file)
    on_hosts(${name} ${label} ${program} ${file})
    new_test(${name}-sim "${label};sim" 600 "${RUN}" c "${program}" --device=sim "${file}")
    new_test(${name}-gpu "${label};gpu" 600 "${RUN}" c "${program}" --device=cuda "${file}")
    foreach(how sim gpu)
        set_tests_properties(${name}-${how} PROPERTIES FIXTURES_REQUIRED "${program}"
            ENVIRONMENT "${ENVIRONMENT};UFC_BUILT=1")
    endforeach()
endmacro()

# NumPy's results.
new_test(golden/build "golden;gpu" 600 "${RUN}" build "${TESTS}/golden/replay.c")
set_tests_properties(golden/build PROPERTIES FIXTURES_SETUP "${TESTS}/golden/replay.c")
on_devices(golden/patterns golden "${TESTS}/golden/replay.c" "${TESTS}/golden/patterns.txt")
on_devices(golden/methods golden "${TESTS}/golden/replay.c" "${TESTS}/golden/methods.txt")
on_devices(golden/numbers golden "${TESTS}/golden/replay.c" "${TESTS}/golden/numbers.txt")
on_devices(golden/gufuncs golden "${TESTS}/golden/replay.c" "${TESTS}/golden/gufuncs.txt")
on_devices(golden/types golden "${TESTS}/golden/replay.c" "${TESTS}/golden/types.txt")

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
endforeach()

# Broken sources give errors.
new_test(fuzz/compile fuzz 600 "${RUN}" c "${TESTS}/fuzz/compile.c" 1000 "${TESTS}/..")

# The command line.
new_test(cli/cli cli 300 "${TESTS}/cli")

# README and the manual pages: their snippets run, their mdoc is clean.
foreach(file README man/ufc.1 man/ufc.3 man/ufcc.3 man/ufc_lang.7)
    get_filename_component(name "${file}" NAME)
    new_test("man/${name}" man 120 "${TESTS}/snippets" "${TESTS}/../${file}")
endforeach()

# The house.
new_test(rules/house rules 60 "${TESTS}/rules")
