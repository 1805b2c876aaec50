# SPDX-License-Identifier: Apache-2.0
# duo_precompile(TARGET [QT_CORE | QT] [TESTS]): the foreign headers that most files read, parsed once a target. Only
# headers that do not change with our work are in it; every file still includes what it uses
# (-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON).
set(duo_common_headers <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <deque> <filesystem> <functional> <limits>
    <map> <memory> <mutex> <numeric> <optional> <set> <span> <stop_token> <string> <string_view> <unordered_map>
    <unordered_set> <utility> <variant> <vector> <nlohmann/json.hpp>)

function(duo_precompile target)
    cmake_parse_arguments(PARSE_ARGV 1 with "QT_CORE;QT;TESTS" "" "")
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
    target_precompile_headers(${target} PRIVATE ${headers})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        target_compile_options(${target} PRIVATE -fpch-preprocess) # ccache needs it
    endif()
endfunction()
