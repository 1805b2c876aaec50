# SPDX-License-Identifier: Apache-2.0
# Interface target duo_warnings: link it privately to every target of ours.
option(DUOSCOPE_WERROR "Treat warnings as errors (with Clang 19, which the house builds with)" OFF)

add_library(duo_warnings INTERFACE)
target_compile_options(duo_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wsuggest-override -Wundef)
# GCC 12 finds overlaps and overruns in std::string's own code when it optimizes fully (GCC bugs 105329 and 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(duo_warnings INTERFACE
        "$<$<CONFIG:Release>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow>")
endif()
# Clang counts signs of integers among conversions, GCC does not; libstdc++ 12 sorts with a buffer that it calls deprecated.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(duo_warnings INTERFACE -Wno-sign-conversion -Wno-deprecated-declarations)
endif()
# Newer compilers know more warnings; they are read there, but must not stop a user's build.
if(DUOSCOPE_WERROR AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^19\\.")
    target_compile_options(duo_warnings INTERFACE -Werror)
endif()
