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

TEST(EngineReason, KeepsPathsOfTheUser)
{
    const Error error = engineError("the engine refuses", "m.onnx", "Load model from /tmp/--custom-ops.onnx failed");
    EXPECT_EQ(error.whatToDo, "Load model from /tmp/--custom-ops.onnx failed");
    EXPECT_EQ(error.remedy, Remedy::None); // whatever the message names
}

} // namespace
} // namespace duo
