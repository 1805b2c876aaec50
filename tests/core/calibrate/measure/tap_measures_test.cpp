// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/tap_measures.h"

#include "core/calibrate/collect_statistics.h"
#include "core/calibrate/recorder.h"
#include "core/engine/session.h"
#include "core/engine/tap_domain.h"
#include "core/onnx/reader.h"
#include "tests/support/proto_builder.h"
#include "tests/support/same_statistics.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

/// Aligned as what the engine shows is.
std::vector<std::uint64_t> written(const TensorMeasure& measure)
{
    std::vector<std::uint64_t> room(measureSize(measure) / sizeof(std::uint64_t) + 1);
    writeMeasure(measure, std::as_writable_bytes(std::span(room)).first(measureSize(measure)));
    return room;
}

std::span<const std::byte> bytesIn(const std::vector<std::uint64_t>& room, std::size_t size)
{
    return std::as_bytes(std::span(room)).first(size);
}

void expectSame(const TensorMeasure& read, const TensorMeasure& measure)
{
    EXPECT_EQ(read.elements, measure.elements);
    EXPECT_EQ(read.nan, measure.nan);
    EXPECT_EQ(read.infinite, measure.infinite);
    EXPECT_EQ((std::array{read.min, read.max, read.low, read.high, read.magnitude}),
        (std::array{measure.min, measure.max, measure.low, measure.high, measure.magnitude}));
    EXPECT_EQ(read.moments, measure.moments);
    EXPECT_EQ(read.bins.bins(), measure.bins.bins());
    BinTotals totals;
    totals.add(read.bins);
    EXPECT_EQ(totals.bins(), measure.bins.bins());
    EXPECT_TRUE(std::ranges::equal(read.channels.min, measure.channels.min));
    EXPECT_TRUE(std::ranges::equal(read.channels.max, measure.channels.max));
    EXPECT_TRUE(std::ranges::equal(read.channels.sum, measure.channels.sum));
    EXPECT_TRUE(std::ranges::equal(read.channels.squares, measure.channels.squares));
    EXPECT_TRUE(std::ranges::equal(read.channels.counts, measure.channels.counts));
}

std::vector<float> normal(std::size_t count, float middle)
{
    std::mt19937 random(static_cast<unsigned>(count));
    std::normal_distribution<float> draw(middle, 3);
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return draw(random); });
    return values;
}

TEST(TapMeasures, AreReadAsTheyWereWritten)
{
    TapMeasures measures;
    measures.kinds.moments = false;
    measures.channelAxes = {1, std::nullopt, -1};
    const auto read = readTapMeasures(writeTapMeasures(measures));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->kinds, measures.kinds);
    EXPECT_EQ(read->channelAxes, measures.channelAxes);
    EXPECT_FALSE(readTapMeasures(""));
    EXPECT_FALSE(readTapMeasures(writeTapMeasures(measures).substr(1)));
}

TEST(TapMeasures, AMeasureIsReadAsItWasWritten)
{
    std::vector<std::vector<float>> tensors{normal(6 * 50, 0), normal(6 * 50, 40), normal(6 * 50, -40),
        std::vector<float>(6, 0.0F), std::vector<float>(6, -7.0F), {}};
    tensors.push_back(tensors.front());
    tensors.back()[5] = std::numeric_limits<float>::infinity();
    tensors.back()[77] = std::numeric_limits<float>::quiet_NaN();
    tensors.emplace_back(6, std::numeric_limits<float>::quiet_NaN());
    for (const bool histogram : {true, false}) {
        TensorMeter meter({.quantiles = histogram, .histogram = histogram});
        for (const std::vector<float>& values : tensors) {
            const std::vector<std::int64_t> dims{2, 3, static_cast<std::int64_t>(values.size() / 6)};
            for (const std::optional<std::int64_t> axis :
                {std::optional<std::int64_t>(), std::optional<std::int64_t>(1)}) {
                const TensorMeasure& measure = meter.measure(values, dims, axis);
                const auto room = written(measure);
                const auto read = readMeasure(bytesIn(room, measureSize(measure)));
                ASSERT_TRUE(read) << read.error().line();
                expectSame(*read, measure);
            }
        }
    }
}

TEST(TapMeasures, WhatIsNoMeasureIsRefused)
{
    TensorMeter meter;
    const std::vector<std::int64_t> dims{2, 3, 50};
    const TensorMeasure& measure = meter.measure(normal(300, 40), dims, 1);
    const std::size_t size = measureSize(measure);
    auto room = written(measure);
    ASSERT_TRUE(readMeasure(bytesIn(room, size)));
    for (const std::size_t length : {std::size_t{0}, std::size_t{7}, size - 4})
        EXPECT_EQ(readMeasure(bytesIn(room, length)).error().line(), "the engine's answer cannot be read") << length;
    EXPECT_FALSE(readMeasure(bytesIn(room, size).subspan(4)));
    // Numbers that lead out of the bytes, wherever they stand.
    for (std::uint64_t& word : room) {
        for (const std::uint64_t other : {~std::uint64_t{0}, std::uint64_t{1} << 63U, word + 1, word << 20U}) {
            const std::uint64_t before = std::exchange(word, other);
            if (const auto read = readMeasure(bytesIn(room, size))) {
                BinTotals totals;
                totals.add(read->bins);
                EXPECT_LE(totals.bins().size(), size / sizeof(std::uint32_t));
            }
            word = before;
        }
    }
}

/// What taps show of each value of runs of a model that reads x [64, 512], where the engine's process measures; and
/// that it comes to the same as measuring here.
std::vector<ElementType> shownTypes(const SharedBytes& file, const Measurement& wanted)
{
    const auto model = readModelBytes(file, "test.onnx");
    EXPECT_TRUE(model) << model.error().line();
    const auto values = openTappedModel(**model, wanted.values);
    const auto measures
        = openMeasuringModel(**model, wanted.values, writeTapMeasures(tapMeasures(wanted, wanted.values)));
    EXPECT_TRUE(values && measures);
    Recorder ofValues(wanted, {0, 3});
    Recorder ofMeasures(wanted, {0, 3});
    TensorMeter meter(wanted.kinds);
    std::vector<ElementType> types(wanted.values.size());
    for (std::int64_t sample = 0; sample < 3; ++sample) {
        const auto fed = normal(64 * 512, static_cast<float>(sample) - 1);
        HostTensor x{"x", ElementType::Float32, {64, 512}, std::vector<std::byte>(fed.size() * sizeof(float))};
        std::memcpy(x.bytes.data(), fed.data(), x.bytes.size());
        const auto status = values->runTapped({&x, 1}, [&](std::size_t tap, const TensorView& view) {
            EXPECT_EQ(view.type, ElementType::Float32);
            EXPECT_TRUE(ofValues.addTapped(tap, sample, view, meter));
        });
        EXPECT_TRUE(status) << status.error().line();
        const auto again = measures->runTapped({&x, 1}, [&](std::size_t tap, const TensorView& view) {
            types[tap] = view.type;
            EXPECT_TRUE(ofMeasures.addTapped(tap, sample, view, meter));
        });
        EXPECT_TRUE(again) << again.error().line();
    }
    EXPECT_TRUE(test::isSame(ofValues.finish(3), ofMeasures.finish(3)));
    return types;
}

TEST(TapMeasures, AreTakenInTheEnginesProcessButOfSmallValuesAndOfVeryManyChannels)
{
    test::ProtoBuilder file;
    file.input("x", {64, 512}).output("small", {}).output("wide", {2, 16384});
    file.weight("two", {1}, {2});
    auto& shape = file.tensor("shape", {2}, onnx::TensorProto::INT64);
    shape.add_int64_data(2);
    shape.add_int64_data(16384);
    file.node("Mul", "twice", {"x", "two"}, {"y"});
    file.node("Tanh", "tanh", {"y"}, {"z"});
    file.node("Reshape", "reshape", {"z", "shape"}, {"wide"});
    test::addInt(file.node("ReduceMax", "max", {"z"}, {"small"}), "keepdims", 0);
    Measurement wanted;
    wanted.values = {"y", "z", "wide", "small"};
    wanted.channelAxes = {{"y", 0}, {"z", -1}, {"wide", 1}};
    EXPECT_THAT(shownTypes(file.bytes(), wanted),
        testing::ElementsAre(ElementType::UInt8, ElementType::UInt8, ElementType::Float32, ElementType::Float32));
    wanted.kinds.channels = false;
    EXPECT_THAT(shownTypes(file.bytes(), wanted),
        testing::ElementsAre(ElementType::UInt8, ElementType::UInt8, ElementType::UInt8, ElementType::Float32));
}

TEST(TapMeasures, AreShownWhereOneIsLargerThanTheRoomForMany)
{
    test::ProtoBuilder file;
    file.input("x", {64, 512}).output("y", {64, 4096});
    file.node("Tanh", "before", {"x"}, {"a"});
    test::addInt(file.node("Concat", "concat", std::vector<std::string>(8, "a"), {"many"}), "axis", 1);
    file.node("Neg", "after", {"many"}, {"y"});
    Measurement wanted;
    wanted.values = {"a", "many", "y"};
    wanted.channelAxes = {{"many", 1}, {"y", 0}};
    EXPECT_THAT(shownTypes(file.bytes(), wanted),
        testing::ElementsAre(ElementType::UInt8, ElementType::UInt8, ElementType::UInt8));
}

TEST(TapMeasures, OfABodyAreTakenEachTimeItRuns)
{
    test::ProtoBuilder file;
    file.input("x", {64, 512}).output("y", {64, 512});
    auto body = test::addLoop(file, 3);
    body.node("Add", "twice", {"s", "s"}, {"t"});
    body.node("Tanh", "tanh", {"t"}, {"next"});
    Measurement wanted;
    wanted.values = {"loop::body::t", "y"};
    wanted.channelAxes = {{"loop::body::t", 1}};
    EXPECT_THAT(shownTypes(file.bytes(), wanted), testing::ElementsAre(ElementType::UInt8, ElementType::UInt8));
}

TEST(TapMeasures, ARecorderRefusesWhatIsNoMeasure)
{
    Measurement wanted;
    wanted.values = {"y"};
    Recorder recorder(wanted, {0, 1});
    TensorMeter meter;
    TensorView shown;
    shown.type = ElementType::UInt8;
    EXPECT_EQ(recorder.addTapped(0, 0, shown, meter).error().line(), "the engine's answer cannot be read");
}

} // namespace
} // namespace duo
