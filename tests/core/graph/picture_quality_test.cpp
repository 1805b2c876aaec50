// SPDX-License-Identifier: Apache-2.0
// What a first picture must be for every kind of model: no line through a box or a title, no overlap, a pane that is
// filled, and no more boxes than the eye takes in.
#include "core/graph/layout_composer.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "tests/core/graph/degenerate_graphs.h"
#include "tests/core/graph/drawn_view.h"
#include "tests/support/model_builder.h"
#include "tests/support/view_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

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

class Judge
{
public:
    Judge(const ViewGraph& view, const PictureLayout& picture)
        : m_view(view)
        , m_picture(picture)
    {
    }

    [[nodiscard]] std::size_t linesThroughBoxes() const
    {
        std::size_t count = 0;
        for (std::size_t e = 0; e < m_view.edges.size(); ++e) {
            for (std::uint32_t b = 0; b < m_view.boxes.size(); ++b)
                count += !isAround(b, e) && isHit(e, m_picture.frames[b].topLeft, m_picture.frames[b].size) ? 1 : 0;
        }
        return count;
    }

    [[nodiscard]] std::size_t linesThroughTitles() const
    {
        std::size_t count = 0;
        for (std::size_t e = 0; e < m_view.edges.size(); ++e) {
            for (std::size_t b = 0; b < m_view.boxes.size(); ++b) {
                const auto& frame = m_picture.frames[b];
                const Point title{frame.topLeft.x + frame.titleLeft, frame.topLeft.y};
                count += m_view.boxes[b].open && isHit(e, title, sizeOf(m_view.boxes[b])) ? 1 : 0;
            }
        }
        return count;
    }

    [[nodiscard]] std::size_t overlaps() const
    {
        std::size_t count = 0;
        for (std::size_t a = 0; a < m_view.boxes.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b)
                count += m_view.boxes[a].parent == m_view.boxes[b].parent && areOver(a, b) ? 1 : 0;
        }
        return count;
    }

private:
    /// Whether an edge starts or ends inside an open box.
    [[nodiscard]] bool isAround(std::uint32_t box, std::size_t edge) const
    {
        for (const std::uint32_t end : {m_view.edges[edge].from, m_view.edges[edge].to}) {
            for (std::int32_t at = m_view.boxes[end].parent; at >= 0;
                 at = m_view.boxes[static_cast<std::size_t>(at)].parent) {
                if (at == static_cast<std::int32_t>(box))
                    return true;
            }
        }
        return false;
    }

    [[nodiscard]] bool isHit(std::size_t edge, Point topLeft, Size size) const
    {
        const auto& line = m_picture.lines[edge];
        for (std::size_t p = 1; p < line.size(); ++p) {
            if (test::leadsThrough(line[p - 1], line[p], topLeft, size))
                return true;
        }
        return false;
    }

    [[nodiscard]] bool areOver(std::size_t a, std::size_t b) const
    {
        const auto& one = m_picture.frames[a];
        const auto& two = m_picture.frames[b];
        return one.topLeft.x + 0.1 < two.topLeft.x + two.size.width
            && two.topLeft.x + 0.1 < one.topLeft.x + one.size.width
            && one.topLeft.y + 0.1 < two.topLeft.y + two.size.height
            && two.topLeft.y + 0.1 < one.topLeft.y + one.size.height;
    }

    const ViewGraph& m_view;
    const PictureLayout& m_picture;
};

void expectGoodPictures(const Model& model, const Scopes& scopes, const std::string& name)
{
    const ViewGraph view = test::viewOf(model, scopes, nullptr, test::openWithin(model, scopes, kFirstBoxes));
    const auto stubs = std::ranges::count(view.boxes, ViewBox::Kind::Stub, &ViewBox::kind);
    EXPECT_LE(view.boxes.size() - static_cast<std::size_t>(stubs), kFirstBoxes) << name;
    LayoutComposer composer({});
    for (const double aspect : {0.8, 1.5, 2.2}) {
        const auto shape = composer.shapeFor(view, sizeOf, aspect);
        ASSERT_TRUE(shape) << name;
        for (const double spread : {shape->spread, kLeastSpread}) {
            const auto picture = composer.compose(view, sizeOf, {}, {shape->whole, shape->inside, spread});
            ASSERT_TRUE(picture) << name;
            const Judge judge(view, *picture);
            EXPECT_EQ(judge.linesThroughBoxes(), 0U) << name << " " << aspect << " " << spread;
            EXPECT_EQ(judge.linesThroughTitles(), 0U) << name << " " << aspect << " " << spread;
            EXPECT_EQ(judge.overlaps(), 0U) << name << " " << aspect << " " << spread;
            const double filled = picture->size.width / picture->size.height / aspect;
            EXPECT_GE(std::min(filled, 1 / filled), spread == shape->spread ? 0.6 : 0.0) << name << " " << aspect;
        }
    }
}

class PictureQuality : public testing::TestWithParam<std::string>
{
};

TEST_P(PictureQuality, FillsThePaneWithoutALineThroughABox)
{
    const auto snapshot = openScopes(GetParam());
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    expectGoodPictures(*snapshot->model, *snapshot->scopes, std::filesystem::path(GetParam()).filename());
}

INSTANTIATE_TEST_SUITE_P(Models, PictureQuality,
    testing::Values(DUO_SAMPLES "/digits_conv.onnx", DUO_SAMPLES "/digits_transformer.onnx",
        DUO_FILLED_MODELS "/resnet18.onnx", DUO_FILLED_MODELS "/resnet18.dynamo.onnx",
        DUO_FILLED_MODELS "/mobilenet_v2.onnx", DUO_FILLED_MODELS "/bert_encoder.onnx",
        DUO_FILLED_MODELS "/bert_encoder.dynamo.onnx", DUO_TEST_DATA "/exports/gpt2.script.onnx",
        DUO_TEST_DATA "/exports/gpt2.dynamo.onnx"));

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
