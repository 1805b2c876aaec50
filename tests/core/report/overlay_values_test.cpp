// SPDX-License-Identifier: Apache-2.0
#include "core/report/overlay_values.h"

#include "core/graph/overlay_colours.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "tests/support/data_elsewhere.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

class OverlayValues : public testing::Test
{
protected:
    OverlayValues()
    {
        auto opened = openSnapshot(std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
        EXPECT_TRUE(opened) << opened.error().line();
        m_snapshot = *std::move(opened);
    }

    [[nodiscard]] OverlaySources sources() const
    {
        return {*m_snapshot.model, *m_snapshot.scopes, m_snapshot.placement.get()};
    }
    [[nodiscard]] Overlay overlay(OverlayKind kind) const
    {
        auto made = makeOverlay(kind, sources());
        EXPECT_TRUE(made) << overlayKindText(kind);
        return made.value_or(Overlay());
    }
    [[nodiscard]] NodeId node(const char* name) const { return m_snapshot.model->findNode(name); }

    Snapshot m_snapshot;
};

TEST_F(OverlayValues, DecisionsAreStates)
{
    const Overlay decisions = overlay(OverlayKind::Decision);
    ASSERT_EQ(decisions.ofNode.size(), m_snapshot.model->nodes.size());
    const NodeId conv = node("/encoder/stem/conv/Conv");
    EXPECT_EQ(decisions.categories[static_cast<std::size_t>(*decisions.ofNode[conv.index])], "quantized");
}

TEST_F(OverlayValues, PrecisionsAreBits)
{
    const Overlay precisions = overlay(OverlayKind::Precision);
    const NodeId conv = node("/encoder/stem/conv/Conv");
    EXPECT_EQ(overlayText(precisions, *precisions.ofNode[conv.index]), "8 bit");
    for (const std::string& category : precisions.categories)
        EXPECT_FALSE(category.empty());
}

TEST_F(OverlayValues, ParametersOfTheRootAreThoseOfTheModel)
{
    const Overlay parameters = overlay(OverlayKind::Parameters);
    EXPECT_EQ(parameters.ofExecution.front(), parameters.whole);
    EXPECT_EQ(parameters.whole, static_cast<double>(m_snapshot.scopes->execution.scopes.front().totalParameters));
    EXPECT_TRUE(parameters.ofNode[node("/encoder/stem/conv/Conv").index]);
    const Overlay bytes = overlay(OverlayKind::Bytes);
    EXPECT_EQ(bytes.whole, 4 * parameters.whole) << "float32";
    EXPECT_EQ(overlay(OverlayKind::Bytes).ofNode[node("/encoder/stem/conv/Conv").index], 4.0 * (32 * 9 + 32));
}

TEST_F(OverlayValues, BytesAreToldOfDataThatAreAbsentToo)
{
    const test::TemporaryFolder folder;
    const auto elsewhere = test::writeDataElsewhere(folder, std::filesystem::path(DUO_SAMPLES) / "digits_conv.onnx");
    const Overlay whole = overlay(OverlayKind::Bytes);
    auto opened = openSnapshot(elsewhere.model);
    ASSERT_TRUE(opened) << opened.error().line();
    m_snapshot = *std::move(opened);
    EXPECT_EQ(overlay(OverlayKind::Bytes).ofNode, whole.ofNode);
}

TEST_F(OverlayValues, ATensorThatWasMadeOfSeveralParametersCountsOnce)
{
    const NodeId conv = node("/encoder/stem/conv/Conv");
    auto folded = withCheckpoint(m_snapshot, DUO_SAMPLES "/digits_conv.safetensors", 1, {});
    ASSERT_TRUE(folded) << folded.error().line();
    m_snapshot = *std::move(folded);
    EXPECT_EQ(overlay(OverlayKind::Parameters).ofNode[conv.index], 32 * 9 + 32); // a norm is folded into both
}

TEST_F(OverlayValues, WhatWasNotMeasuredHasNoOverlay)
{
    for (const OverlayKind kind : {OverlayKind::Range, OverlayKind::Error, OverlayKind::Sensitivity, OverlayKind::Time,
             OverlayKind::Half, OverlayKind::Difference})
        EXPECT_FALSE(makeOverlay(kind, sources())) << overlayKindText(kind);
    OverlaySources unplaced = sources();
    unplaced.placement = nullptr;
    EXPECT_FALSE(makeOverlay(OverlayKind::Precision, unplaced));
}

TEST_F(OverlayValues, SensitivityOfANodeIsThatOfTheSmallestGroup)
{
    SensitivityReport report;
    const std::string conv = "/encoder/stem/conv/Conv";
    report.groups.resize(2);
    report.groups[0].name = "encoder";
    report.groups[0].nodes = {conv, "/encoder/layer1/layer1.0/second/Conv"};
    report.groups[0].shareAlone = report.groups[0].shareTaken = 0.5;
    report.groups[1].kind = GroupKind::Node;
    report.groups[1].name = conv;
    report.groups[1].nodes = {conv};
    report.groups[1].shareAlone = report.groups[1].shareTaken = 0.2;
    OverlaySources with = sources();
    with.sensitivity = &report;
    const auto made = makeOverlay(OverlayKind::Sensitivity, with);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->ofNode[node(conv.c_str()).index], 0.2);
    EXPECT_EQ(made->ofExecution[m_snapshot.scopes->execution.find("encoder").index], 0.5) << "measured as a whole";
}

TEST_F(OverlayValues, WhatStaysIn32BitsSaysWhy)
{
    const std::string conv = "/encoder/stem/conv/Conv";
    const std::string second = "/encoder/layer1/layer1.0/second/Conv";
    const std::string pool = "/head/pool/GlobalAveragePool";
    const PassReport half{"half", 1, {}, false, {}, {{conv, "encoder", {}}},
        {{second, "encoder", "reads 'x'"}, {pool, "head", "GlobalAveragePool loses most in 16 bits"}}};
    OverlaySources with = sources();
    with.half = &half;
    const auto made = makeOverlay(OverlayKind::Half, with);
    ASSERT_TRUE(made);
    const auto textOf
        = [&](const std::string& name) { return overlayText(*made, *made->ofNode[node(name.c_str()).index]); };
    EXPECT_EQ(textOf(conv), "16 bits");
    EXPECT_EQ(textOf(second), "32 bits: values, rules");
    EXPECT_EQ(textOf(pool), "32 bits: operator") << "whatever its values are";
    EXPECT_EQ(made->whyOf(node(second.c_str())), "reads 'x'");
    EXPECT_EQ(made->whyOf(node(conv.c_str())), "");
}

TEST_F(OverlayValues, TimesAreSummedAndShared)
{
    NodeTimes times;
    times.ofNode.resize(m_snapshot.model->nodes.size());
    times.ofNode[node("/encoder/stem/conv/Conv").index] = 30;
    times.ofNode[node("/encoder/layer1/layer1.0/second/Conv").index] = 60;
    times.kernelMicroseconds = 120;
    OverlaySources with = sources();
    with.times = &times;
    const auto made = makeOverlay(OverlayKind::Time, with);
    ASSERT_TRUE(made);
    const auto encoder = made->ofExecution[m_snapshot.scopes->execution.find("encoder").index];
    EXPECT_EQ(encoder, 90);
    EXPECT_EQ(overlayText(*made, *encoder), "75 %, 90 µs");
}

TEST_F(OverlayValues, DifferencesMarkNodesAndTheScopesAroundThem)
{
    const std::map<std::string, std::string> differences{{"/encoder/stem/conv/Conv", "other range"},
        {"/encoder/layer1/layer1.0/second/Conv", "other type"}, {"gone", "other type"}};
    OverlaySources with = sources();
    with.differences = &differences;
    const auto made = makeOverlay(OverlayKind::Difference, with);
    ASSERT_TRUE(made);
    const auto textAt = [&](const std::string& scope) {
        const auto value = made->ofExecution[m_snapshot.scopes->execution.find(scope).index];
        return value ? overlayText(*made, *value) : "";
    };
    EXPECT_EQ(overlayText(*made, *made->ofNode[node("/encoder/stem/conv/Conv").index]), "other range");
    EXPECT_EQ(std::ranges::count_if(made->ofNode, [](const auto& value) { return value.has_value(); }), 2);
    EXPECT_EQ(textAt("encoder/stem"), "other range");
    EXPECT_EQ(textAt("encoder/layer1"), "other type");
    EXPECT_EQ(textAt("encoder"), "several");
    EXPECT_EQ(textAt("head"), "");
    EXPECT_TRUE(made->ofStorage[m_snapshot.scopes->storage.find("encoder.stem").index]);
    EXPECT_TRUE(made->ofStorage.front());
    EXPECT_FALSE(stateLike(*made, 0)) << "each has a colour of its own";
}

} // namespace
} // namespace duo
