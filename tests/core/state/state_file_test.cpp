// SPDX-License-Identifier: Apache-2.0
#include "core/state/state_file.h"

#include "core/state/compression_state.h"
#include "tests/support/model_builder.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

class StateOfExport : public testing::Test
{
protected:
    StateOfExport()
    {
        const auto original
            = test::ModelBuilder().input("x", {2}).node("Relu", "relu", {"x"}, {"y"}).output("y").build();
        CompressionState state;
        Rule rule;
        rule.kind = RuleKind::Type;
        rule.value = "Relu";
        state.recipe.rules.rules.push_back(rule);
        state.recipe.quantization.profile = Profile::TensorRt;
        QuantizationPoint input{.port = std::nullopt};
        input.input = original->findValue("x");
        state.setup.points.emplace(0, input);
        state.parameters.emplace(0, QuantizationParameters{ElementType::UInt8, {0.1F}, {7}, std::nullopt});
        state.samples = 5;
        state.keptFloat = KeptFloats{{original->findNode("relu"), HadNoRange()}};
        m_recipe = state.recipe;
        m_text = stateText(*original, state);
    }

    /// An export whose state had this text.
    [[nodiscard]] Model exported(const std::string& text) const
    {
        Model model;
        model.path = m_folder / "m.int8.onnx";
        model.metadata = {{"duoscope.state_digest", textHash(text)}};
        return model;
    }

    test::TemporaryFolder m_folder;
    Recipe m_recipe;
    std::string m_text;
};

TEST_F(StateOfExport, IsFoundBesideIt)
{
    m_folder.write("m.int8.state.json", m_text);
    const auto found = stateOfExport(exported(m_text));
    ASSERT_TRUE(found && *found);
    EXPECT_EQ((*found)->path, m_folder / "m.int8.state.json");
    EXPECT_EQ((*found)->recipe, m_recipe);
    EXPECT_EQ((*found)->quantizers, 1);
    EXPECT_EQ((*found)->samples, 5);
    ASSERT_EQ((*found)->keptFloat.size(), 1U);
    EXPECT_EQ((*found)->keptFloat[0].first, "relu");
    EXPECT_NE(std::get<RecordedKept>((*found)->keptFloat[0].second).reason, "");
}

TEST_F(StateOfExport, OfAnotherExportIsNotMeant)
{
    m_folder.write("m.int8.state.json", m_text);
    const auto found = stateOfExport(exported(m_text + "\n"));
    ASSERT_TRUE(found);
    EXPECT_FALSE(*found);
}

TEST_F(StateOfExport, IsNoneWhereItWasMovedAway)
{
    const auto found = stateOfExport(exported(m_text));
    ASSERT_TRUE(found);
    EXPECT_FALSE(*found);
}

TEST_F(StateOfExport, ThatIsBrokenSaysWhere)
{
    const std::string broken = R"({"format": "duoscope-compression-state", "recipe": {"format": "x"}})";
    m_folder.write("m.int8.state.json", broken);
    const auto found = stateOfExport(exported(broken));
    ASSERT_FALSE(found);
    EXPECT_EQ(m_folder.withoutPath(found.error().where), "DIR/m.int8.state.json recipe format");
}

TEST_F(StateOfExport, IsReadAsTheRecipeThatItHolds)
{
    const auto recipe = readRecipe(m_folder.write("m.int8.state.json", m_text));
    ASSERT_TRUE(recipe) << recipe.error().line();
    EXPECT_EQ(*recipe, m_recipe);
}

} // namespace
} // namespace duo
