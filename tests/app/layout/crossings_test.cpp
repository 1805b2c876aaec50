// SPDX-License-Identifier: Apache-2.0
// Edges that cross in the drawn picture, beside those in dot's picture of the same boxes.
#include "app/layout/layout_client.h"
#include "core/graph/layout_composer.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "tests/support/view_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <set>
#include <tuple>
#include <utility>

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

Point crossingOf(Point a, Point b, Point c, Point d)
{
    const double share = side(c, d, a) / (side(c, d, a) - side(c, d, b));
    return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

/// Places where lines cross; where they only touch or run along each other they do not. Lines from one source run along
/// each other as far as they can: what crosses all of them crosses one line.
std::size_t drawnCrossings(const std::vector<std::vector<Point>>& lines)
{
    std::set<std::pair<std::int64_t, std::int64_t>> places; // half px
    for (std::size_t e = 0; e < lines.size(); ++e) {
        for (std::size_t f = 0; f < e; ++f) {
            for (std::size_t i = 1; i < lines[e].size(); ++i) {
                for (std::size_t j = 1; j < lines[f].size(); ++j) {
                    const auto& [a, b, c, d] = std::tie(lines[e][i - 1], lines[e][i], lines[f][j - 1], lines[f][j]);
                    if (!isCrossed(a, b, c, d))
                        continue;
                    const Point at = crossingOf(a, b, c, d);
                    places.emplace(std::llround(2 * at.x), std::llround(2 * at.y));
                }
            }
        }
    }
    return places.size();
}

struct Case {
    std::string model;
    std::size_t dotsAtFirst = 0; // crossings in dot's picture of the same boxes in clusters (2.43, lines as polylines)
    std::size_t dotsOpened = 0; // likewise with many boxes open
};

std::ostream& operator<<(std::ostream& out, const Case& testCase)
{
    return out << std::filesystem::path(testCase.model).filename().string();
}

class CrossingsTest : public testing::TestWithParam<Case>
{
};

TEST_P(CrossingsTest, AreNotMoreThanDots)
{
    const auto snapshot = openScopes(GetParam().model);
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    LayoutClient client(DUO_LAYOUT_HELPER, kPatient);
    for (const auto& [boxes, dots] :
        {std::pair(kFirstBoxes, GetParam().dotsAtFirst), std::pair(kManyBoxes, GetParam().dotsOpened)}) {
        const ViewGraph view = test::viewOf(
            *snapshot->model, *snapshot->scopes, nullptr, test::openWithin(*snapshot->model, *snapshot->scopes, boxes));
        LayoutComposer composer([&](const LayoutInput& input) { return client.layout(input); });
        const auto picture = composer.compose(view, sizeOf);
        ASSERT_TRUE(picture);
        EXPECT_LE(drawnCrossings(picture->lines), dots) << boxes;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, CrossingsTest,
    testing::Values(Case{DUO_SAMPLES "/digits_conv.onnx"}, Case{DUO_SAMPLES "/digits_transformer.onnx"},
        Case{DUO_FILLED_MODELS "/resnet18.onnx"}, Case{DUO_FILLED_MODELS "/resnet18.dynamo.onnx"},
        Case{DUO_FILLED_MODELS "/mobilenet_v2.onnx"}, Case{DUO_FILLED_MODELS "/bert_encoder.onnx", 5, 42},
        Case{DUO_FILLED_MODELS "/bert_encoder.dynamo.onnx", 8, 51},
        Case{DUO_TEST_DATA "/exports/gpt2.script.onnx", 1, 1}, Case{DUO_TEST_DATA "/exports/gpt2.dynamo.onnx", 1, 1}));

} // namespace
} // namespace duo
