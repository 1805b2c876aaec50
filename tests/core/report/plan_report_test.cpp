// SPDX-License-Identifier: Apache-2.0
#include "core/report/plan_report.h"

#include "core/pipeline/snapshot/snapshot.h"
#include "tests/support/schema_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Snapshot placedSample(const std::string& file)
{
    return *openSnapshot(std::filesystem::path(DUO_SAMPLES) / file);
}

std::string planDocument(const Model& model, const Placement& placement)
{
    std::string text;
    writePlanJson(model, placement, {}, [&](std::string_view piece) { text += piece; });
    return text;
}

TEST(PlanReport, JsonInPiecesIsThatOfADocumentAndFitsItsSchema)
{
    const Snapshot placed = placedSample("digits_conv.onnx");
    const std::string text = planDocument(*placed.model, *placed.placement);
    const auto json = nlohmann::ordered_json::parse(text);
    EXPECT_EQ(text, json.dump(2));
    EXPECT_EQ(schemaComplaints(json, "plan"), "");
    EXPECT_EQ(json["quantization_points"].size(), placed.placement->setup.points.size());
    EXPECT_EQ(json["decisions"].size(), placed.model->nodes.size());
}

TEST(PlanReport, JsonOfNothingIsADocumentToo)
{
    const std::string text = planDocument(Model{}, Placement{});
    EXPECT_EQ(text, nlohmann::ordered_json::parse(text).dump(2));
}

TEST(PlanReport, TextCountsNodesAndHasALineForEachQuantizer)
{
    const Snapshot placed = placedSample("digits_conv.onnx");
    std::string text;
    writePlanText(*placed.model, *placed.placement, {}, [&](std::string_view piece) { text += piece; });
    const std::size_t points = placed.placement->setup.points.size();
    EXPECT_THAT(text, StartsWith("nodes: "));
    EXPECT_THAT(text, HasSubstr("\nquantizers: " + std::to_string(points) + "\n  0: "));
    std::size_t lines = 0;
    for (std::size_t at = text.find("\n  "); at != std::string::npos; at = text.find("\n  ", at + 1))
        ++lines;
    EXPECT_EQ(lines, points);
}

TEST(PlanReport, SaysWhatSizeIsForeseen)
{
    const Snapshot placed = placedSample("digits_conv.onnx");
    const ForeseenSize size{461'000, 120'700};
    std::string text;
    writePlanText(*placed.model, *placed.placement, size, [&](std::string_view piece) { text += piece; });
    EXPECT_THAT(text, HasSubstr("\nsize: about 120.7 kB of 461.0 kB\nquantizers: "));
    std::string json;
    writePlanJson(*placed.model, *placed.placement, size, [&](std::string_view piece) { json += piece; });
    EXPECT_EQ(nlohmann::json::parse(json)["bytes_after"], 120'700);
}

} // namespace
} // namespace duo::test
