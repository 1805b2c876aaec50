// SPDX-License-Identifier: Apache-2.0
// After any sequence of edits a snapshot says what the last recipe gives when everything is computed from scratch.
#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/quantize/chosen_settings.h"
#include "tests/core/pipeline/edit/random_edits.h"
#include "tests/support/model_builder.h"
#include "tests/support/placing.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace duo {
namespace {

constexpr int kEdits = 12;

void expectEqual(const RuleHits& found, const RuleHits& expected)
{
    EXPECT_EQ(found.ignoredBy, expected.ignoredBy);
    EXPECT_EQ(found.targeted, expected.targeted);
    ASSERT_EQ(found.hits.size(), expected.hits.size());
    for (std::size_t r = 0; r < found.hits.size(); ++r) {
        EXPECT_EQ(found.hits[r].nodes, expected.hits[r].nodes);
        EXPECT_EQ(found.hits[r].problem, expected.hits[r].problem);
        EXPECT_EQ(found.hits[r].suggestions, expected.hits[r].suggestions);
        EXPECT_EQ(found.hits[r].rule, expected.hits[r].rule);
    }
}

void expectEqual(const std::vector<RuleEffect>& found, const std::vector<RuleEffect>& expected)
{
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t r = 0; r < found.size(); ++r) {
        EXPECT_EQ(found[r].verdict, expected[r].verdict);
        EXPECT_EQ(found[r].effective, expected[r].effective);
        EXPECT_EQ(found[r].shadowedBy, expected[r].shadowedBy);
        EXPECT_EQ(found[r].suggestions, expected[r].suggestions);
        ASSERT_EQ(found[r].idle.size(), expected[r].idle.size());
        for (std::size_t i = 0; i < found[r].idle.size(); ++i) {
            EXPECT_EQ(found[r].idle[i].cause, expected[r].idle[i].cause);
            EXPECT_EQ(found[r].idle[i].nodes, expected[r].idle[i].nodes);
        }
    }
}

void expectEqual(const Placement& found, const Placement& expected)
{
    EXPECT_EQ(found.setup, expected.setup);
    EXPECT_EQ(found.notes, expected.notes);
    ASSERT_EQ(found.decisions.size(), expected.decisions.size());
    for (std::size_t n = 0; n < found.decisions.size(); ++n)
        EXPECT_EQ(found.decisions[n], expected.decisions[n])
            << n << ": " << static_cast<int>(found.decisions[n].reason.code) << " / "
            << static_cast<int>(expected.decisions[n].reason.code);
}

Result<Placement> placedFromScratch(const Model& model, const RuleHits& hits, const ChosenSettings& chosen)
{
    DUO_TRY(base,
        preparePlacement(model, chosen.settings, chosen.note ? std::vector<Note>{*chosen.note} : std::vector<Note>()));
    return placeQuantizers(model, *base, hits);
}

void expectFromScratch(const Snapshot& edited)
{
    const ChosenSettings chosen = chosenSettings(*edited.model, edited.recipe.quantization);
    const QuantizationSettings& settings = chosen.settings;
    EXPECT_EQ(edited.settings, settings);
    const RuleHits hits = matchRules(*edited.model, *edited.scopes, edited.recipe.rules);
    expectEqual(*edited.hits, hits);
    const auto placement = placedFromScratch(*edited.model, hits, chosen);
    ASSERT_EQ(edited.placement == nullptr, !placement);
    if (!placement) {
        EXPECT_EQ(edited.refusal->line(), placement.error().line());
        return;
    }
    expectEqual(*edited.placement, *placement);
    const RuleHits none = matchRules(*edited.model, *edited.scopes, {});
    const auto unruled = test::placeOnce(*edited.model, none, settings);
    ASSERT_TRUE(unruled);
    expectEqual(*edited.effects, ruleEffects(*edited.model, hits, &*placement, &*unruled));
}

/// Settings whose placements take different ways.
std::vector<QuantizationSettings> someSettings()
{
    std::vector<QuantizationSettings> all(5);
    all[1].nncfCompatible = true;
    all[2].nncfCompatible = true;
    all[2].modelType = ModelType::Transformer;
    all[3].profile = Profile::TensorRt;
    all[4].profile = Profile::Qnn;
    return all;
}

void editAtRandom(const std::shared_ptr<const Model>& model, unsigned seed)
{
    Snapshot snapshot;
    snapshot.model = model;
    snapshot.scopes = std::make_shared<Scopes>(findScopes(*model));
    test::RandomEdits edits(*model, seed);
    Recipe recipe;
    for (const QuantizationSettings& settings : someSettings()) {
        recipe.quantization = settings;
        for (int edit = 0; edit < kEdits; ++edit) {
            edits.changeInPlace(recipe.rules);
            auto next = withRecipe(snapshot, recipe);
            ASSERT_TRUE(next);
            snapshot = *std::move(next);
            expectFromScratch(snapshot);
            if (testing::Test::HasFailure())
                return;
        }
    }
}

/// Residual blocks, each with a scope of its own.
std::shared_ptr<const Model> residualChain(int blocks)
{
    test::ModelBuilder builder;
    builder.input("x", {1, 4, 8, 8});
    std::string last = "x";
    for (int i = 0; i < blocks; ++i) {
        const std::string at = "/layer" + std::to_string(i / 10) + "/" + std::to_string(i % 10);
        builder.weight("w" + at, {4, 4, 3, 3}).node("Conv", at + "/conv/Conv", {last, "w" + at}, {"c" + at});
        builder.node("Relu", at + "/relu/Relu", {"c" + at}, {"r" + at});
        builder.node("Add", at + "/Add", {"r" + at, last}, {"a" + at});
        builder.node("Relu", at + "/out/Relu", {"a" + at}, {"o" + at});
        last = "o" + at;
    }
    return builder.output(last).build();
}

TEST(EditedSnapshot, OfAResidualChainIsWhatTheRecipeGivesFromScratch)
{
    for (unsigned seed = 1; seed <= 3; ++seed)
        editAtRandom(residualChain(60), seed);
}

TEST(EditedSnapshot, OfStoredNetworksIsWhatTheRecipeGivesFromScratch)
{
    const test::TemporaryFolder folder;
    std::ofstream(folder.path() / "zeros.bin").put('\0');
    std::filesystem::resize_file(folder.path() / "zeros.bin", 1U << 30); // their weights; the file is sparse
    unsigned seed = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(DUO_TEST_DATA) / "placement")) {
        if (entry.path().extension() != ".onnx" || entry.file_size() > 30'000)
            continue;
        SCOPED_TRACE(entry.path().filename().string());
        const auto file = folder.path() / entry.path().filename();
        std::filesystem::copy_file(entry.path(), file);
        const auto model = readModel(file);
        ASSERT_TRUE(model);
        editAtRandom(*model, ++seed);
        if (testing::Test::HasFailure())
            return;
    }
    EXPECT_GT(seed, 20U);
}

} // namespace
} // namespace duo
