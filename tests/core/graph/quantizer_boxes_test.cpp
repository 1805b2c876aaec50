// SPDX-License-Identifier: Apache-2.0
#include "core/graph/quantizer_boxes.h"

#include "core/graph/layout_composer.h"
#include "tests/core/graph/drawn_view.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::drawn;

ViewBox node(const char* title, std::int32_t parent = -1, const char* badge = "")
{
    ViewBox box;
    box.title = title;
    box.subtitle = "n";
    box.badge = badge;
    box.parent = parent;
    return box;
}

/// source -> two readers in an open scope and one outside, all by the same quantizer of one value.
ViewGraph sharedQuantizer()
{
    ViewGraph view;
    view.boxes = {node("Conv"), node("scope"), node("Add", 1), node("Mul", 1), node("Relu")};
    view.boxes[1].kind = ViewBox::Kind::Scope;
    view.boxes[1].open = true;
    view.boxes[1].total = 2;
    view.edges = {{0, 2, "u8", 1, ValueId(5)}, {0, 3, "u8", 1, ValueId(5)}, {0, 4, "u8", 1, ValueId(5)},
        {2, 4, "", 1, ValueId(6)}};
    return view;
}

TEST(QuantizerBoxes, ReadersInOneScopeShareTheQuantizerOfAValue)
{
    EXPECT_EQ(drawn(withQuantizerBoxes(sharedQuantizer())), R"(
(Conv n)
[-scope 2]
  (Add n)
  (Mul n)
  <u8>
(Relu n)
<u8>
Conv n -> u8
u8 -> Add n
u8 -> Mul n
Conv n -> u8
u8 -> Relu n
Add n -> Relu n
)");
}

TEST(QuantizerBoxes, WeightsHaveTheirsInFrontOfTheNode)
{
    ViewGraph view;
    view.boxes = {node("Conv", -1, "s8 per channel"), node("Relu")};
    view.edges = {{0, 1, "", 1, ValueId(1)}};
    EXPECT_EQ(drawn(withQuantizerBoxes(view)), R"(
(Conv n)
(Relu n)
<W s8 per channel>
Conv n -> Relu n
W s8 per channel -> Conv n
)");
}

TEST(QuantizerBoxes, BundlesKeepTheirCount)
{
    ViewGraph view;
    view.boxes = {node("Split"), node("Concat")};
    view.edges = {{0, 1, "u8 2/3", 3, ValueId(1)}};
    EXPECT_EQ(drawn(withQuantizerBoxes(view)), R"(
(Split n)
(Concat n)
<u8 2/3>
Split n =3=> u8 2/3
u8 2/3 =3=> Concat n
)");
}

TEST(QuantizerBoxes, AreLaidOutLikeOtherBoxes)
{
    const ViewGraph view = withQuantizerBoxes(sharedQuantizer());
    LayoutComposer composer({});
    const auto picture = composer.compose(view, [](const ViewBox&) { return Size{40, 20}; }, {});
    ASSERT_TRUE(picture) << picture.error().line();
    ASSERT_EQ(picture->frames.size(), view.boxes.size());
    EXPECT_EQ(picture->lines.size(), view.edges.size());
    EXPECT_LT(picture->frames[0].topLeft.y, picture->frames[5].topLeft.y); // Conv above its quantizers
    EXPECT_LT(picture->frames[5].topLeft.y, picture->frames[2].topLeft.y); // and that above its readers
}

} // namespace
} // namespace duo
