# How everything in this tree is compiled and linked; CMakeLists.txt says what.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
if(NOT WAITGATE_MUTANTS)
    set(CMAKE_C_VISIBILITY_PRESET hidden)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

# A tree for tools/mutants: one compile and one link per mutant, and what only draws a warning is a mutant too.
set(wg_linked STATIC)
if(WAITGATE_MUTANTS)
    set(wg_linked SHARED)
    set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
    add_compile_options(-fno-semantic-interposition -Werror=int-conversion -Werror=incompatible-pointer-types
                        -Werror=implicit-function-declaration)
else()
    add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wwrite-strings
                        -Wstrict-prototypes -Wmissing-prototypes -Wformat=2 -Wvla -Werror)
endif()

if(WAITGATE_SANITIZE)
    add_compile_options(-fsanitize=${WAITGATE_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WAITGATE_SANITIZE})
endif()
if(WAITGATE_COVERAGE)
    add_compile_options(--coverage)
    add_link_options(--coverage)
endif()

if(WAITGATE_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Fat objects: the program and the shared library are linked with LTO, the many tests without.
if(WAITGATE_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(wg_lto_compile -flto=auto -ffat-lto-objects)
    set(wg_lto_link -flto=auto -O2)
    set(wg_lto_off -fno-lto)
endif()

function(wg_model_options target)
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
    target_compile_options(${target} PRIVATE ${wg_lto_compile})
endfunction()

function(wg_shared_options target map)
    set_target_properties(${target} PROPERTIES
        OUTPUT_NAME waitgate
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}
        LINKER_LANGUAGE C
        LINK_DEPENDS ${map})
    target_link_options(${target} PRIVATE ${wg_lto_link} LINKER:--version-script=${map})
    if(NOT WAITGATE_SANITIZE)
        target_link_options(${target} PRIVATE LINKER:--no-undefined)
    endif()
endfunction()

# wg_program(files...): the command line tool. It sees include/ and its own folder, nothing else.
function(wg_program)
    add_executable(waitgate ${ARGN})
    target_include_directories(waitgate PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    target_link_libraries(waitgate PRIVATE waitgate_static)
    target_compile_options(waitgate PRIVATE ${wg_lto_compile})
    target_link_options(waitgate PRIVATE ${wg_lto_link})
endfunction()

function(wg_tests_wanted out)
    if(WAITGATE_TESTS STREQUAL "AUTO")
        find_library(CMOCKA_LIBRARY cmocka)
        find_path(CMOCKA_INCLUDE_DIR cmocka.h)
        find_package(Python3 QUIET COMPONENTS Interpreter)
        if(CMOCKA_LIBRARY AND CMOCKA_INCLUDE_DIR AND Python3_FOUND)
            set(${out} ON PARENT_SCOPE)
        else()
            set(${out} OFF PARENT_SCOPE)
        endif()
    else()
        set(${out} ${WAITGATE_TESTS} PARENT_SCOPE)
    endif()
endfunction()

function(wg_install)
    if(WAITGATE_MUTANTS)
        return()
    endif()
    if(TARGET waitgate)
        install(TARGETS waitgate)
    endif()
    install(TARGETS waitgate_shared waitgate_static)
    install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(FILES ${CMAKE_SOURCE_DIR}/docs/waitgate.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
            OPTIONAL)
    configure_file(${CMAKE_SOURCE_DIR}/cmake/waitgate.pc.in waitgate.pc @ONLY)
    install(FILES ${CMAKE_BINARY_DIR}/waitgate.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

function(wg_summary)
    message(STATUS "waitgate ${PROJECT_VERSION}: ${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}, "
                   "${CMAKE_BUILD_TYPE}, sanitize=${WAITGATE_SANITIZE}, lto=${WAITGATE_LTO}, "
                   "tests=${wanted}")
endfunction()
