// SPDX-License-Identifier: Apache-2.0
// Whatever the recipe: a state that is written and read is the same state, and an export that is resumed is the same
// bytes. DUO_RECIPES=100 in the environment takes that many recipes for each network instead of a few.
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/pipeline/recorded_compression.h"
#include "core/pipeline/resume.h"
#include "tests/core/pipeline/edit/random_edits.h"
#include "tests/support/failing_disk.h"
#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstdlib>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

unsigned recipesWanted()
{
    constexpr unsigned kFew = 4;
    const char* wanted = std::getenv("DUO_RECIPES");
    return wanted == nullptr ? kFew : static_cast<unsigned>(std::atoi(wanted));
}

/// Settings of every kind that is recorded, from a seed.
class RandomRecipe
{
public:
    explicit RandomRecipe(unsigned seed)
        : m_random(seed)
    {
    }

    Result<Recipe> forModel(const Model& model)
    {
        const std::string text = R"({"format": "duoscope-recipe", "version": 1, "validate": false)"
            + std::string(isSo(2) ? R"(, "transforms": {})" : R"(, "transforms": false)") + R"(, "quantization": {)"
            + quantization() + "}}";
        DUO_TRY(recipe, parseRecipe(text, "recipe"));
        RandomEdits edits(model, static_cast<unsigned>(m_random()));
        for (std::size_t i = below(4); i > 0; --i)
            edits.changeInPlace(recipe.rules);
        return recipe;
    }

private:
    std::size_t below(std::size_t bound) { return m_random() % bound; } // the same everywhere
    bool isSo(std::size_t ofHowMany) { return below(ofHowMany) == 0; }
    std::string anyOf(const std::vector<std::string>& texts) { return '"' + texts[below(texts.size())] + '"'; }

    std::string quantization()
    {
        std::string text = R"("model_type": )" + anyOf({"none", "transformer"});
        const auto sometimes = [&](const std::string& key, const std::string& value) {
            if (isSo(3))
                text += ", \"" + key + "\": " + value;
        };
        sometimes("profile", anyOf({"ort-cpu", "tensorrt", "openvino", "qnn"}));
        sometimes("preset", anyOf({"performance", "mixed"}));
        sometimes("overflow_fix", anyOf({"disable", "enable", "first_layer_only"}));
        sometimes("quantize_outputs", "true");
        sometimes("activations_range_estimator_params", anyOf({"MINMAX", "HISTOGRAM", "PERCENTILE", "MSE", "ENTROPY"}));
        sometimes("weights_quantization_params", isSo(2) ? R"({"per_channel": false})" : R"({"mode": "symmetric"})");
        sometimes("activations_quantization_params", R"({"mode": "symmetric"})");
        sometimes("power_of_two_scales", "true");
        sometimes("fast_bias_correction", isSo(2) ? "true" : "false");
        sometimes("disable_bias_correction", "true");
        sometimes("cross_layer_equalization", "true");
        sometimes("smooth_quant_alphas", R"({"matmul": 0.5})");
        return text;
    }

    std::mt19937 m_random;
};

class RandomRecipes : public testing::TestWithParam<const char*>
{
protected:
    void SetUp() override
    {
        auto opened = openSnapshot(std::filesystem::path(DUO_TEST_DATA) / GetParam());
        ASSERT_TRUE(opened) << opened.error().line();
        m_opened = *std::move(opened);
        auto data = openDataset("random:3", *m_opened.model);
        ASSERT_TRUE(data) << data.error().line();
        m_data = *data;
    }

    void expectSameState(const Snapshot& snapshot, const Compression& compression)
    {
        const Snapshot& placed = placedBy(compression, snapshot);
        CompressionState state = stateOf(snapshot, compression, *hashModel(*snapshot.model));
        for (auto& [node, means] : state.inputMeans)
            std::ranges::transform(means, means.begin(), [](double mean) { return static_cast<float>(mean); });
        const std::string text = stateText(*placed.model, state);
        const auto parsed = StateText::parse(text, "s.json");
        ASSERT_TRUE(parsed) << parsed.error().line();
        EXPECT_TRUE(parsed->unlike().empty()) << parsed->unlike().front();
        const NodesThere there(*placed.model, *placed.scopes, parsed->recorded().graph);
        const ReadState read = parsed->onto(*placed.model, there);
        EXPECT_TRUE(read.leftOut.empty()) << read.leftOut.front();
        EXPECT_EQ(read.state.setup, state.setup);
        EXPECT_EQ(read.state.parameters, state.parameters);
        EXPECT_TRUE(read.state == state);
        EXPECT_EQ(stateText(*placed.model, read.state), text);
    }

    /// @return the model and the state, as bytes
    FolderContent exported(const Snapshot& snapshot, const Compression& compression, const Dataset* data)
    {
        const TemporaryFolder folder;
        const auto report = exportModel(snapshot, compression, data, folder / "m.onnx", 2, {});
        EXPECT_TRUE(report) << report.error().line();
        FolderContent content = contentOf(folder.path());
        EXPECT_EQ(content.size(), 2U);
        return content;
    }

    void expectSameBytes(const Snapshot& snapshot, const Compression& compression)
    {
        const FolderContent first = exported(snapshot, compression, m_data.get());
        const TemporaryFolder folder;
        const auto resumed = resumeFrom(m_opened, folder.write("m.state.json", first.at("m.state.json")), true, {});
        ASSERT_TRUE(resumed) << resumed.error().line();
        EXPECT_TRUE(resumed->identicalSetup);
        const FolderContent again = exported(resumed->snapshot, resumed->compression, nullptr);
        EXPECT_EQ(again.at("m.state.json"), first.at("m.state.json"));
        EXPECT_TRUE(again.at("m.onnx") == first.at("m.onnx")) << "other bytes of the model";
    }

    Snapshot m_opened;
    std::shared_ptr<const Dataset> m_data;
};

TEST_P(RandomRecipes, AreRecordedExactlyAndResumedToTheSameBytes)
{
    unsigned quantized = 0;
    for (unsigned seed = 1; seed <= recipesWanted() && !HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const auto recipe = RandomRecipe(seed).forModel(*m_opened.model);
        ASSERT_TRUE(recipe) << recipe.error().line();
        const auto snapshot = withRecipe(m_opened, *recipe);
        ASSERT_TRUE(snapshot) << snapshot.error().line();
        const auto compression = calibrate(*snapshot, *m_data, 2, {});
        if (!compression) {
            EXPECT_THAT(compression.error().code, testing::AnyOf(ErrorCode::Unsupported, ErrorCode::InvalidRule))
                << compression.error().line(); // settings that do not go together, or nothing to quantize
            continue;
        }
        ++quantized;
        expectSameState(*snapshot, *compression);
        expectSameBytes(*snapshot, *compression);
    }
    EXPECT_GT(quantized, recipesWanted() / 2);
    RecordProperty("quantized", static_cast<int>(quantized));
}

INSTANTIATE_TEST_SUITE_P(Networks, RandomRecipes,
    testing::Values("../../resources/samples/digits_conv.onnx", "../../resources/samples/digits_transformer.onnx",
        "../../resources/samples/digits_transformer.dynamo.onnx", "cases/e_aux_eval.onnx", "cases/i2_bertlike.onnx",
        "cases/n_functions_all.onnx"),
    [](const auto& tested) {
        std::string name = std::filesystem::path(tested.param).stem().string();
        std::ranges::replace(name, '.', '_');
        return name;
    });

} // namespace
} // namespace duo::test
