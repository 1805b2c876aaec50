// SPDX-License-Identifier: Apache-2.0
// What a first picture must be for every kind of model: no line through a box or a title, no overlap, a pane that is
// filled, and no more boxes than the eye takes in.
#include "core/graph/layout_composer.h"
#include "tests/core/graph/drawn_view.h"
#include "tests/support/model_builder.h"
#include "tests/support/picture_judge.h"
#include "tests/support/pictured_models.h"
#include "tests/support/view_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace duo {
namespace {

constexpr std::size_t kFirstBoxes = 60;

/// About what the window measures.
Size sizeOf(const ViewBox& box)
{
    const double title = std::min(static_cast<double>(box.title.size()) * 7.4, 230.0);
    const double subtitle = std::min(static_cast<double>(box.subtitle.size()) * 3.0, 230.0);
    if (box.open)
        return {title + subtitle + 40, kTitleBarHeight};
    return {std::max({title, subtitle, 50.0}) + 20, box.kind == ViewBox::Kind::Stub ? 27.0 : 46.0};
}

/// Bodies of one If that do not begin at one height.
std::size_t unequalBranches(const ViewGraph& view, const PictureLayout& picture)
{
    std::map<std::pair<std::int32_t, std::string>, double> tops; // by the box around them and the name of the If
    std::size_t unequal = 0;
    for (std::size_t b = 0; b < view.boxes.size(); ++b) {
        const std::string& title = view.boxes[b].title;
        if (!title.ends_with(" [then]") && !title.ends_with(" [else]"))
            continue;
        const double top = picture.frames[b].topLeft.y;
        const auto first = tops.try_emplace({view.boxes[b].parent, title.substr(0, title.rfind(" ["))}, top).first;
        unequal += std::abs(first->second - top) > 0.01 ? 1 : 0;
    }
    return unequal;
}

void expectGoodPictures(const Model& model, const Scopes& scopes, const std::string& name)
{
    const ViewGraph view = test::viewOf(model, scopes, nullptr, test::openWithin(model, scopes, kFirstBoxes));
    const auto stubs = std::ranges::count(view.boxes, ViewBox::Kind::Stub, &ViewBox::kind);
    EXPECT_LE(view.boxes.size() - static_cast<std::size_t>(stubs), kFirstBoxes) << name;
    LayoutComposer composer({});
    const BoxSizes sizes = sizeOf;
    for (const double aspect : {0.8, 1.5, 2.2}) {
        const auto shape = composer.shapeFor(view, sizes, aspect);
        ASSERT_TRUE(shape) << name;
        for (const double spread : {shape->spread, kLeastSpread}) {
            PictureShape spreadOut = *shape;
            spreadOut.spread = spread;
            const auto picture = composer.compose(view, sizes, {}, spreadOut);
            ASSERT_TRUE(picture) << name;
            const test::PictureJudge judge(view, *picture, sizes);
            EXPECT_EQ(judge.linesThroughBoxes(), 0U) << name << " " << aspect << " " << spread;
            EXPECT_EQ(judge.linesThroughTitles(), 0U) << name << " " << aspect << " " << spread;
            EXPECT_EQ(judge.slantsOfMainPath(), 0U) << name << " " << aspect << " " << spread;
            EXPECT_EQ(judge.hooks(), 0U) << name << " " << aspect << " " << spread;
            EXPECT_EQ(unequalBranches(view, *picture), 0U) << name << " " << aspect << " " << spread;
            EXPECT_EQ(judge.overlaps(), 0U) << name << " " << aspect << " " << spread;
            const double filled = picture->size.width / picture->size.height / aspect;
            EXPECT_GE(std::min(filled, 1 / filled), spread == shape->spread ? 0.6 : 0.0) << name << " " << aspect;
        }
    }
}

class PictureQuality : public testing::TestWithParam<test::PicturedModel>
{
};

TEST_P(PictureQuality, FillsThePaneWithoutALineThroughABox)
{
    const auto snapshot = test::openPictured(GetParam());
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    expectGoodPictures(*snapshot->model, *snapshot->scopes, GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(Models, PictureQuality, testing::ValuesIn(test::picturedModels()));

/// Residual blocks with a hub that every block reads, scoped or not.
std::shared_ptr<const Model> blocks(std::size_t count)
{
    test::ModelBuilder builder;
    builder.input("v0").input("hub");
    for (std::size_t i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        builder.node("Conv", "conv" + n, {"v" + n}, {"c" + n})
            .node("Relu", "relu" + n, {"c" + n}, {"r" + n})
            .node("Mul", "mul" + n, {"r" + n, "hub"}, {"m" + n})
            .node("Add", "add" + n, {"m" + n, "v" + n}, {"v" + std::to_string(i + 1)});
    }
    return builder.output("v" + std::to_string(count)).build();
}

TEST(PictureQuality, HoldsForGeneratedModelsOfAnySize)
{
    for (const std::size_t count : {7U, 20U, 500U, 2500U, 12500U}) {
        const auto model = blocks(count);
        expectGoodPictures(
            *model, test::scopesOf(std::vector<std::string>(4 * count)), "flat " + std::to_string(count));
        std::vector<std::string> paths;
        for (std::size_t n = 0; n < 4 * count; ++n)
            paths.push_back("net/layers." + std::to_string(n / 40) + "/block" + std::to_string(n / 4 % 10));
        expectGoodPictures(*model, test::scopesOf(paths), "scoped " + std::to_string(count));
    }
}

} // namespace
} // namespace duo
