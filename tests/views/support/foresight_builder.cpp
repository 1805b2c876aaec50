// SPDX-License-Identifier: Apache-2.0
#include "tests/views/support/foresight_builder.h"

#include "core/calibrate/recorder.h"
#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

std::shared_ptr<const StatisticsFile> makeStatistics()
{
    Measurement wanted;
    wanted.values = {"h", "p", "x", "y"};
    const SampleSpan span{0, 2};
    Recorder recorder(wanted, span);
    TensorMeter meter;
    std::vector<float> values(201);
    for (std::int64_t sample = 0; sample < span.count; ++sample) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i) / 100 - 1;
        if (sample == 1)
            values.back() = 4;
        const auto size = static_cast<std::int64_t>(values.size());
        for (std::size_t value = 0; value < wanted.values.size(); ++value)
            recorder.add(value, sample, values, std::span(&size, 1), meter);
    }
    auto file = std::make_shared<StatisticsFile>();
    file->statistics = recorder.finish(span.count);
    return file;
}

std::shared_ptr<const Model> makeModel()
{
    return ModelBuilder()
        .input("x", {1, 4})
        .weight("a.weight", {4, 4}, {0.5F, -0.3F, 0.21F})
        .weight("b.weight", {4, 4}, {0.1F, 0.7F, -0.37F})
        .node("MatMul", "a", {"x", "a.weight"}, {"h"})
        .node("Relu", "r", {"h"}, {"p"})
        .node("MatMul", "b", {"p", "b.weight"}, {"y"})
        .output("y")
        .build();
}

} // namespace

std::shared_ptr<const Foresight> makeForesight(const QuantizationSettings& settings, const Foresight* known)
{
    Snapshot opened;
    opened.model = known ? known->snapshot->model : makeModel();
    opened.scopes = std::make_shared<Scopes>(findScopes(*opened.model));
    Recipe recipe;
    recipe.quantization = settings;
    auto snapshot = withRecipe(opened, recipe);
    EXPECT_TRUE(snapshot) << snapshot.error().line();
    auto made = foresee(std::make_shared<const Snapshot>(*std::move(snapshot)),
        known ? known->statistics : makeStatistics(), known, 1, {});
    EXPECT_TRUE(made) << made.error().line();
    EXPECT_FALSE((*made)->problem) << (*made)->problem->line();
    Forecast forecast = *(*made)->forecast; // as if measured: as good as its noisiest quantizer
    std::optional<double> worst;
    for (const QuantizerForecast& quantizer : forecast.quantizers) {
        if (const auto sqnr = quantizer.outcome.fit.sqnrDb)
            worst = std::min(worst.value_or(*sqnr), *sqnr);
    }
    forecast.outputs = {{"y", worst, false}};
    forecast.whyNoError.clear();
    return withForecast(**made, std::move(forecast));
}

} // namespace duo::test
