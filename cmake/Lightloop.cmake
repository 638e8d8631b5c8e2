# Options, warning flags and the two functions that every room uses.
set(LIGHTLOOP_SANITIZE "" CACHE STRING "Sanitizers for all targets, as for -fsanitize= (address,undefined or thread); with fuzzer-no-link, fuzz targets for libFuzzer")
option(LIGHTLOOP_WERROR "Treat warnings as errors" ON)
option(LIGHTLOOP_NATIVE "Compile for the machine that builds, and for it alone (-march=native)" OFF)
option(LIGHTLOOP_TESTS "Build the tests" ON)

if(LIGHTLOOP_NATIVE)
  add_compile_options(-march=native)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})   # without a run of the preprocessor before each
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR ${CMAKE_BINARY_DIR} inside)
  if(inside)   # relative paths, so that the builds of all presets share what they have in common
    set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  endif()
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

set(sanitize)
if(LIGHTLOOP_SANITIZE)
  set(sanitize -fsanitize=${LIGHTLOOP_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  # With clang, these three checks take a fifth of the time of compiling. The address sanitizer also reports accesses through null
  # pointers and behind an object; preset binding (g++) makes all three checks.
  if(LIGHTLOOP_SANITIZE MATCHES "undefined")
    list(APPEND sanitize $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-fno-sanitize=null,object-size,vptr>)
  endif()
  # g++ warns of atomic_thread_fence() because the thread sanitizer takes no order from it. What it doesn't know can only make it
  # report too much, so no race is hidden. Nor does it report too much here: Boost.Asio has a fence around every handler, but hands
  # handlers from thread to thread under mutexes, which the sanitizer knows; ours orders what another process reads.
  if(LIGHTLOOP_SANITIZE MATCHES "thread")
    list(APPEND sanitize $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-tsan>)
  endif()
  add_link_options(-fsanitize=${LIGHTLOOP_SANITIZE})
  if(NOT LIGHTLOOP_SANITIZE STREQUAL "thread")   # a Verilated switch has no threads: it is compiled once, without
    add_compile_options(${sanitize})
    set(sanitize)
  endif()
endif()

# Some hundred programs are linked for the tests: lld takes a third of the time of GNU ld.
find_program(LIGHTLOOP_LLD ld.lld)
mark_as_advanced(LIGHTLOOP_LLD)
if(LIGHTLOOP_LLD AND LIGHTLOOP_TESTS)
  add_link_options(-fuse-ld=lld)
endif()

# -O3 takes a fifth longer to compile than -O2; the benchmarks see it in the devices alone (host/device).
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG")

# Flags for code of our own; generated code (Verilator's) doesn't link to it.
add_library(ocs_flags INTERFACE)
target_compile_options(ocs_flags INTERFACE ${sanitize} -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${LIGHTLOOP_WERROR}>:-Werror>)
# g++ 12 sees overlaps in string operators where there are none (its bug 105651).
target_compile_options(ocs_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)
target_include_directories(ocs_flags INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/rtl/regs/generated)

# What SECURITY.md says of the program; tests/tools/check_hardening.py reads the binary. The compiler's part is for rooms that meet
# bytes from outside, not for schedulers and devices, which compute. _FORTIFY_SOURCE needs an optimising compiler, and is in the way
# of sanitizers.
add_library(ocs_hardened INTERFACE)
if(NOT LIGHTLOOP_SANITIZE)
  target_compile_options(ocs_hardened INTERFACE -fstack-protector-strong -fstack-clash-protection
                         $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
  target_link_options(ocs_hardened INTERFACE -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endif()

# Code that takes no time when it runs: optimised less, which compiles faster.
set(ocs_quick_to_build $<$<NOT:$<CONFIG:Debug>>:-O1>)

# ocs_file_list(OUT LISTS...): the sources that file lists of rtl/ name, each once, as absolute paths. A change of a list configures anew.
function(ocs_file_list out)
  set(sources)
  foreach(list ${ARGN})
    file(STRINGS ${CMAKE_SOURCE_DIR}/rtl/${list} entries REGEX "^[^/+]")
    get_filename_component(folder ${CMAKE_SOURCE_DIR}/rtl/${list} DIRECTORY)
    list(TRANSFORM entries PREPEND ${folder}/)
    list(APPEND sources ${entries})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/rtl/${list})
  endforeach()
  list(REMOVE_DUPLICATES sources)
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# Several files of a library or of a test program are compiled as one: most of the time goes to the headers that they share.
option(LIGHTLOOP_UNITY "Compile the files of a library or a test program together; OFF: each by itself" ON)
if(LIGHTLOOP_UNITY)
  # A local name may be that of another file's; tools/tidy compiles each file by itself and looks.
  target_compile_options(ocs_flags INTERFACE -Wno-shadow $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()

# ocs_batches(OUT NAME SIZE SOURCES...): the sources of target NAME with C++ files in batches of SIZE. CMake's own unity
# files hold absolute paths, so that the compiler cache of one checkout would be of no use to another. C, what the
# build generates and a file with flags of its own or property SKIP_UNITY_BUILD_INCLUSION stay by themselves.
function(ocs_batches out name size)
  set(apart)
  set(batch)
  set(number 0)
  foreach(source ${ARGN} "")   # the last one ends a batch that is not full
    set(alone OFF)
    foreach(property SKIP_UNITY_BUILD_INCLUSION COMPILE_DEFINITIONS COMPILE_OPTIONS)
      get_source_file_property(value "${source}" ${property})
      if(value)
        set(alone ON)
      endif()
    endforeach()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${path}" generated)
    if(source AND (NOT LIGHTLOOP_UNITY OR alone OR generated OR NOT source MATCHES "\\.cpp$"))
      list(APPEND apart ${source})
      continue()
    endif()
    if(source)
      list(APPEND batch ${path})
    endif()
    list(LENGTH batch length)
    if(length EQUAL 1 AND NOT source)
      list(APPEND apart ${batch})
    elseif(length EQUAL size OR (length GREATER 0 AND NOT source))
      set(text "// Files that are compiled together.\n")
      foreach(file ${batch})
        cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
        string(APPEND text "#include \"${file}\"\n")
      endforeach()
      file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}_${number}.cpp CONTENT "${text}" @ONLY)
      list(APPEND apart ${CMAKE_CURRENT_BINARY_DIR}/${name}_${number}.cpp)
      set(batch)
      math(EXPR number "${number} + 1")
    endif()
  endforeach()
  set(${out} ${apart} PARENT_SCOPE)
endfunction()

# ocs_library(NAME SOURCES... [QUICK] [HARDENED] [LINK LIBS...]): a static library of one room; QUICK: its code takes no time when it
# runs; HARDENED: it meets bytes from outside.
function(ocs_library name)
  cmake_parse_arguments(ARG "QUICK;HARDENED" "" "LINK" ${ARGN})
  ocs_batches(sources ${name} 14 ${ARG_UNPARSED_ARGUMENTS})
  add_library(${name} STATIC ${sources})
  target_link_libraries(${name} PUBLIC ocs_flags ${ARG_LINK})
  if(LIGHTLOOP_PYTHON)   # position-independent code, as fast as the program's: nothing takes the place of a function
    target_compile_options(${name} PRIVATE -fno-semantic-interposition)
  endif()
  if(ARG_HARDENED)
    target_compile_options(${name} PRIVATE $<TARGET_PROPERTY:ocs_hardened,INTERFACE_COMPILE_OPTIONS>)
  endif()
  if(ARG_QUICK)
    target_compile_options(${name} PRIVATE ${ocs_quick_to_build})
  endif()
endfunction()

# Test code is executed once, and half of its compile time would go into optimising it. What it measures is optimised.
set(ocs_test_flags $<$<NOT:$<CONFIG:Debug>>:-O0>)
if(LIGHTLOOP_SANITIZE MATCHES "fuzzer-no-link")   # no fuzzer looks at which branches of a test are taken
  list(APPEND ocs_test_flags -fno-sanitize=fuzzer-no-link)
endif()

# What almost every test includes is compiled once. It is made without the definitions of any program, so that it fits all of them.
function(ocs_test_headers name)
  if(NOT TARGET ocs_test_headers)
    file(WRITE ${CMAKE_BINARY_DIR}/test_headers.cpp "// Compiled for its precompiled header.\n")
    add_library(ocs_test_headers OBJECT ${CMAKE_BINARY_DIR}/test_headers.cpp)
    target_link_libraries(ocs_test_headers PRIVATE ocs_flags GTest::gtest)
    target_compile_options(ocs_test_headers PRIVATE ${ocs_test_flags})
    target_precompile_headers(ocs_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <algorithm> <array> <chrono> <filesystem>
                              <fstream> <functional> <map> <numeric> <optional> <random> <ranges> <set> <span> <sstream> <thread>
                              <unordered_map> <variant> <vector>)
  endif()
  target_precompile_headers(${name} REUSE_FROM ocs_test_headers)
endfunction()

# ocs_bench(NAME SOURCES...): a program that measures. It is not part of `all`: target `benches` builds all of them.
function(ocs_bench name)
  add_executable(${name} EXCLUDE_FROM_ALL ${ARGN})
  target_link_libraries(${name} PRIVATE ocs_test_places)
  if(NOT TARGET benches)
    add_custom_target(benches)
  endif()
  add_dependencies(benches ${name})
endfunction()

# ocs_test(NAME SOURCES... [SHARDS N] [LINK LIBS...]): a GoogleTest program in bin/, its tests known to ctest, with the folder's
# name as label. Switches that they compile are kept in the build folder. Under a sanitizer ctest knows the program alone, or N
# shards of it: 2,400 starts of instrumented programs take longer than what they test.
# Tests find data and programs through tests/common/places.hpp.
function(ocs_test name)
  cmake_parse_arguments(ARG "" "SHARDS" "LINK" ${ARGN})
  ocs_batches(sources ${name} 14 ${ARG_UNPARSED_ARGUMENTS})
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE ocs_flags ${ARG_LINK} ocs_test_places GTest::gtest GTest::gtest_main)
  target_compile_options(${name} PRIVATE ${ocs_test_flags})
  if(LIGHTLOOP_UNITY AND NOT ARG_UNPARSED_ARGUMENTS MATCHES "\\.c(;|$)")   # C has no use for them
    ocs_test_headers(${name})
  endif()
  get_filename_component(room ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  set(environment XDG_CACHE_HOME=${CMAKE_SOURCE_DIR}/build/cache)
  if(NOT LIGHTLOOP_SANITIZE)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT 600 LABELS ${room} ENVIRONMENT ${environment})
    return()
  endif()
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${name}.${shard} COMMAND ${name})
    set_tests_properties(${name}.${shard} PROPERTIES TIMEOUT 1200 LABELS ${room}
                         ENVIRONMENT "${environment};GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

if(LIGHTLOOP_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
