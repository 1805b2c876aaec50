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

TEST(EngineReason, KeepsPathsOfTheUser)
{
    EXPECT_EQ(engineReason("Load model from /tmp/a.onnx failed"), "Load model from /tmp/a.onnx failed");
}

} // namespace
} // namespace duo
