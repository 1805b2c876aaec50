// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_reason.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

std::string reasonOf(const std::string& message)
{
    return engineError("the engine refuses", "m.onnx", message).whatToDo;
}

TEST(EngineReason, IsOneLineWithoutSourcePositions)
{
    EXPECT_EQ(reasonOf("Node (x) failed.\n /onnxruntime_src/onnxruntime/core/graph/graph.cc:12 Bad shape.\n"),
        "Node (x) failed. Bad shape");
}

TEST(EngineReason, NamesNoFunctionOfTheEngine)
{
    EXPECT_EQ(reasonOf("Load model from m.onnx failed:/onnxruntime_src/onnxruntime/core/graph/graph.cc:1357 "
                       "onnxruntime::Graph::Graph(const onnxruntime::Model&, onnx::GraphProto*, const "
                       "std::unordered_map<std::__cxx11::basic_string<char>, int>&, bool) [ONNXRuntimeError] : 1 : "
                       "FAIL : tensorprotoutils.cc:2678 ConstantNodeProtoToTensorProto Constant node: has no data "
                       "attributes\n"),
        "Load model from m.onnx failed: Constant node: has no data attributes");
    EXPECT_EQ(reasonOf("Load model from m.onnx failed:/onnxruntime_src/onnxruntime/core/graph/graph.cc:1621 void "
                       "onnxruntime::Graph::InitializeStateFromModelFileGraphProto() This is an invalid model. "
                       "Subgraph output (x) is a value.\n"),
        "Load model from m.onnx failed: This is an invalid model. Subgraph output (x) is a value");
    EXPECT_EQ(reasonOf("/src/reader.h:7 virtual onnxruntime::Status onnxruntime::Reader<T>::Read(int (*)(int)) const "
                       "[with T = float] Bad (worse) shape"),
        "Bad (worse) shape");
}

TEST(EngineReason, NamesAnOpsetThatIsTooNew)
{
    EXPECT_EQ(reasonOf("/onnxruntime_src/onnxruntime/core/graph/model_load_utils.h:56 void "
                       "onnxruntime::model_load_utils::ValidateOpsetForDomain(const std::unordered_map<int>&, int) "
                       "ONNX Runtime only *guarantees* support for models stamped with official released onnx opset "
                       "versions. Opset 999 is under development and support for this is limited. The operator schemas "
                       "may change. Current official support for domain ai.onnx is till opset 28.\n"),
        "it is of opset 999 of ai.onnx, and this ONNX Runtime knows 28 at most: export the model with an opset that it "
        "knows");
}

TEST(EngineReason, SaysHowToNameALibraryOfOperators)
{
    const Error error
        = engineError("the engine refuses", "m.onnx", "Fatal error: my:Op(-1) is not a registered function/op");
    EXPECT_EQ(error.whatToDo,
        "Fatal error: my:Op(-1) is not a registered function/op; name the library that has it with --custom-ops");
    EXPECT_EQ(error.remedy, Remedy::NameLibrary);
}

TEST(EngineReason, SaysThatMemoryIsShort)
{
    EXPECT_EQ(reasonOf("Exception during initialization: std::bad_alloc"),
        "Exception during initialization: std::bad_alloc; there is not enough memory: close other programs, or allow "
        "more with --engine-memory (in the window Quantize > Limits)");
}

TEST(EngineReason, SaysThatTemporaryFilesCannotBeWritten)
{
    for (const char* said :
        {"Protobuf serialization failed.", "Failed to write external initializers to file: \"/tmp/weights.data\""}) {
        const Error error = engineError("the engine cannot load the model", "m.onnx", said);
        EXPECT_EQ(error.code, ErrorCode::NotWritable);
        EXPECT_EQ(error.line(), "the engine cannot write its temporary files: free some space or set TMPDIR");
    }
}

TEST(EngineReason, SaysWhatLimitsMemory)
{
    EXPECT_EQ(adviceOnLimit(RLIM_INFINITY), "");
    EXPECT_EQ(adviceOnLimit(rlim_t{800} << 20U), "virtual memory is limited to 800 MB (ulimit -v): raise the limit");
}

TEST(EngineReason, KeepsPathsOfTheUser)
{
    const Error error = engineError("the engine refuses", "m.onnx", "Load model from /tmp/--custom-ops.onnx failed");
    EXPECT_EQ(error.whatToDo, "Load model from /tmp/--custom-ops.onnx failed");
    EXPECT_EQ(error.remedy, Remedy::None); // whatever the message names
}

} // namespace
} // namespace duo
