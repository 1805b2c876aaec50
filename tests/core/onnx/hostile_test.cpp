// SPDX-License-Identifier: Apache-2.0
// The hostile files of the test data: each one clear line.
#include "core/onnx/reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace duo {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(DUO_TEST_DATA) / "hostile";

/// Error lines with the folder's path replaced by "DIR"; "" for a file that opens.
const std::map<std::string, std::string>& expectedLines()
{
    static const std::map<std::string, std::string> kLines{
        {"cycle.onnx",
            "the graph has a cycle: node 'second': export the model again; a node must not read its own result"},
        {"deep_bodies.onnx", "the ONNX file is nested too deeply: DIR/deep_bodies.onnx: export the model again"},
        {"defined_twice.onnx", "value 'y' is defined twice: DIR/defined_twice.onnx: export the model again"},
        {"dims_overflow.onnx",
            "tensor 'w' has a negative dimension or too many elements: DIR/dims_overflow.onnx: export the model again"},
        {"empty.onnx", "not an ONNX model: DIR/empty.onnx: the file is empty, copy or download it again"},
        {"external_absolute.onnx",
            "external data of tensor 'w' lies outside the model's folder: /etc/hostname: if you trust the model, allow "
            "the "
            "folder of that file with --allow-external"},
        {"external_beyond.onnx",
            "external data of tensor 'w' ends behind its file: DIR/external.bin: it needs 64 bytes from byte 8 on and "
            "the "
            "file has 16, copy or download the file again"},
        {"external_folder.onnx", "external data of tensor 'w': not a regular file: DIR/.: put the data file there"},
        {"external_hidden_parent.onnx",
            "external data of tensor 'w' lies outside the model's folder: inside/../../models/external/first.bin: if "
            "you "
            "trust the model, allow the folder of that file with --allow-external"},
        {"external_missing.onnx",
            "external data of tensor 'w' is missing: DIR/nowhere.bin: put this file beside the model"},
        {"external_nameless.onnx",
            "tensor 'w' is external, but names no file: DIR/external_nameless.onnx: export the model again"},
        {"external_negative.onnx",
            "external data of tensor 'w' has a broken offset '-8': DIR/external_negative.onnx: export the model again"},
        {"external_overflow.onnx",
            "external data of tensor 'w' ends behind its file: DIR/external.bin: it needs 64 bytes from byte "
            "18446744073709551600 on and the file has 16, copy or download the file again"},
        {"external_parent.onnx",
            "external data of tensor 'w' lies outside the model's folder: ../models/external/first.bin: if you trust "
            "the "
            "model, allow the folder of that file with --allow-external"},
        {"external_short.onnx",
            "tensor 'w' has 16 bytes of external data, its shape and type need 64: DIR/external.bin: export the model "
            "again"},
        {"function_explosion.onnx",
            "the model has more than 500000 nodes with all function calls expanded: DIR/function_explosion.onnx: "
            "split "
            "it, or call its functions less often"},
        {"function_reads_undefined_value.onnx",
            "node 'call0' reads 'missing', which nothing defines: function 'Double': export the model again"},
        {"future_ir.onnx", "the model has IR version 9999: DIR/future_ir.onnx: export it with IR version 14 or older"},
        {"huge_dims.onnx", "tensor 'w' has too many elements: DIR/huge_dims.onnx: export the model again"},
        {"initializer_clashes_with_node.onnx",
            "value 'h' is defined twice: DIR/initializer_clashes_with_node.onnx: export the model again"},
        {"initializer_defined_twice.onnx",
            "value 'w' is defined twice: DIR/initializer_defined_twice.onnx: export the model again"},
        {"length_bomb.onnx", "the ONNX file is truncated: DIR/length_bomb.onnx: copy or download it again"},
        {"loop_body_input_is_initializer.onnx", ""},
        {"mutually_recursive_functions.onnx", "function 'Ping' calls itself: node 'call0': export the model again"},
        {"nameless_initializer.onnx",
            "an initializer has no name: DIR/nameless_initializer.onnx: export the model again"},
        {"negative_dims.onnx",
            "tensor 'w' has a negative dimension or too many elements: DIR/negative_dims.onnx: export the model again"},
        {"no_graph.onnx",
            "not an ONNX model: DIR/no_graph.onnx: the file holds something else or is damaged, name a model exported "
            "to "
            "ONNX"},
        {"not_finite.onnx", ""},
        {"odd_names.onnx", ""},
        {"recursion_through_a_body.onnx", "function 'Again' calls itself: node 0 (Again): export the model again"},
        {"recursive_function.onnx", "function 'Loop' calls itself: node 'call1': export the model again"},
        {"self_cycle.onnx",
            "the graph has a cycle: node 'add': export the model again; a node must not read its own result"},
        {"short_float_data.onnx",
            "tensor 'w' has 12 bytes, its shape and type need 64: DIR/short_float_data.onnx: export the model again"},
        {"short_raw_data.onnx",
            "tensor 'w' has 60 bytes, its shape and type need 64: DIR/short_raw_data.onnx: export the model again"},
        {"text.onnx", "not an ONNX model: DIR/text.onnx: this is a text file, name a model exported to ONNX"},
        {"truncated.onnx", "the ONNX file is truncated: DIR/truncated.onnx: copy or download it again"},
        {"undefined_output.onnx",
            "graph output 'y' is produced by nothing: DIR/undefined_output.onnx: export the model again"},
        {"undefined_value.onnx",
            "node 'matmul' reads 'nowhere', which nothing defines: DIR/undefined_value.onnx: export the model again"},
        {"unknown_element_type.onnx",
            "tensor 'w' has element type 99, which this program does not know: DIR/unknown_element_type.onnx: export "
            "the "
            "model with an older IR version"},
        {"unknown_operator.onnx", ""},
        {"wrong_attributes.onnx",
            "node 'conv' (Conv) has not the 2 inputs it needs: DIR/wrong_attributes.onnx: export the model again"},
        {"wrong_quantizers.onnx", ""},
    };
    return kLines;
}

std::string lineOf(const fs::path& file)
{
    const auto model = readModel(file);
    std::string line = model ? "" : model.error().line();
    for (std::size_t at = line.find(kFolder.string()); at != std::string::npos; at = line.find(kFolder.string()))
        line.replace(at, kFolder.string().size(), "DIR");
    return line;
}

TEST(HostileFiles, EachIsOneClearLine)
{
    for (const auto& [file, expected] : expectedLines())
        EXPECT_EQ(lineOf(kFolder / file), expected) << file;
}

TEST(HostileFiles, AllAreExpectedHere)
{
    for (const auto& entry : fs::directory_iterator(kFolder)) {
        if (entry.path().extension() == ".onnx") {
            EXPECT_TRUE(expectedLines().contains(entry.path().filename().string())) << entry.path();
        }
    }
}

TEST(HostileFiles, OtherKindsOfFileAreNamed)
{
    const fs::path cases = fs::path(DUO_TEST_DATA) / "cases";
    EXPECT_EQ(readModel(cases / "tied_sd.bin").error().whatToDo,
        "this is a zip archive, unpack it, or export a PyTorch model to ONNX");
    EXPECT_EQ(readModel(cases / "README.md").error().whatToDo, "this is a text file, name a model exported to ONNX");
    EXPECT_EQ(readModel(cases).error().what, "not a regular file");
    EXPECT_EQ(readModel(cases / "absent.onnx").error().code, ErrorCode::FileNotReadable);
}

} // namespace
} // namespace duo
