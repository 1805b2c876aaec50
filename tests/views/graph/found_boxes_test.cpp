// SPDX-License-Identifier: Apache-2.0
#include "views/graph/found_boxes.h"

#include "tests/views/support/picture_builder.h"
#include "tests/views/support/snapshot_builder.h"

#include <gtest/gtest.h>

namespace duo::ui {
namespace {

/// A search marks the box that is seen, once, whatever of its inside is found.
TEST(FoundBoxes, OfWhatIsInAClosedBoxAreThatBox)
{
    const auto picture = test::makePicture(test::exampleSnapshot(), {"blk"});
    const int blk = picture->boxOfKey("blk");
    const int relu = test::boxOfNode(*picture, NodeId(2));
    const FoundBoxes found{{blk, relu}, relu};
    const FoundBoxes near = shownIn(found, Detail(*picture, 1));
    EXPECT_EQ(near.boxes, (std::vector<int>{blk, relu}));
    EXPECT_EQ(near.current, relu);
    const FoundBoxes far = shownIn(found, Detail(*picture, 0.1));
    EXPECT_EQ(far.boxes, std::vector<int>{blk});
    EXPECT_EQ(far.current, blk);
}

} // namespace
} // namespace duo::ui
