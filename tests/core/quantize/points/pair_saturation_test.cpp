// SPDX-License-Identifier: Apache-2.0
// Pairs of products in 16 bits (resources/docs/oracles.md, "Pairs of products").
#include "core/quantize/points/pair_saturation.h"

#include "core/report/note_groups.h"
#include "tests/core/pipeline/quantized_case.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::ProtoBuilder;
using test::QuantizedCase;

/// What VPMADDUBSW makes of two products.
int addedInSixteenBits(int data0, int weight0, int data1, int weight1)
{
    return std::clamp(data0 * weight0 + data1 * weight1, -32768, 32767);
}

TEST(PairSaturation, IsFoundWhereTheInstructionWouldGiveAWrongSum)
{
    std::mt19937 random(3);
    const auto number = [&](int least, int most) {
        return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
    };
    for (int i = 0; i < 10'000; ++i) {
        const std::vector<std::int8_t> weights{
            static_cast<std::int8_t>(number(-127, 127)), static_cast<std::int8_t>(number(-127, 127))};
        std::vector<CodeSpan> data;
        for (int k = 0; k < 2; ++k) {
            const int least = number(0, 255);
            data.push_back({least, number(least, 255)});
        }
        bool isWrong = false;
        for (const int a : {data[0].least, data[0].most}) {
            for (const int b : {data[1].least, data[1].most})
                isWrong
                    = isWrong || addedInSixteenBits(a, weights[0], b, weights[1]) != a * weights[0] + b * weights[1];
        }
        const PairSaturation found = saturatingPairs(weights, data);
        EXPECT_EQ(found.pairs, 1U);
        EXPECT_EQ(found.saturating, isWrong ? 1U : 0U);
    }
}

TEST(PairSaturation, LeavesALastWeightWithoutNeighbourAlone)
{
    const std::vector<std::int8_t> weights{127, 1, 127};
    const std::vector<CodeSpan> data(3);
    EXPECT_EQ(saturatingPairs(weights, data).pairs, 1U);
    EXPECT_EQ(saturatingPairs(weights, data).saturating, 0U);
    EXPECT_EQ(saturatingPairs({}, {}).share(), 0);
}

constexpr std::size_t kPlane = 16;

/// Channels that reach 1 where their number is in `loud`, else 0.01.
std::vector<float> channelsUpTo(std::size_t channels, const std::vector<std::size_t>& loud)
{
    std::vector<float> values;
    for (std::size_t c = 0; c < channels; ++c) {
        const float most = std::ranges::find(loud, c) != loud.end() ? 1.0F : 0.01F;
        for (std::size_t i = 0; i < kPlane; ++i)
            values.push_back(most * static_cast<float>(i) / (kPlane - 1));
    }
    return values;
}

/// Notes of the kind, after calibration of y = Conv(x), kernel 1x1.
std::vector<Note> notesOf(const std::vector<float>& weights, const std::vector<float>& sample,
    const std::string& settings, std::int64_t group = 1)
{
    const auto channels = static_cast<std::int64_t>(sample.size() / kPlane);
    ProtoBuilder model;
    model.input("x", {1, channels, 4, 4}).output("y", {1, 2, 4, 4});
    model.weight("w", {2, channels / group, 1, 1}, weights).weight("b", {2}, {0});
    test::addInt(model.node("Conv", "c", {"x", "w", "b"}, {"y"}), "group", group);
    QuantizedCase quantized(model, {1, channels, 4, 4}, {sample});
    quantized.quantize(R"("quantize_outputs": true)" + settings);
    std::vector<Note> notes = quantized.compression().notes;
    std::erase_if(notes, [](const Note& note) { return note.kind != "pair-saturation"; });
    return notes;
}

TEST(PairSaturation, NeighbouringLargeWeightsOfLoudChannelsSaturateWithoutVnni)
{
    const auto loud = channelsUpTo(4, {0, 1, 2, 3});
    const std::vector<float> weights{1, 1, 0.1F, -0.1F, 0.5F, -0.5F, 0.1F, 0.1F}; // one pair of four
    const auto notes = notesOf(weights, loud, R"(, "preset": "performance")");
    ASSERT_EQ(notes.size(), 1U);
    EXPECT_EQ(notes[0].where, "c");
    EXPECT_EQ(notes[0].text,
        "CPUs without VNNI may compute wrong sums in 1 node (up to 25 % of the pairs of weights leave 16 bits with "
        "data "
        "as measured); overflow_fix: enable avoids it");
    EXPECT_THAT(notesOf(weights, loud, R"(, "overflow_fix": "enable")"), testing::IsEmpty());
    EXPECT_THAT(notesOf(weights, loud, R"(, "profile": "tensorrt")"), testing::IsEmpty());
    EXPECT_THAT(notesOf({1, -1, 0.1F, 0.1F, 0.5F, -0.5F, 0.1F, 0.1F}, loud, ""), testing::IsEmpty());
}

TEST(PairSaturation, OfSeveralNodesTheOneNamedIsTheWorst)
{
    ProtoBuilder model;
    model.input("x", {1, 4, 4, 4}).output("y", {1, 1, 4, 4}).output("z", {1, 1, 4, 4});
    model.weight("v", {1, 4, 1, 1}, {1, 1, 0.1F, 0.1F}).weight("w", {1, 4, 1, 1}, {1, 1, 1, 1});
    model.node("Conv", "half", {"x", "v"}, {"y"});
    model.node("Conv", "all", {"x", "w"}, {"z"});
    QuantizedCase quantized(model, {1, 4, 4, 4}, {channelsUpTo(4, {0, 1, 2, 3})});
    quantized.quantize(R"("quantize_outputs": true, "preset": "performance")");
    const Note* note = noteOf(quantized.compression().notes, "pair-saturation");
    ASSERT_NE(note, nullptr);
    EXPECT_EQ(note->where, "all");
    EXPECT_THAT(note->text, testing::StartsWith("CPUs without VNNI may compute wrong sums in 2 nodes (up to 100 %"));
    EXPECT_THAT(note->text, testing::EndsWith("overflow_fix: enable avoids it; the worst"));
}

TEST(PairSaturation, ChannelsAreTakenAsTheyWereMeasured)
{
    const std::vector<float> weights{1, 1, 0.1F, -0.1F, 0.5F, -0.5F, 0.1F, 0.1F};
    EXPECT_THAT(notesOf(weights, channelsUpTo(4, {0, 1}), ""), testing::SizeIs(1));
    EXPECT_THAT(notesOf(weights, channelsUpTo(4, {0, 2, 3}), ""), testing::SizeIs(0)); // 255 * 127 + 3 * 127
}

TEST(PairSaturation, AGroupReadsItsOwnChannels)
{
    const std::vector<float> weights{1, 1, 1, 1};
    EXPECT_THAT(notesOf(weights, channelsUpTo(4, {0, 2}), "", 2), testing::SizeIs(0));
    EXPECT_THAT(notesOf(weights, channelsUpTo(4, {2, 3}), "", 2), testing::SizeIs(1));
    EXPECT_THAT(notesOf({1, 1}, channelsUpTo(2, {0, 1}), "", 2), testing::SizeIs(0)); // depthwise: no pairs
}

} // namespace
} // namespace duo
