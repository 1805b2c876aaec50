// SPDX-License-Identifier: Apache-2.0
// Edges that cross in the drawn picture, beside those in dot's picture of the same boxes.
#include "app/layout/layout_client.h"
#include "core/graph/layout/layered_layout.h"
#include "core/graph/layout_composer.h"
#include "core/pipeline/snapshot/snapshot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <ostream>

namespace duo {
namespace {

constexpr std::chrono::minutes kPatient{2}; // busy machines are slow
constexpr std::size_t kFirstBoxes = 60;
constexpr std::size_t kManyBoxes = 300; // as when boxes are opened

Size sizeOf(const ViewBox& box)
{
    const double text = static_cast<double>(std::max(box.title.size(), box.subtitle.size() / 2)) * 7.4;
    return {std::min(text, 230.0) + 20, box.open ? kTitleBarHeight : 46.0};
}

/// Above 0: c lies left of the line from a to b; 0: on it.
double side(Point a, Point b, Point c)
{
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    return std::abs(area) < 1e-6 ? 0 : area;
}

bool isCrossed(Point a, Point b, Point c, Point d)
{
    return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/// Places where two lines cross; where they only touch or run along each other they do not.
std::size_t drawnCrossings(const std::vector<std::vector<Point>>& lines)
{
    std::size_t count = 0;
    for (std::size_t e = 0; e < lines.size(); ++e) {
        for (std::size_t f = 0; f < e; ++f) {
            for (std::size_t i = 1; i < lines[e].size(); ++i) {
                for (std::size_t j = 1; j < lines[f].size(); ++j)
                    count += isCrossed(lines[e][i - 1], lines[e][i], lines[f][j - 1], lines[f][j]) ? 1 : 0;
            }
        }
    }
    return count;
}

struct Crossings {
    std::size_t ours = 0;
    std::size_t dots = 0;
};

/// Of every open box of a picture in which our own order of boxes has crossings.
Crossings crossingsOf(const Model& model, const Scopes& scopes, std::size_t boxes, LayoutClient& client)
{
    Crossings found;
    const auto tidy = [&](const LayoutInput& input) -> Result<LayoutResult> {
        DUO_TRY(dot, client.layout(input));
        DUO_TRY(own, layeredLayout(input));
        DUO_TRY(advised, layeredLayout(input, &dot));
        found.dots += drawnCrossings(dot.lines);
        found.ours += drawnCrossings(advised.crossings < own.crossings ? advised.lines : own.lines);
        return dot;
    };
    LayoutComposer composer(tidy);
    const ViewGraph view = buildViewGraph(model, scopes, nullptr, openScopesWithin(model, scopes, boxes));
    EXPECT_TRUE(composer.compose(view, sizeOf));
    return found;
}

struct Case {
    std::string model;
    std::size_t moreAtFirst = 0; // crossings than dot has: our rows are others than dot's, whatever their order
    std::size_t moreOpened = 0; // likewise with many boxes open
};

std::ostream& operator<<(std::ostream& out, const Case& testCase)
{
    return out << std::filesystem::path(testCase.model).filename().string();
}

class CrossingsTest : public testing::TestWithParam<Case>
{
};

TEST_P(CrossingsTest, AreNotMoreThanDotsButWhereItIsSaid)
{
    const auto snapshot = openScopes(GetParam().model);
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    LayoutClient client(DUO_LAYOUT_HELPER, kPatient);
    const Crossings first = crossingsOf(*snapshot->model, *snapshot->scopes, kFirstBoxes, client);
    EXPECT_LE(first.ours, first.dots + GetParam().moreAtFirst);
    const Crossings opened = crossingsOf(*snapshot->model, *snapshot->scopes, kManyBoxes, client);
    EXPECT_LE(opened.ours, opened.dots + GetParam().moreOpened);
}

INSTANTIATE_TEST_SUITE_P(Models, CrossingsTest,
    testing::Values(Case{DUO_SAMPLES "/digits_conv.onnx"}, Case{DUO_SAMPLES "/digits_transformer.onnx"},
        Case{DUO_FILLED_MODELS "/resnet18.onnx"}, Case{DUO_FILLED_MODELS "/resnet18.dynamo.onnx"},
        Case{DUO_FILLED_MODELS "/mobilenet_v2.onnx"}, Case{DUO_FILLED_MODELS "/bert_encoder.onnx", 0, 4},
        Case{DUO_FILLED_MODELS "/bert_encoder.dynamo.onnx", 6, 4}, Case{DUO_TEST_DATA "/exports/gpt2.script.onnx"},
        Case{DUO_TEST_DATA "/exports/gpt2.dynamo.onnx"}));

} // namespace
} // namespace duo
