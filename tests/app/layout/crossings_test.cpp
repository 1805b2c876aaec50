// SPDX-License-Identifier: Apache-2.0
// Edges that cross in the drawn picture, beside those in dot's picture of the same boxes.
#include "app/layout/layout_client.h"
#include "core/graph/layout_composer.h"
#include "tests/app/layout/dot_picture.h"
#include "tests/support/picture_judge.h"
#include "tests/support/pictured_models.h"
#include "tests/support/view_graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>

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

class CrossingsTest : public testing::TestWithParam<test::PicturedModel>
{
};

TEST_P(CrossingsTest, AreNotMoreThanDots)
{
    const auto snapshot = test::openPictured(GetParam());
    ASSERT_TRUE(snapshot) << snapshot.error().line();
    LayoutClient client(DUO_LAYOUT_HELPER, kPatient);
    for (const std::size_t boxes : {kFirstBoxes, kManyBoxes}) {
        const ViewGraph view = test::viewOf(
            *snapshot->model, *snapshot->scopes, nullptr, test::openWithin(*snapshot->model, *snapshot->scopes, boxes));
        const auto dots = test::dotLines(view, sizeOf);
        LayoutComposer composer([&](const LayoutInput& input) { return client.layout(input); });
        const auto picture = composer.compose(view, sizeOf);
        ASSERT_TRUE(picture);
        const std::size_t ours = test::drawnCrossings(picture->lines);
        std::cout << GetParam() << ": " << view.boxes.size() << " boxes, " << view.edges.size() << " edges, ";
        if (!dots) {
            std::cout << ours << " crossings; dot draws nothing\n";
            continue;
        }
        const std::size_t theirs = test::drawnCrossings(*dots);
        std::cout << ours << " crossings, dot's picture " << theirs << "\n";
        EXPECT_LE(ours, theirs) << boxes;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, CrossingsTest, testing::ValuesIn(test::picturedModels()));

} // namespace
} // namespace duo
