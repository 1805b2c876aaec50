# SPDX-License-Identifier: Apache-2.0
# duo_discover_suites(TARGET [PROPERTIES NAME VALUE...]): the suites of a program of GoogleTest become tests of ctest, which
# asks the program for them when it starts. A process for each suite, because one for each test costs more than the
# tests themselves do; PROGRAM --gtest_filter=SUITE.TEST runs one alone.
function(duo_discover_suites target)
    cmake_parse_arguments(PARSE_ARGV 1 with "" "" "PROPERTIES")
    set(words)
    foreach(word IN LISTS with_PROPERTIES)
        string(APPEND words " \"${word}\"")
    endforeach()
    set(asking ${CMAKE_CURRENT_BINARY_DIR}/${target}_suites.cmake)
    file(GENERATE OUTPUT ${asking} CONTENT "\
set(program \"$<TARGET_FILE:${target}>\")
set(listed)
set(failed \"is not built\")
if(EXISTS \${program})
    execute_process(COMMAND \${program} --gtest_list_tests OUTPUT_VARIABLE listed RESULT_VARIABLE failed TIMEOUT 60)
endif()
string(REGEX MATCHALL \"(^|\\n)[A-Za-z_][A-Za-z0-9_/]*\\\\.\" suites \"\${listed}\")
if(failed OR NOT suites) # running all of it will show why it lists none
    add_test(${target} \${program})
    set_tests_properties(${target} PROPERTIES${words})
    set(suites)
endif()
foreach(suite IN LISTS suites)
    string(REGEX REPLACE \"^\\n|\\\\.\$\" \"\" suite \"\${suite}\")
    add_test(\${suite} \${program} --gtest_filter=\${suite}.*)
    set_tests_properties(\${suite} PROPERTIES${words})
endforeach()
" TARGET ${target})
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${asking})
endfunction()
