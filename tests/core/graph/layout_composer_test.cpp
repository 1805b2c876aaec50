// SPDX-License-Identifier: Apache-2.0
#include "core/graph/layout_composer.h"

#include "core/graph/layout/layered_layout.h"
#include "tests/support/picture_judge.h"

#include <gtest/gtest.h>

#include <set>

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

TEST(LayoutComposer, ScopesThatAreBranchesBeginAtOneHeight)
{
    ViewGraph view; // 0 -> [2 -> 3 -> 4] -> 9, 0 -> [6 -> 8] -> 9, 0 -> 7 -> 9, and 0 -> [10] -> 9
    view.boxes = {box("fork"), box("then", -1, true), box("a", 1), box("b", 1), box("c", 1), box("else", -1, true),
        box("d", 5), box("node"), box("e", 5), box("join"), box("closed")};
    view.boxes[10].kind = ViewBox::Kind::Scope;
    view.edges = {{0, 2, "", 1, {}}, {2, 3, "", 1, {}}, {3, 4, "", 1, {}}, {4, 9, "", 1, {}}, {0, 6, "", 1, {}},
        {6, 8, "", 1, {}}, {8, 9, "", 1, {}}, {0, 7, "", 1, {}}, {7, 9, "", 1, {}}, {0, 10, "", 1, {}},
        {10, 9, "", 1, {}}};
    const BoxSizes sizes = sizeOf;
    const auto picture = LayoutComposer({}).compose(view, sizes);
    ASSERT_TRUE(picture);
    EXPECT_GT(picture->frames[1].size.height, picture->frames[5].size.height);
    EXPECT_EQ(picture->frames[1].topLeft.y, picture->frames[5].topLeft.y);
    EXPECT_EQ(picture->frames[1].topLeft.y, picture->frames[10].topLeft.y);
    const auto middle
        = [&](std::size_t b) { return picture->frames[b].topLeft.y + picture->frames[b].size.height / 2; };
    EXPECT_NEAR(middle(7), middle(1), 0.01);
    EXPECT_EQ(test::PictureJudge(view, *picture, sizes).linesThroughBoxes(), 0U);
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

/// Layers in a row, in each of which two edges cross whatever one does.
ViewGraph crossedLayers(std::int32_t count)
{
    ViewGraph view;
    for (std::int32_t layer = 0; layer < count; ++layer) {
        const auto first = static_cast<std::uint32_t>(layer) * 7;
        view.boxes.push_back(box("layer", -1, true));
        for (const char* name : {"p", "q", "r", "s", "t", "u"})
            view.boxes.push_back(box(name, layer * 7));
        for (const std::uint32_t from : {1U, 2U, 3U}) {
            for (const std::uint32_t to : {4U, 5U, 6U})
                view.edges.push_back({first + from, first + to, "", 1, {}});
        }
        if (layer > 0)
            view.edges.push_back({first - 3, first + 1, "", 1, {}});
    }
    return view;
}

TEST(LayoutComposer, TheTidyEngineIsAskedOncePerKindOfScopeAndOnlyWhereEdgesCross)
{
    const ViewGraph view = crossedLayers(24);
    int calls = 0;
    LayoutComposer composer([&](const LayoutInput& input) {
        ++calls;
        return layeredLayout(input);
    });
    ASSERT_TRUE(composer.compose(view, sizeOf));
    EXPECT_EQ(calls, 3); // first, middle and last layers differ in their ports; the picture is a chain
    ASSERT_TRUE(composer.compose(view, sizeOf));
    ASSERT_TRUE(composer.compose(view, sizeOf, {}, {1.5, 1.0}));
    EXPECT_EQ(calls, 3);
}

TEST(LayoutComposer, AFailingEngineChangesNothing)
{
    int calls = 0;
    LayoutComposer composer([&](const LayoutInput&) -> Result<LayoutResult> {
        ++calls;
        return Error{ErrorCode::EngineFailed, "killed", {}, {}};
    });
    const auto picture = composer.compose(crossedLayers(3), sizeOf);
    ASSERT_TRUE(picture);
    EXPECT_EQ(*picture, *LayoutComposer({}).compose(crossedLayers(3), sizeOf));
    EXPECT_EQ(calls, 3);
}

TEST(LayoutComposer, TheMainPathIsStraightThroughOpenBoxes)
{
    const ViewGraph view = nested();
    const auto picture = LayoutComposer({}).compose(view, sizeOf);
    ASSERT_TRUE(picture);
    const auto middle = [&](std::size_t b) { return picture->frames[b].topLeft.x + picture->frames[b].size.width / 2; };
    for (const std::size_t b : {2U, 3U, 6U, 7U, 8U}) // p, q, r, s, out
        EXPECT_NEAR(middle(b), middle(0), 0.01) << view.boxes[b].title;
}

TEST(LayoutComposer, LinesBetweenOpenBoxesDoNotCrossForTheOrderInsideThem)
{
    // [a: 1, 2, 3] -> [b: 3, 2, 1], each to one of its own
    ViewGraph view;
    view.boxes = {box("a", -1, true), box("p", 0), box("q", 0), box("r", 0), box("b", -1, true), box("s", 4),
        box("t", 4), box("u", 4)};
    view.edges = {{1, 7, "", 1, {}}, {2, 6, "", 1, {}}, {3, 5, "", 1, {}}};
    const auto picture = LayoutComposer({}).compose(view, sizeOf);
    ASSERT_TRUE(picture);
    const auto isLeft
        = [&](std::size_t a, std::size_t b) { return picture->frames[a].topLeft.x < picture->frames[b].topLeft.x; };
    EXPECT_EQ(isLeft(1, 2), isLeft(7, 6));
    EXPECT_EQ(isLeft(2, 3), isLeft(6, 5));
}

/// Two inputs, both read in each of two boxes (which hold another one around what reads) that a sum follows.
ViewGraph twoBranches()
{
    ViewGraph view;
    view.boxes = {box("x"), box("state"), box("then", -1, true), box("call", 2, true), box("p", 3), box("q", 3),
        box("else", -1, true), box("call", 6, true), box("r", 7), box("s", 7), box("sum")};
    view.edges = {{0, 4, "", 1, {}}, {4, 5, "", 1, {}}, {1, 5, "", 1, {}}, {0, 8, "", 1, {}}, {8, 9, "", 1, {}},
        {1, 9, "", 1, {}}, {5, 10, "", 1, {}}, {9, 10, "", 1, {}}};
    return view;
}

TEST(LayoutComposer, AnInputStandsBetweenBranchesWhereItsLinesCrossNoneThen)
{
    const auto picture = LayoutComposer({}).compose(twoBranches(), sizeOf);
    ASSERT_TRUE(picture);
    EXPECT_EQ(test::drawnCrossings(picture->lines), 0U);
}

TEST(LayoutComposer, TheThenBranchStandsLeftWhateverComesFirst)
{
    for (const bool isElseFirst : {true, false}) {
        ViewGraph view; // 0 -> [2 -> 3] -> 7, and 0 -> [5 -> 6] -> 7
        view.boxes = {box("in"), box("one", -1, true), box("a", 1), box("b", 1), box("other", -1, true), box("a", 4),
            box("b", 4), box("If")};
        view.edges = {{0, 2, "", 1, {}}, {0, 5, "", 1, {}}, {2, 3, "", 1, {}}, {5, 6, "", 1, {}}, {3, 7, "", 1, {}},
            {6, 7, "", 1, {}}};
        const auto asItComes = LayoutComposer({}).compose(view, sizeOf);
        view.boxes[1].key = isElseFirst ? "net/If [else]" : "net/If [then]";
        view.boxes[4].key = isElseFirst ? "net/If [then]" : "net/If [else]";
        const auto picture = LayoutComposer({}).compose(view, sizeOf);
        ASSERT_TRUE(asItComes && picture);
        const auto& frames = picture->frames;
        EXPECT_EQ(frames[1].topLeft.x > frames[4].topLeft.x, isElseFirst);
        EXPECT_LE(test::drawnCrossings(picture->lines), test::drawnCrossings(asItComes->lines));
    }
}

TEST(LayoutComposer, LinesAcrossNestStraightThroughTwoOpenBoxes)
{
    // [down: a, b, c, d] -> [up: e, f, g, h], and c, b, a to f, g, h
    ViewGraph view;
    view.boxes = {box("down", -1, true), box("a", 0), box("b", 0), box("c", 0), box("d", 0), box("up", -1, true),
        box("e", 5), box("f", 5), box("g", 5), box("h", 5)};
    for (const auto& [from, to] :
        {std::pair(1U, 2U), {2U, 3U}, {3U, 4U}, {4U, 6U}, {6U, 7U}, {7U, 8U}, {8U, 9U}, {3U, 7U}, {2U, 8U}, {1U, 9U}})
        view.edges.push_back({from, to, "", 1, {}});
    const auto picture = LayoutComposer({}).compose(view, sizeOf);
    ASSERT_TRUE(picture);
    EXPECT_EQ(test::drawnCrossings(picture->lines), 0U);
}

TEST(LayoutComposer, LinesMeetAClosedBoxInTheOrderInWhichTheyLeaveAnOpenOne)
{
    // [a: p -> q -> r], and all three to s
    ViewGraph view;
    view.boxes = {box("a", -1, true), box("p", 0), box("q", 0), box("r", 0), box("s")};
    view.edges = {{1, 2, "", 1, {}}, {2, 3, "", 1, {}}, {3, 4, "", 1, {}}, {1, 4, "", 1, {}}, {2, 4, "", 1, {}}};
    const auto picture = LayoutComposer({}).compose(view, sizeOf);
    ASSERT_TRUE(picture);
    EXPECT_EQ(test::drawnCrossings(picture->lines), 0U);
}

TEST(LayoutComposer, NoLineCrossesTheTitleOfAnOpenBox)
{
    ViewGraph view = nested();
    const auto wideTitles = [](const ViewBox& box) { return Size{box.open ? 180.0 : 100.0, 30}; };
    const auto picture = LayoutComposer({}).compose(view, wideTitles);
    ASSERT_TRUE(picture);
    for (const std::size_t b : {1U, 4U, 5U}) {
        const auto& frame = picture->frames[b];
        const Point title{frame.topLeft.x + frame.titleLeft, frame.topLeft.y};
        EXPECT_LE(frame.titleLeft + 180, frame.size.width + 0.01);
        for (const auto& line : picture->lines) {
            for (std::size_t p = 1; p < line.size(); ++p)
                EXPECT_FALSE(test::leadsThrough(line[p - 1], line[p], title, {180, kTitleBarHeight})) << b;
        }
    }
}

TEST(LayoutComposer, ScopesThatReadFromEachOtherAreEnteredFromBelow)
{
    // [a: p, q] and [b: r, s]: p -> r, and s -> q back
    ViewGraph view;
    view.boxes = {box("a", -1, true), box("p", 0), box("q", 0), box("b", -1, true), box("r", 3), box("s", 3)};
    view.edges = {{1, 4, "", 1, {}}, {4, 5, "", 1, {}}, {5, 2, "", 1, {}}};
    const auto picture = LayoutComposer({}).compose(view, sizeOf);
    ASSERT_TRUE(picture);
    const auto& a = picture->frames[0];
    const auto& b = picture->frames[3];
    EXPECT_LT(a.topLeft.y + a.size.height, b.topLeft.y);
    for (const Point& point : picture->lines[2]) { // s -> q leads up, and past no frame
        EXPECT_GE(point.y, a.topLeft.y + kTitleBarHeight);
        EXPECT_LE(point.y, b.topLeft.y + b.size.height);
    }
}

TEST(LayoutComposer, AShapeIsChosenThatFillsThePane)
{
    ViewGraph view;
    view.boxes.push_back(box("net", -1, true));
    for (std::uint32_t b = 1; b <= 60; ++b) {
        view.boxes.push_back(box("b", 0));
        if (b > 1)
            view.edges.push_back({b - 1, b, "", 1, {}});
    }
    LayoutComposer composer({});
    const auto shape = composer.shapeFor(view, sizeOf, 1.6);
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->whole, 1.6);
    EXPECT_GT(shape->inside, 0);
    const auto picture = composer.compose(view, sizeOf, {}, *shape);
    ASSERT_TRUE(picture);
    const double filled = picture->size.width / picture->size.height / 1.6;
    EXPECT_GT(std::min(filled, 1 / filled), 0.6);
}

TEST(LayoutComposer, AnOpenBoxOfFewBoxesIsReadFromTopToBottom)
{
    ViewGraph view; // three open boxes of ten, one after the other
    for (std::uint32_t b = 0; b < 33; ++b) {
        const std::uint32_t block = b / 11 * 11;
        view.boxes.push_back(b == block ? box("block", -1, true) : box("b", static_cast<std::int32_t>(block)));
        if (b > 1 && b != block)
            view.edges.push_back({b == block + 1 ? b - 2 : b - 1, b, "", 1, {}});
    }
    const auto columns = [&](const PictureShape& shape) {
        const auto picture = LayoutComposer({}).compose(view, sizeOf, {}, shape);
        std::set<double> places;
        for (std::size_t b = 2; picture && b < 11; ++b) // the first one stands beside its reader
            places.insert(picture->frames[b].topLeft.x);
        return places.size();
    };
    EXPECT_EQ(columns({.whole = 1, .inside = 1}), 1U);
    EXPECT_GT(columns({.whole = 1, .inside = 1, .straight = 9}), 1U);
}

TEST(LayoutComposer, RowsStandFartherApartWhereAFlatPictureLeavesAPaneEmpty)
{
    ViewGraph view; // seven side by side: nothing that could be wrapped
    view.boxes.resize(9, box("b"));
    for (std::uint32_t b = 1; b < 8; ++b) {
        view.edges.push_back({0, b, "", 1, {}});
        view.edges.push_back({b, 8, "", 1, {}});
    }
    LayoutComposer composer({});
    const auto wide = composer.shapeFor(view, sizeOf, 3);
    ASSERT_TRUE(wide);
    EXPECT_EQ(wide->spread, 1);
    const auto shape = composer.shapeFor(view, sizeOf, 1.6);
    ASSERT_TRUE(shape);
    EXPECT_GT(shape->spread, 1);
    const auto picture = composer.compose(view, sizeOf, {}, *shape);
    ASSERT_TRUE(picture);
    const double filled = picture->size.width / picture->size.height / 1.6;
    EXPECT_GT(std::min(filled, 1 / filled), 0.6);
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
