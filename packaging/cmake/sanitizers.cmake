# SPDX-License-Identifier: Apache-2.0
# -DDUOSCOPE_SANITIZE=address (with undefined behaviour), thread, or fuzzer (Clang only: as address, and libFuzzer sees
# which branches were taken). A sanitizer must see the whole program, so this is the one place that sets flags for every
# target. Include it before the first target.
set(DUOSCOPE_SANITIZE "" CACHE STRING "Sanitizer: empty, address, thread or fuzzer")
set_property(CACHE DUOSCOPE_SANITIZE PROPERTY STRINGS "" address thread fuzzer)

if(DUOSCOPE_SANITIZE STREQUAL "address")
    set(_sanitizers address,undefined)
elseif(DUOSCOPE_SANITIZE STREQUAL "thread")
    set(_sanitizers thread)
elseif(DUOSCOPE_SANITIZE STREQUAL "fuzzer")
    set(_sanitizers fuzzer-no-link,address,undefined) # a program with a main of libFuzzer's links -fsanitize=fuzzer
elseif(DUOSCOPE_SANITIZE)
    message(FATAL_ERROR "DUOSCOPE_SANITIZE is '${DUOSCOPE_SANITIZE}': use address, thread or fuzzer")
endif()
if(DUOSCOPE_SANITIZE)
    add_compile_options(-fsanitize=${_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${_sanitizers})
endif()
unset(_sanitizers)
