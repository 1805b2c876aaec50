# SPDX-License-Identifier: Apache-2.0
# -DDUOSCOPE_SANITIZE=address (with undefined behaviour) or thread. A sanitizer must see the whole program, so this is
# the one place that sets flags for every target. Include it before the first target.
set(DUOSCOPE_SANITIZE "" CACHE STRING "Sanitizer: empty, address or thread")
set_property(CACHE DUOSCOPE_SANITIZE PROPERTY STRINGS "" address thread)

if(DUOSCOPE_SANITIZE STREQUAL "address")
    set(_sanitizers address,undefined)
elseif(DUOSCOPE_SANITIZE STREQUAL "thread")
    set(_sanitizers thread)
elseif(DUOSCOPE_SANITIZE)
    message(FATAL_ERROR "DUOSCOPE_SANITIZE is '${DUOSCOPE_SANITIZE}': use address or thread")
endif()
if(DUOSCOPE_SANITIZE)
    add_compile_options(-fsanitize=${_sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${_sanitizers})
endif()
unset(_sanitizers)
