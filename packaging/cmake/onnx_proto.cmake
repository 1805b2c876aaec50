# SPDX-License-Identifier: Apache-2.0
# duo_add_onnx_proto(): static library duo_onnx_proto, the ONNX schema (DUOSCOPE_ONNX_PROTO) compiled at build time with
# the lite runtime. Only core/onnx links it, privately; it includes <onnx.pb.h>, C++ namespace onnx.
find_package(Protobuf 3.21 REQUIRED)

function(duo_add_onnx_proto)
    set(folder "${CMAKE_BINARY_DIR}/onnx_proto")
    file(MAKE_DIRECTORY "${folder}")
    get_filename_component(proto_folder "${DUOSCOPE_ONNX_PROTO}" DIRECTORY)
    get_filename_component(proto_stem "${DUOSCOPE_ONNX_PROTO}" NAME_WE)
    add_custom_command(
        OUTPUT "${folder}/${proto_stem}.pb.cc" "${folder}/${proto_stem}.pb.h"
        COMMAND protobuf::protoc "--cpp_out=lite:${folder}" -I "${proto_folder}" "${DUOSCOPE_ONNX_PROTO}"
        DEPENDS "${DUOSCOPE_ONNX_PROTO}" protobuf::protoc
        COMMENT "Compiling ${proto_stem}.proto"
        VERBATIM)
    add_library(duo_onnx_proto STATIC "${folder}/${proto_stem}.pb.cc" "${folder}/${proto_stem}.pb.h")
    target_compile_features(duo_onnx_proto PUBLIC cxx_std_20)
    target_compile_options(duo_onnx_proto PRIVATE -w)
    target_include_directories(duo_onnx_proto SYSTEM PUBLIC "${folder}")
    target_link_libraries(duo_onnx_proto PUBLIC protobuf::libprotobuf-lite)
    set_target_properties(duo_onnx_proto PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_CLANG_TIDY "" AUTOMOC OFF)
endfunction()
