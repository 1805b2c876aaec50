# SPDX-License-Identifier: Apache-2.0
# Interface target duo_warnings: link it privately to every target of ours.
option(DUOSCOPE_WERROR "Treat warnings as errors (with GCC 12, which the house builds with)" OFF)

add_library(duo_warnings INTERFACE)
target_compile_options(duo_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wsuggest-override -Wundef)
# Newer compilers know more warnings; they are read there, but must not stop a user's build.
if(DUOSCOPE_WERROR AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION MATCHES "^12\\.")
    target_compile_options(duo_warnings INTERFACE -Werror)
endif()
