// SPDX-License-Identifier: Apache-2.0
// Small models calibrated with NNCF's settings get the scales and zero points that NNCF gave them
// (tests/peers/calibration/compare_scales.py).
#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/snapshot/compression.h"
#include "core/quantize/points/point_index.h"
#include "core/support/file.h"
#include "core/support/json.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

const std::filesystem::path kFolder = std::filesystem::path(DUO_TEST_DATA) / "calibration" / "nncf";

/// "weight of Conv_0:1", or the value that a quantizer stands on.
std::string keyOf(const Model& model, const QuantizationPoint& point)
{
    if (point.isWeight)
        return "weight of " + model.node(point.node).name + ":" + std::to_string(point.port.value_or(0));
    return model.value(pointValue(model, point)).name;
}

Result<Compression> calibrated(const Snapshot& opened, const std::string& name, const Json& settings)
{
    Json quantization{
        {"nncf_compatible", true}, {"disable_bias_correction", true}, {"smooth_quant_alphas", {{"matmul", -1}}}};
    quantization.update(settings);
    const Json recipe{
        {"format", "duoscope-recipe"}, {"version", 1}, {"rules", Json::array()}, {"quantization", quantization}};
    DUO_TRY(parsed, parseRecipe(recipe.dump(), "recipe"));
    DUO_TRY(snapshot, withRecipe(opened, parsed));
    DUO_TRY(data, openDataset((kFolder / (name + ".npz")).string(), *snapshot.model));
    return calibrate(snapshot, *data, 2, {});
}

bool isLike(const QuantizationParameters& ours, const Json& theirs)
{
    bool like = ours.type == (theirs["type"] == "int8" ? ElementType::Int8 : ElementType::UInt8);
    const std::size_t count = theirs["scale"].size();
    like = like && ours.scale.size() == count;
    for (std::size_t i = 0; like && i < count; ++i) {
        const auto scale = theirs["scale"][i].get<float>();
        const auto zero = theirs["zero_point"][theirs["zero_point"].size() == count ? i : 0].get<std::int32_t>();
        like = std::abs(ours.scale[i] - scale) <= 4e-7F * scale && ours.zeroPoint[i] == zero; // a few last bits
    }
    return like;
}

void expectLike(const Model& model, const Compression& compression, const Json& quantizers, const std::string& where)
{
    std::set<std::string> seen;
    for (const auto& [id, point] : compression.setup.points) {
        const std::string key = keyOf(model, point);
        seen.insert(key);
        const auto entries = quantizers.find(key);
        ASSERT_NE(entries, quantizers.end()) << where << ": NNCF has no quantizer at " << key;
        const QuantizationParameters& ours = compression.parameters.at(id);
        EXPECT_TRUE(std::any_of(entries->begin(), entries->end(), [&](const Json& one) { return isLike(ours, one); }))
            << where << ": " << key << " has scale " << ours.scale.front() << " zero point " << ours.zeroPoint.front()
            << ", NNCF's are " << entries->dump();
    }
    EXPECT_EQ(seen.size(), quantizers.size()) << where;
}

TEST(NncfModels, HaveTheScalesAndZeroPointsOfNncf)
{
    const auto text = readTextFile((kFolder / "scales.json").string(), 1 << 20);
    ASSERT_TRUE(text) << text.error().line();
    const auto table = parseJson(*text, "scales.json", ErrorCode::BadData);
    ASSERT_TRUE(table) << table.error().line();
    for (const Json& run : (*table)["runs"]) {
        const std::string name = run["model"];
        const auto opened = openSnapshot(kFolder / (name + ".onnx"));
        ASSERT_TRUE(opened) << opened.error().line();
        const auto compression = calibrated(*opened, name, run["settings"]);
        ASSERT_TRUE(compression) << compression.error().line();
        expectLike(*opened->model, *compression, run["quantizers"], name + " " + run["settings"].dump());
    }
    EXPECT_GE((*table)["runs"].size(), 56U);
}

} // namespace
} // namespace duo
