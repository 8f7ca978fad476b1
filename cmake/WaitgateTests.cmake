# How a test is added. Every test's name is <suite>.<name> and its CTest label is <suite>.
#
#   wg_unit_test(name files...)         a cmocka program that may include anything under src/
#   wg_model_test(name files...)        the same, for whole-tile properties (suite "model")
#   wg_cli_test(name script [args...])  a script; $WAITGATE is the program, $WAITGATE_ROOT the
#                                       source tree; it runs in an empty folder of its own
#   wg_tts_tests(words...)              for each *.tts of the folder: waitgate words... file
#   wg_fuzz_test(name files...)         LLVMFuzzerTestOneInput; run here over corpus/<name>/ and a
#                                       fixed noise, and by libFuzzer in the preset "fuzz"
#   wg_script_test(suite name cmd...)   any command, in the source tree
#
# Exit status 77 of any of them means "skipped".

find_library(CMOCKA_LIBRARY cmocka REQUIRED)
find_path(CMOCKA_INCLUDE_DIR cmocka.h REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

function(wg_test_properties suite test)
    set_tests_properties(${test} PROPERTIES LABELS ${suite} SKIP_RETURN_CODE 77 TIMEOUT 300)
endfunction()

# A program that sees the whole tree.
function(wg_test_executable target suite)
    add_executable(${target} ${ARGN})
    set_target_properties(${target} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/${suite})
    target_include_directories(${target} PRIVATE
        ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/tests)
    target_include_directories(${target} SYSTEM PRIVATE ${CMOCKA_INCLUDE_DIR})
    target_compile_definitions(${target} PRIVATE WG_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
    target_link_options(${target} PRIVATE ${wg_lto_off})
    target_link_libraries(${target} PRIVATE waitgate_static ${CMOCKA_LIBRARY})
endfunction()

function(wg_test_program suite name)
    set(target ${suite}_${name})
    wg_test_executable(${target} ${suite} ${ARGN})
    add_test(NAME ${suite}.${name} COMMAND ${target} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
    wg_test_properties(${suite} ${suite}.${name})
endfunction()

function(wg_unit_test name)
    wg_test_program(unit ${name} ${ARGN})
endfunction()

function(wg_model_test name)
    wg_test_program(model ${name} ${ARGN})
endfunction()

# ROUNDS: for a target that takes long; so many rounds in a tree without sanitizers, in the others the corpus only.
function(wg_fuzz_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "ROUNDS" "")
    set(rounds 20000)
    if(arg_ROUNDS)
        set(rounds ${arg_ROUNDS})
        if(WAITGATE_SANITIZE)
            set(rounds 0)
        endif()
    endif()
    file(GLOB corpus CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name}/*)
    wg_test_executable(fuzz_${name} fuzz ${CMAKE_SOURCE_DIR}/tests/fuzz/replay.c
                       ${arg_UNPARSED_ARGUMENTS})
    target_compile_options(fuzz_${name} PRIVATE -Wno-missing-prototypes)
    add_test(NAME fuzz.${name} COMMAND fuzz_${name} ${rounds} ${corpus})
    wg_test_properties(fuzz fuzz.${name})
    if(WAITGATE_FUZZ)
        wg_test_executable(libfuzzer_${name} fuzz ${arg_UNPARSED_ARGUMENTS})
        target_compile_options(libfuzzer_${name} PRIVATE -fsanitize=fuzzer -Wno-missing-prototypes)
        target_link_options(libfuzzer_${name} PRIVATE -fsanitize=fuzzer)
    endif()
endfunction()

function(wg_script_test suite name)
    add_test(NAME ${suite}.${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
    wg_test_properties(${suite} ${suite}.${name})
endfunction()

function(wg_cli_test name script)
    if(NOT TARGET waitgate)
        return()
    endif()
    set(in_new_folder [[rm -rf "$0" && mkdir -p "$0" && cd "$0" && exec "$@"]])
    add_test(NAME cli.${name} COMMAND sh -c "${in_new_folder}"
             ${CMAKE_BINARY_DIR}/tests/cli/${name} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${ARGN})
    wg_test_properties(cli cli.${name})
    set_tests_properties(cli.${name} PROPERTIES ENVIRONMENT
        "WAITGATE=$<TARGET_FILE:waitgate>;WAITGATE_ROOT=${CMAKE_SOURCE_DIR}")
endfunction()

function(wg_tts_tests)
    if(NOT TARGET waitgate)
        return()
    endif()
    file(GLOB programs CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.tts)
    foreach(program ${programs})
        cmake_path(GET program STEM LAST_ONLY name)
        wg_script_test(tts ${name} $<TARGET_FILE:waitgate> ${ARGN} ${program})
    endforeach()
endfunction()
