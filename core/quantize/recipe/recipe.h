// SPDX-License-Identifier: Apache-2.0
// Recipe: rules and settings, what the user edits and saves (resources/docs/recipe.md, "The recipe").
#pragma once

#include "core/marks/mark.h"
#include "core/model/model.h"
#include "core/outline/outline_request.h"
#include "core/quantize/points/settings.h"
#include "core/quantize/recipe/transform_options.h"
#include "core/rules/rule.h"
#include "core/rules/rule_form.h"
#include "core/support/result.h"
#include "core/support/text_problem.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace duo {

struct Recipe {
    RuleSet rules;
    QuantizationSettings quantization;
    std::string unknownKeys; // JSON object text of unknown top-level keys, kept on saving
    std::vector<Mark> marks = {}; // later ones over earlier ones
    std::optional<TransformOptions> transforms = {}; // of the model before anything is placed; nothing: none
    OutlineRequest functions = {}; // modules that become functions in what is exported
    bool operator==(const Recipe&) const = default;
};

/// A recipe as read from some form, with what was read otherwise than it stands there.
struct RecipeReading {
    Recipe recipe;
    RuleForm form = RuleForm::Recipe;
    std::vector<Note> notes;
};

/// Reads rules in any form: JSON is a recipe unless it has keys of another one, Python is told by its looks
/// (read_rules.h), a name per line is read only where `form` says so. At most 16 MiB; JSON and Python at most 64 levels
/// deep. Unknown keys are kept and noted.
std::variant<RecipeReading, TextProblem> readRecipeText(
    std::string_view text, std::optional<RuleForm> form = std::nullopt);

/// The same without the notes. @return InvalidRule: what is wrong, `name` with line, column and key, what to write
Result<Recipe> parseRecipe(std::string_view text, const std::string& name);
Result<Recipe> readRecipe(const std::filesystem::path& path);
/// With notes, and in a form that must be said.
Result<RecipeReading> readRecipeFile(const std::filesystem::path& path, std::optional<RuleForm> form);

/// The keys that are kept without effect: a note for each, "unknown-key" or, for NNCF's own, "unused-key".
std::vector<Note> recipeNotes(const Recipe& recipe);

/// The recipe as JSON text with two-space indent and a final line break; stable, unknown keys included.
std::string recipeText(const Recipe& recipe);

} // namespace duo
