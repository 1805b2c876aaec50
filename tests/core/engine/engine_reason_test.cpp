// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_reason.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(EngineReason, IsOneLineWithoutSourcePositions)
{
    EXPECT_EQ(engineReason("Node (x) failed.\n /onnxruntime_src/onnxruntime/core/graph/graph.cc:12 Bad shape.\n"),
        "Node (x) failed. Bad shape");
}

TEST(EngineReason, SaysHowToNameALibraryOfOperators)
{
    EXPECT_EQ(engineReason("Fatal error: my:Op(-1) is not a registered function/op"),
        "Fatal error: my:Op(-1) is not a registered function/op; name the library that has it with --custom-ops");
}

TEST(EngineReason, KeepsPathsOfTheUser)
{
    EXPECT_EQ(engineReason("Load model from /tmp/a.onnx failed"), "Load model from /tmp/a.onnx failed");
}

} // namespace
} // namespace duo
