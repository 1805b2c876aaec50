# SPDX-License-Identifier: Apache-2.0
# Finds ONNX Runtime and onnx.proto: those fetched by packaging/setup, else the distribution's, else the ones named by
# -Donnxruntime_DIR and -DDUOSCOPE_ONNX_PROTO. Also finds what every part uses; the rest is found where it is used.
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)

if(DEFINED ENV{DUOSCOPE_CACHE})
    set(_cache "$ENV{DUOSCOPE_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(_cache "$ENV{XDG_CACHE_HOME}/duoscope")
else()
    set(_cache "$ENV{HOME}/.cache/duoscope")
endif()
set(DUOSCOPE_CACHE "${_cache}" CACHE PATH "Folder that packaging/setup fetches into")
list(PREPEND CMAKE_PREFIX_PATH "${DUOSCOPE_CACHE}/onnxruntime" "${DUOSCOPE_CACHE}/valijson")

set(_hint "run packaging/setup, or give -Donnxruntime_DIR=DIR and -DDUOSCOPE_ONNX_PROTO=FILE")
find_package(onnxruntime 1.20 QUIET)
if(NOT onnxruntime_FOUND)
    message(FATAL_ERROR "ONNX Runtime 1.20 or newer was not found: ${_hint}")
endif()

if(DEFINED ENV{DUOSCOPE_ONNX_PROTO})
    set(DUOSCOPE_ONNX_PROTO "$ENV{DUOSCOPE_ONNX_PROTO}" CACHE FILEPATH "onnx.proto, IR version 10 or newer")
endif()
find_file(DUOSCOPE_ONNX_PROTO onnx/onnx.proto DOC "onnx.proto, IR version 10 or newer")
if(NOT EXISTS "${DUOSCOPE_ONNX_PROTO}")
    message(FATAL_ERROR "onnx.proto was not found: ${_hint}")
endif()
file(STRINGS "${DUOSCOPE_ONNX_PROTO}" _metadata REGEX "StringStringEntryProto metadata_props = 9;")
if(NOT _metadata)
    message(FATAL_ERROR "${DUOSCOPE_ONNX_PROTO} is older than IR version 10 (its nodes have no metadata_props): ${_hint}")
endif()

# JSON Schema validation, for tests only: target duo_valijson, where packaging/setup has been run.
find_path(DUOSCOPE_VALIJSON_INCLUDE valijson/validator.hpp DOC "Folder that holds valijson/validator.hpp")
if(DUOSCOPE_VALIJSON_INCLUDE AND NOT TARGET duo_valijson)
    add_library(duo_valijson INTERFACE)
    target_include_directories(duo_valijson SYSTEM INTERFACE "${DUOSCOPE_VALIJSON_INCLUDE}")
endif()
unset(_cache)
unset(_hint)
unset(_metadata)
