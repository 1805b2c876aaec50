// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout_composer.h"

#include "core/graph/layout/layered_layout.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

ViewBox box(const std::string& title, std::int32_t parent = -1, bool open = false)
{
    ViewBox result;
    result.kind = open ? ViewBox::Kind::Scope : ViewBox::Kind::Node;
    result.title = title;
    result.parent = parent;
    result.open = open;
    return result;
}

Size sizeOf(const ViewBox& box)
{
    return {box.open ? 60.0 : 100.0, 30};
}

/// in -> [a: p -> q] -> [b: [c: r -> s]] -> out, and in -> s across two borders
ViewGraph nested()
{
    ViewGraph view;
    view.boxes = {box("in"), box("a", -1, true), box("p", 1), box("q", 1), box("b", -1, true), box("c", 4, true),
        box("r", 5), box("s", 5), box("out")};
    view.edges = {{0, 2, "", 1, {}}, {2, 3, "", 1, {}}, {3, 6, "", 1, {}}, {6, 7, "", 1, {}}, {0, 7, "", 1, {}},
        {7, 8, "", 1, {}}};
    return view;
}

bool isInside(const PictureLayout::Frame& inner, const PictureLayout::Frame& outer)
{
    return inner.topLeft.x >= outer.topLeft.x && inner.topLeft.y >= outer.topLeft.y + kTitleBarHeight
        && inner.topLeft.x + inner.size.width <= outer.topLeft.x + outer.size.width
        && inner.topLeft.y + inner.size.height <= outer.topLeft.y + outer.size.height;
}

bool touches(const PictureLayout::Frame& frame, Point point)
{
    constexpr double kNear = 0.01;
    return point.x > frame.topLeft.x - kNear && point.x < frame.topLeft.x + frame.size.width + kNear
        && point.y > frame.topLeft.y - kNear && point.y < frame.topLeft.y + frame.size.height + kNear;
}

TEST(LayoutComposer, OpenBoxesHoldTheirBoxesBelowTheTitleBar)
{
    const ViewGraph view = nested();
    const auto picture = LayoutComposer({}).compose(view, sizeOf);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->engine, "layered");
    for (std::size_t b = 0; b < view.boxes.size(); ++b) {
        const std::int32_t parent = view.boxes[b].parent;
        EXPECT_TRUE(parent < 0 || isInside(picture->frames[b], picture->frames[static_cast<std::size_t>(parent)]))
            << view.boxes[b].title;
    }
}

TEST(LayoutComposer, LinesJoinTheirBoxesAcrossBorders)
{
    const ViewGraph view = nested();
    const auto picture = LayoutComposer({}).compose(view, sizeOf);
    ASSERT_TRUE(picture);
    for (std::size_t e = 0; e < view.edges.size(); ++e) {
        EXPECT_TRUE(touches(picture->frames[view.edges[e].from], picture->lines[e].front())) << e;
        EXPECT_TRUE(touches(picture->frames[view.edges[e].to], picture->lines[e].back())) << e;
    }
    const auto& across = picture->lines[4]; // in -> s: enters b, then c, from above
    const auto crosses = [&](const PictureLayout::Frame& frame) {
        return std::any_of(
            across.begin(), across.end(), [&](Point p) { return std::abs(p.y - frame.topLeft.y) < 0.01; });
    };
    EXPECT_TRUE(crosses(picture->frames[4]));
    EXPECT_TRUE(crosses(picture->frames[5]));
}

TEST(LayoutComposer, EqualScopesAreLaidOutOnce)
{
    ViewGraph view;
    for (std::int32_t layer = 0; layer < 24; ++layer) {
        view.boxes.push_back(box("layer", -1, true));
        view.boxes.push_back(box("p", layer * 3));
        view.boxes.push_back(box("q", layer * 3));
        const auto first = static_cast<std::uint32_t>(layer) * 3;
        view.edges.push_back({first + 1, first + 2, "", 1, {}});
        if (layer > 0)
            view.edges.push_back({first - 1, first + 1, "", 1, {}});
    }
    int calls = 0;
    LayoutComposer composer([&](const LayoutInput& input) {
        ++calls;
        return layeredLayout(input);
    });
    ASSERT_TRUE(composer.compose(view, sizeOf));
    EXPECT_EQ(calls, 4); // first, middle and last layers differ in their ports; and the picture
    const auto again = composer.compose(view, sizeOf);
    ASSERT_TRUE(again);
    EXPECT_EQ(calls, 4);
}

TEST(LayoutComposer, AFailingEngineIsReplacedByTheLayeredOne)
{
    int calls = 0;
    LayoutComposer composer([&](const LayoutInput&) -> Result<LayoutResult> {
        ++calls;
        return Error{ErrorCode::EngineFailed, "killed", {}, {}};
    });
    const auto picture = composer.compose(nested(), sizeOf);
    ASSERT_TRUE(picture);
    EXPECT_EQ(*picture, *LayoutComposer({}).compose(nested(), sizeOf));
    EXPECT_EQ(calls, 4);
}

TEST(LayoutComposer, ScopesWithManyCrossedRowsAreNotForTheTidyEngine)
{
    ViewGraph view;
    for (std::uint32_t b = 0; b < 25; ++b) {
        view.boxes.push_back(box("b"));
        for (std::uint32_t from = 0; from < b; ++from)
            view.edges.push_back({from, b, "", 1, {}});
    }
    bool asked = false;
    LayoutComposer composer([&](const LayoutInput& input) {
        asked = true;
        return layeredLayout(input);
    });
    ASSERT_TRUE(composer.compose(view, sizeOf));
    EXPECT_FALSE(asked);
}

TEST(LayoutComposer, KeptLayoutsAreBoundedAndStillRight)
{
    LayoutComposer tight({}, 1);
    EXPECT_EQ(*tight.compose(nested(), sizeOf), *LayoutComposer({}).compose(nested(), sizeOf));
    EXPECT_EQ(*tight.compose(nested(), sizeOf), *LayoutComposer({}).compose(nested(), sizeOf));
}

TEST(LayoutComposer, StopsBetweenScopes)
{
    std::stop_source source;
    source.request_stop();
    const auto picture = LayoutComposer({}).compose(nested(), sizeOf, {source.get_token(), {}});
    ASSERT_FALSE(picture);
    EXPECT_EQ(picture.error(), cancelledError());
}

TEST(LayoutComposer, AnEmptyViewIsAnEmptyPicture)
{
    const auto picture = LayoutComposer({}).compose({}, sizeOf);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->size, Size{});
}

} // namespace
} // namespace duo
