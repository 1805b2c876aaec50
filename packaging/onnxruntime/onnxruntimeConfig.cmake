# SPDX-License-Identifier: Apache-2.0
# Describes the ONNX Runtime fetched by packaging/setup; the same target as the distributions' package has.
get_filename_component(_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    set(_arch arm64)
else()
    set(_arch x64)
endif()
if(NOT TARGET onnxruntime::onnxruntime)
    add_library(onnxruntime::onnxruntime SHARED IMPORTED)
    set_target_properties(onnxruntime::onnxruntime PROPERTIES
        IMPORTED_LOCATION "${_prefix}/lib/${_arch}/libonnxruntime.so.1"
        IMPORTED_SONAME libonnxruntime.so.1
        INTERFACE_INCLUDE_DIRECTORIES "${_prefix}/include/onnxruntime")
endif()
unset(_prefix)
unset(_arch)
