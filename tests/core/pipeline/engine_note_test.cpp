// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/engine_note.h"

#include "core/model/op_facts.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

const std::string kPlanned(kMeasuredRuntime);

TEST(EngineNote, SaysThatPlansWereMadeForAnotherEngine)
{
    const auto note = engineNote(Profile::OrtCpu, "1.21.1");
    ASSERT_TRUE(note);
    EXPECT_EQ(note->kind, "other-engine");
    EXPECT_EQ(note->text,
        "plans follow what ONNX Runtime " + kPlanned
            + " computes in int8, and 1.21.1 runs here: the checks say what it makes of this export, and explain may "
              "be wrong about why a node runs in float");
    EXPECT_TRUE(engineNote(Profile::OrtCpu, kPlanned + "1.0")); // another number that begins alike
}

TEST(EngineNote, SaysNothingOfTheEngineThatPlansAreMadeForOrWhereAnotherRuntimeIsPlannedFor)
{
    EXPECT_FALSE(engineNote(Profile::OrtCpu, kPlanned + ".0"));
    EXPECT_FALSE(engineNote(Profile::OrtCpu, kPlanned));
    EXPECT_FALSE(engineNote(Profile::TensorRt, "1.21.1"));
}

} // namespace
} // namespace duo
