// SPDX-License-Identifier: Apache-2.0
#include "tests/core/pipeline/quantized_case.h"

#include "core/engine/session.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "tests/support/numpy_files.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace duo::test {

QuantizedCase::QuantizedCase(
    const ProtoBuilder& model, const std::vector<std::int64_t>& dims, const std::vector<std::vector<float>>& samples)
{
    std::vector<float> all;
    for (const auto& sample : samples)
        all.insert(all.end(), sample.begin(), sample.end());
    std::vector<std::int64_t> shape{static_cast<std::int64_t>(samples.size())};
    shape.insert(shape.end(), dims.begin(), dims.end());
    writeNpz(m_folder / "data.npz", {{"x.npy", npy(shape, all)}});
    auto opened = openSnapshot(m_folder.write("m.onnx", model.text()));
    EXPECT_TRUE(opened) << opened.error().line();
    m_opened = *std::move(opened);
    auto data = openDataset((m_folder / "data.npz").string(), *m_opened.model);
    EXPECT_TRUE(data) << data.error().line();
    m_data = *data;
}

ExportReport QuantizedCase::quantize(const std::string& settings, const std::string& rules, const std::string& more)
{
    const auto recipe = parseRecipe(R"({"format": "duoscope-recipe", "version": 1, "rules": )" + rules
            + R"(, "quantization": {)" + settings + "}" + (more.empty() ? "" : ", ") + more + "}",
        "recipe");
    EXPECT_TRUE(recipe) << recipe.error().line();
    auto snapshot = withRecipe(m_opened, *recipe);
    EXPECT_TRUE(snapshot) << snapshot.error().line();
    m_planned = *std::move(snapshot);
    auto compression = calibrate(m_planned, *m_data, 2, {});
    EXPECT_TRUE(compression) << compression.error().line();
    m_compression = *std::move(compression);
    auto report = exportModel(m_planned, m_compression, m_data.get(), exported(), 2, {});
    EXPECT_TRUE(report) << report.error().line();
    return *std::move(report);
}

std::shared_ptr<const Model> QuantizedCase::written() const
{
    const auto model = readModel(exported());
    EXPECT_TRUE(model) << model.error().line();
    return *model;
}

std::shared_ptr<const Model> QuantizedCase::optimized() const
{
    SessionOptions options;
    options.optimization = Optimization::Extended;
    options.optimizedModel = m_folder / "optimized.onnx";
    const auto session = Session::openFile(exported(), options);
    EXPECT_TRUE(session) << session.error().line();
    const auto model = readModel(*options.optimizedModel);
    EXPECT_TRUE(model) << model.error().line();
    return *model;
}

std::vector<float> QuantizedCase::run(const std::filesystem::path& model, std::size_t sample) const
{
    const auto session = Session::openFile(model, {});
    EXPECT_TRUE(session) << session.error().line();
    const auto feeds = m_data->sample(static_cast<std::int64_t>(sample));
    const auto results = session->run(*feeds, {});
    EXPECT_TRUE(results) << results.error().line();
    const auto floats = results->front().floats();
    return {floats.begin(), floats.end()};
}

std::vector<float> QuantizedCase::floatOutput(std::size_t sample) const
{
    return run(m_folder / "m.onnx", sample);
}

std::vector<float> QuantizedCase::output(std::size_t sample) const
{
    return run(exported(), sample);
}

const Check& checkOf(const ExportReport& report, const std::string& id)
{
    static const Check kNone;
    const auto found = std::ranges::find(report.checks, id, &Check::id);
    EXPECT_NE(found, report.checks.end()) << "no check " << id;
    return found == report.checks.end() ? kNone : *found;
}

double sqnrDb(const std::vector<float>& wanted, const std::vector<float>& got)
{
    double signal = 0;
    double noise = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        signal += static_cast<double>(wanted[i]) * wanted[i];
        noise += (static_cast<double>(wanted[i]) - got[i]) * (static_cast<double>(wanted[i]) - got[i]);
    }
    return 10 * std::log10(signal / noise);
}

} // namespace duo::test
