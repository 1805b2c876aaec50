// SPDX-License-Identifier: Apache-2.0
#include "core/state/same_ports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;

TEST(SamePorts, GoByNameAndTheOthersByTheirOrderWhereNoneCameOrWent)
{
    using testing::Optional;
    EXPECT_THAT(samePorts({"a", "b", "c"}, {"c", "x", "a"}), ElementsAre(Optional(2U), Optional(1U), Optional(0U)));
    EXPECT_THAT(samePorts({"a", "b"}, {"x", "a", "y"}), ElementsAre(Optional(1U), std::nullopt));
    EXPECT_THAT(samePorts({}, {"x"}), ElementsAre());
}

TEST(InNumbersOf, GivesAsManyOutputsAsWereRecordedWhateverTheirNames)
{
    const GraphRecord recorded{{{"a", "Relu", "", {}, {-2}}}, {0, 0}, std::vector<std::string>{"x"}, {}};
    const GraphRecord present{{{"b", "Relu", "", {}, {-2}}}, {0}, std::vector<std::string>{"x"}, {"y"}};
    EXPECT_THAT(inNumbersOf(recorded, present).outputs, ElementsAre(-1, -1));
}

} // namespace
} // namespace duo
