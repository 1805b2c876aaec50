// SPDX-License-Identifier: Apache-2.0
#include "core/graph/label_places.h"

#include "core/graph/view_dot.h"
#include "tests/support/picture_judge.h"
#include "tests/support/pictured_models.h"
#include "tests/support/view_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace duo {
namespace {

constexpr Size kText{10, 9};
constexpr double kMargin = 400; // px: room on all sides

Point topLeftOf(Point middle)
{
    return {middle.x - kText.width / 2, middle.y - kText.height / 2};
}

bool isMet(const PictureLayout& picture, Point middle)
{
    return std::ranges::any_of(picture.lines, [&](const std::vector<Point>& line) {
        for (std::size_t p = 1; p < line.size(); ++p) {
            if (test::leadsThrough(line[p - 1], line[p], topLeftOf(middle), kText))
                return true;
        }
        return false;
    });
}

PictureLayout linesOf(std::vector<std::vector<Point>> lines)
{
    PictureLayout picture;
    picture.lines = std::move(lines);
    return picture;
}

TEST(LabelPlaces, AreBesideTheirLineWhateverItsSlope)
{
    for (const Point to : {Point{100, 300}, Point{400, 300}, Point{-400, 300}, Point{400, 0}, Point{-400, 0},
             Point{100, -300}, Point{400, -1}}) {
        const auto picture = linesOf({{{100, 0}, {100 + to.x, to.y}}});
        EXPECT_FALSE(isMet(picture, LabelPlaces({}, picture, kMargin).take(0, kText))) << to.x << " " << to.y;
    }
}

TEST(LabelPlaces, VerticalPiecesComeFirst)
{
    const auto picture = linesOf({{{0, 0}, {0, 40}, {500, 140}, {500, 160}}});
    const Point place = LabelPlaces({}, picture, kMargin).take(0, kText);
    EXPECT_EQ(place.y, 20);
    EXPECT_GT(place.x, 5);
    EXPECT_LT(place.x, 15);
}

TEST(LabelPlaces, TextsKeepOffOtherLinesBoxesAndTexts)
{
    ViewGraph view;
    view.boxes.resize(1);
    auto picture = linesOf({{{0, 0}, {0, 100}}, {{0, 0}, {0, 100}}, {{8, 0}, {8, 100}}});
    picture.frames = {{{-200, 0}, {195, 45}}}; // left of them, down to below their middle
    LabelPlaces places(view, picture, kMargin);
    const Point first = places.take(0, kText);
    EXPECT_LT(first.x, 0); // no room between the lines
    EXPECT_GT(first.y, 45 + kText.height / 2);
    const Point second = places.take(1, kText);
    EXPECT_LT(second.x, 0);
    EXPECT_GE(std::abs(second.y - first.y), kText.height);
}

TEST(LabelPlaces, TextsStandOnTheSheetWhole)
{
    auto picture = linesOf({{{28, 0}, {28, 100}}, {{2, 0}, {2, 12}}});
    picture.size = {30, 100};
    LabelPlaces places({}, picture, 3);
    EXPECT_LT(places.take(0, kText).x, 28) << "right of the line it would be cut";
    EXPECT_EQ(places.take(1, {36, 9}).x, 15) << "as wide as the sheet: over the line, but whole";
}

class LabelsOfModels : public testing::TestWithParam<test::PicturedModel>
{
};

TEST_P(LabelsOfModels, StandOnNoLine)
{
    const auto snapshot = test::openPictured(GetParam());
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    const ViewGraph view = test::viewOf(
        *snapshot->model, *snapshot->scopes, nullptr, test::openWithin(*snapshot->model, *snapshot->scopes, 250));
    LayoutComposer composer({});
    const BoxSizes sizes = drawingSize;
    const auto shape = composer.shapeFor(view, sizes, 1.4);
    ASSERT_TRUE(shape);
    const auto picture = composer.compose(view, sizes, {}, *shape);
    ASSERT_TRUE(picture);
    LabelPlaces places(view, *picture, kMargin);
    std::size_t met = 0;
    for (std::size_t e = 0; e < view.edges.size(); ++e)
        met += isMet(*picture, places.take(e, kText)) ? 1 : 0;
    EXPECT_EQ(met, 0U) << "of " << view.edges.size();
}

INSTANTIATE_TEST_SUITE_P(Models, LabelsOfModels, testing::ValuesIn(test::picturedModels()));

} // namespace
} // namespace duo
