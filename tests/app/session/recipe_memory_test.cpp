// SPDX-License-Identifier: Apache-2.0
// What is kept of a model's recipe while one edits, and taken up when the model is opened again.
#include "app/session/recipe_memory.h"

#include "tests/app/session/session_fixture.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::app {
namespace {

Recipe ignoring(const std::string& type)
{
    Recipe recipe;
    recipe.rules.rules.emplace_back();
    recipe.rules.rules.front().kind = RuleKind::Type;
    recipe.rules.rules.front().value = type;
    return recipe;
}

std::size_t filesIn(const std::filesystem::path& folder)
{
    std::error_code none;
    const std::filesystem::directory_iterator files(folder, none);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

class RecipeMemoryTest : public testing::Test
{
protected:
    [[nodiscard]] std::filesystem::path kept() const { return m_folder / "recipes"; }
    [[nodiscard]] std::optional<KeptRecipe> begun(const std::filesystem::path& model) const
    {
        return RecipeMemory(kept(), {}).begin(model);
    }

    test::TemporaryFolder m_folder;
    std::filesystem::path m_model = m_folder.write("m.onnx", "a model");
};

TEST_F(RecipeMemoryTest, KeepsAllOfItWithTheFileItCameFrom)
{
    EXPECT_EQ(begun(m_model), std::nullopt);
    KeptRecipe edited{ignoring("Conv"), ignoring("Relu"), m_folder / "mine.recipe.json"};
    edited.recipe.quantization.subsetSize = 7;
    edited.recipe.unknownKeys = R"({"mine": [1, {"a": null}]})";
    const Recipe said = edited.recipe;
    {
        RecipeMemory memory(kept(), {});
        EXPECT_FALSE(memory.begin(m_model));
        memory.keep({ignoring("Add"), {}, {}});
        memory.keep(edited); // its destructor writes the last one
    }
    const auto found = begun(m_model);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->recipe.rules, said.rules);
    EXPECT_EQ(found->recipe.quantization, said.quantization);
    EXPECT_THAT(found->recipe.unknownKeys, testing::HasSubstr("mine"));
    EXPECT_EQ(found->saved, edited.saved);
    EXPECT_EQ(found->file, edited.file);
    EXPECT_TRUE(found->isEdited());
}

TEST_F(RecipeMemoryTest, WritesWithoutBeingClosed)
{
    RecipeMemory memory(kept(), {});
    (void)memory.begin(m_model);
    memory.keep({ignoring("Conv"), {}, {}});
    memory.keep({ignoring("Add"), {}, {}});
    ASSERT_TRUE(waitUntil([this] { return begun(m_model).has_value(); }));
    EXPECT_EQ(begun(m_model)->recipe, ignoring("Add"));
}

TEST_F(RecipeMemoryTest, OtherContentOfAnotherSizeAndOtherPathsAreOtherModels)
{
    const auto other = m_folder.write("other.onnx", "a model");
    {
        RecipeMemory memory(kept(), {});
        (void)memory.begin(m_model);
        memory.keep({ignoring("Conv"), {}, {}});
        EXPECT_FALSE(memory.begin(other)); // and the first one is written
        memory.keep({ignoring("Relu"), {}, {}});
    }
    EXPECT_EQ(begun(m_folder.path() / "x" / ".." / "m.onnx")->recipe, ignoring("Conv")); // the same file
    EXPECT_EQ(begun(other)->recipe, ignoring("Relu"));
    (void)m_folder.write("m.onnx", "another model");
    EXPECT_EQ(begun(m_model), std::nullopt);
}

TEST_F(RecipeMemoryTest, WhatSaysNothingIsForgotten)
{
    RecipeMemory memory(kept(), {});
    (void)memory.begin(m_model);
    memory.keep({ignoring("Conv"), {}, {}});
    memory.finish();
    EXPECT_EQ(filesIn(kept()), 1U);
    memory.keep({});
    memory.finish();
    EXPECT_EQ(filesIn(kept()), 0U);
}

TEST_F(RecipeMemoryTest, WhatCannotBeReadIsAsIfThereWereNone)
{
    {
        RecipeMemory memory(kept(), {});
        (void)memory.begin(m_model);
        memory.keep({ignoring("Conv"), {}, {}});
    }
    const auto file = std::filesystem::directory_iterator(kept())->path();
    std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
    EXPECT_EQ(begun(m_model), std::nullopt);
    for (const char* text : {"", "[]", "null", "{}", R"({"format": "duoscope-kept-recipe-1", "recipe": 1})"}) {
        std::ofstream(file) << text;
        EXPECT_EQ(begun(m_model), std::nullopt) << text;
    }
}

TEST_F(RecipeMemoryTest, AFolderThatCannotBeWrittenIsSaidOnce)
{
    std::vector<Error> errors;
    RecipeMemory memory(
        m_folder.write("file", "no folder") / "recipes", [&](const Error& error) { errors.push_back(error); });
    (void)memory.begin(m_model);
    memory.keep({ignoring("Conv"), {}, {}});
    memory.finish();
    ASSERT_TRUE(waitUntil([&] { return !errors.empty(); }));
    memory.keep({ignoring("Relu"), {}, {}});
    memory.finish();
    QCoreApplication::processEvents();
    ASSERT_EQ(errors.size(), 1U);
    EXPECT_EQ(errors.front().code, ErrorCode::NotWritable);
}

TEST_F(RecipeMemoryTest, TheOldestGoFirst)
{
    constexpr int kMore = 3;
    std::filesystem::create_directories(kept());
    const auto now = std::filesystem::file_time_type::clock::now();
    for (std::size_t i = 0; i < RecipeMemory::kMost + kMore; ++i) {
        const auto file = m_folder.write("recipes/" + std::to_string(i) + ".kept.json", "{}");
        std::filesystem::last_write_time(file, now - std::chrono::hours(i + 1));
    }
    const auto leftover = m_folder.write("recipes/0.kept.json.part1", "{");
    std::filesystem::last_write_time(leftover, now - std::chrono::hours(2));
    RecipeMemory memory(kept(), {});
    (void)memory.begin(m_model);
    memory.keep({ignoring("Conv"), {}, {}});
    memory.finish();
    EXPECT_EQ(filesIn(kept()), RecipeMemory::kMost);
    EXPECT_TRUE(std::filesystem::exists(kept() / "0.kept.json"));
    EXPECT_TRUE(memory.begin(m_model));
}

class KeptRecipeSessionTest : public SessionFixture
{
protected:
    KeptRecipeSessionTest() { m_session.keepRecipesIn(m_folder / "recipes"); }

    std::filesystem::path m_model = [this] {
        std::filesystem::copy_file(sample("digits_conv.onnx"), m_folder / "m.onnx");
        return m_folder / "m.onnx";
    }();
};

TEST_F(KeptRecipeSessionTest, AModelOpenedAgainGoesOnWithItsLastRecipeAsAnUndoableStep)
{
    open(m_model);
    EXPECT_FALSE(m_session.isRecipeTakenUp());
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    open();
    EXPECT_EQ(m_session.recipe(), Recipe()); // of another model
    open(m_model);
    EXPECT_TRUE(m_session.isRecipeTakenUp());
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
    ASSERT_TRUE(settled());
    EXPECT_EQ(m_session.undoStack()->count(), 1);
    m_session.undoStack()->undo();
    EXPECT_EQ(m_session.recipe(), Recipe());
    EXPECT_FALSE(m_session.isRecipeTakenUp());
    m_session.undoStack()->redo();
    m_session.startWithoutKept();
    EXPECT_EQ(m_session.recipe(), Recipe());
    EXPECT_FALSE(m_session.isRecipeTakenUp());
    open(m_model);
    EXPECT_FALSE(m_session.isRecipeTakenUp());
}

TEST_F(KeptRecipeSessionTest, AnEditWhileTheSameModelIsOpenedAgainIsNotLost)
{
    open(m_model);
    QSignalSpy opened(&m_session, &Session::opened);
    m_session.open(m_model);
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    ASSERT_TRUE(wait(opened));
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
}

TEST_F(KeptRecipeSessionTest, IsEditedWhileItDiffersFromItsFileAlsoInTheNextSession)
{
    const auto file = m_folder.write("mine.recipe.json", recipeText(ignoring("Relu")));
    open(m_model);
    EXPECT_FALSE(m_session.isRecipeEdited());
    m_session.openRecipe(file);
    EXPECT_FALSE(m_session.isRecipeEdited());
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    EXPECT_TRUE(m_session.isRecipeEdited());
    open(m_model);
    EXPECT_TRUE(m_session.isRecipeEdited());
    m_session.editRecipe(ignoring("Relu"), QStringLiteral("edit"));
    EXPECT_FALSE(m_session.isRecipeEdited());
    m_session.editRecipe(ignoring("Conv"), QStringLiteral("edit"));
    EXPECT_FALSE(m_session.saveRecipeAs(m_model));
    EXPECT_TRUE(m_session.isRecipeEdited());
    EXPECT_TRUE(m_session.saveRecipeAs(file));
    EXPECT_FALSE(m_session.isRecipeEdited());
    open(m_model);
    EXPECT_EQ(m_session.recipe(), ignoring("Conv"));
    EXPECT_FALSE(m_session.isRecipeEdited());
    m_session.startWithoutKept();
    EXPECT_FALSE(m_session.isRecipeEdited());
}

TEST_F(KeptRecipeSessionTest, ARecipeNamedWithTheModelIsWhatItSaysWhateverWasKept)
{
    open(m_model);
    Recipe seven = ignoring("Conv");
    seven.quantization.subsetSize = 7;
    m_session.editRecipe(seven, QStringLiteral("edit"));
    open(m_model, {{}, {}, m_folder.write("rules.py", "nncf.IgnoredScope(types=[\"Relu\"])\n")});
    EXPECT_EQ(m_session.recipe().quantization, QuantizationSettings());
    ASSERT_EQ(m_session.rules().rules.size(), 1U);
    EXPECT_EQ(m_session.rules().rules.front().value, "Relu");
    m_session.undoStack()->undo();
    EXPECT_EQ(m_session.recipe(), seven);
}

} // namespace
} // namespace duo::app
