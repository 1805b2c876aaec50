# SPDX-License-Identifier: Apache-2.0
# Interface target duo_warnings: link it privately to every target of ours.
option(DUOSCOPE_WERROR "Treat warnings as errors" OFF)

add_library(duo_warnings INTERFACE)
target_compile_options(duo_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wsuggest-override -Wundef
    $<$<BOOL:${DUOSCOPE_WERROR}>:-Werror>)
