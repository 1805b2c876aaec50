# SPDX-License-Identifier: Apache-2.0
# duo_precompile(TARGET [QT_CORE | QT] [TESTS] [OURS HEADER...]): what most files of the target read, parsed once: foreign
# headers, and those of ours that nearly all its files include by one way or another, so that to change one costs no more
# than it did. Every file still includes what it uses (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON).
set(duo_common_headers <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <deque> <filesystem> <functional> <limits>
    <map> <memory> <mutex> <numeric> <optional> <set> <span> <stop_token> <string> <string_view> <unordered_map>
    <unordered_set> <utility> <variant> <vector> <nlohmann/json.hpp>)

function(duo_precompile target)
    cmake_parse_arguments(PARSE_ARGV 1 with "QT_CORE;QT;TESTS" "" "OURS")
    set(headers ${duo_common_headers})
    if(with_QT_CORE)
        list(APPEND headers <QtCore>)
    endif()
    if(with_QT)
        list(APPEND headers <QtWidgets>)
    endif()
    if(with_TESTS)
        list(APPEND headers <gmock/gmock.h> <gtest/gtest.h>)
    endif()
    list(TRANSFORM with_OURS PREPEND ${CMAKE_SOURCE_DIR}/)
    target_precompile_headers(${target} PRIVATE ${headers} ${with_OURS})
    # ccache needs these
    target_compile_options(${target} PRIVATE
        $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess> "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endfunction()
