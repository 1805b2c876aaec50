# SPDX-License-Identifier: Apache-2.0
# Static library duo_onnx_proto: the ONNX schema (DUOSCOPE_ONNX_PROTO) compiled at build time with the lite runtime.
# Only core/onnx includes its header, <onnx.pb.h>, C++ namespace onnx.
find_package(Protobuf 3.21 REQUIRED)

set(_folder "${CMAKE_BINARY_DIR}/onnx_proto")
configure_file("${DUOSCOPE_ONNX_PROTO}" "${_folder}/onnx.proto" COPYONLY)
add_custom_command(
    OUTPUT "${_folder}/onnx.pb.cc" "${_folder}/onnx.pb.h"
    COMMAND protobuf::protoc "--cpp_out=lite:${_folder}" -I "${_folder}" "${_folder}/onnx.proto"
    DEPENDS "${_folder}/onnx.proto"
    COMMENT "Compiling onnx.proto"
    VERBATIM)
add_library(duo_onnx_proto STATIC "${_folder}/onnx.pb.cc" "${_folder}/onnx.pb.h")
target_compile_features(duo_onnx_proto PUBLIC cxx_std_20)
target_compile_options(duo_onnx_proto PRIVATE -w)
target_include_directories(duo_onnx_proto SYSTEM PUBLIC "${_folder}")
target_link_libraries(duo_onnx_proto PUBLIC protobuf::libprotobuf-lite)
set_target_properties(duo_onnx_proto PROPERTIES POSITION_INDEPENDENT_CODE ON AUTOMOC OFF)
unset(_folder)
