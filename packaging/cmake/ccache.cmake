# SPDX-License-Identifier: Apache-2.0
# Compiles through ccache where it is installed. Include it before the first target.
find_program(DUOSCOPE_CCACHE ccache DOC "ccache, used as compiler launcher where found")
if(DUOSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # Without the sloppiness ccache passes by every file that uses a precompiled header; without "depend" it runs the
    # preprocessor over every file that it does not know, which is a tenth of a first build.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros;CCACHE_DEPEND=1"
        "${DUOSCOPE_CCACHE}")
endif()
