// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/recipe.h"

#include "core/quantize/recipe/recipe_json.h"
#include "core/quantize/recipe/settings_json.h"
#include "core/quantize/recipe/starting_recipe.h"
#include "core/rules/nncf_json.h"
#include "core/rules/read_rules.h"
#include "core/support/file.h"
#include "core/support/json_text.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxRecipeBytes = std::size_t{16} << 20U;

char firstSign(std::string_view text)
{
    const std::size_t at = text.find_first_not_of(" \t\r\n");
    return at == std::string_view::npos ? '\0' : text[at];
}

/// What NNCF takes beside `ignored_scope` (nncf.quantize) is settings here.
Status takeSettings(ImportedRules& read, Recipe& recipe)
{
    Json settings = Json::object();
    for (const char* key :
        {"preset", "target_device", "model_type", "subset_size", "fast_bias_correction", "advanced_parameters"}) {
        if (!read.unknown.contains(key))
            continue;
        settings[key] = read.unknown[key];
        read.unknown.erase(key);
    }
    DUO_TRY(taken, settingsFromJson(settings, "quantization"));
    recipe.quantization = std::move(taken);
    return success();
}

Result<RecipeReading> ofImport(ImportedRules read)
{
    RecipeReading reading;
    if (read.form == RuleForm::NncfJson)
        DUO_CHECK(takeSettings(read, reading.recipe));
    reading.recipe.transforms = startingTransforms(reading.recipe.quantization);
    reading.form = read.form;
    reading.recipe.rules = std::move(read.rules);
    for (Rule& rule : reading.recipe.rules.rules)
        rule.origin = "imported";
    reading.recipe.unknownKeys = keysText(read.unknown);
    reading.notes = std::move(read.notes);
    return reading;
}

/// A compression state holds the recipe that it was made with.
bool isState(const Json& json)
{
    return json.is_object() && json.contains("format") && json["format"] == "duoscope-compression-state"
        && json.contains("recipe");
}

Result<RecipeReading> ofJson(const Json& json, std::optional<RuleForm> form)
{
    if (json.is_array() && !json.empty() && form != RuleForm::Recipe) {
        DUO_TRY(read, rulesFromJsonList(json));
        return ofImport(std::move(read));
    }
    const bool isImport = json.is_object() && !json.contains("format") && isRulesJson(json);
    if (isImport || (form && form != RuleForm::Recipe)) {
        if (!json.is_object())
            return invalidKey("no rules", "", "write a JSON object");
        DUO_TRY(read, rulesFromJson(json));
        return ofImport(std::move(read));
    }
    DUO_TRY(recipe, isState(json) ? recordedRecipeFromJson(json["recipe"]) : recipeFromJson(json));
    RecipeReading reading;
    reading.recipe = std::move(recipe);
    return reading;
}

bool isNoJson(std::string_view text)
{
    return std::holds_alternative<TextProblem>(parseJsonText(text));
}

/// Parsed by itself first, because its problems have a byte and those of keys a path.
std::variant<RecipeReading, TextProblem> readJson(std::string_view text, std::optional<RuleForm> form)
{
    auto parsed = parseJsonText(text, EqualKeys::Refused); // of two lists of rules one would be lost
    if (auto* problem = std::get_if<TextProblem>(&parsed))
        return std::move(*problem);
    auto read = ofJson(std::get<Json>(parsed), form);
    if (read)
        return *std::move(read);
    const Error& error = read.error();
    return TextProblem{error.what, error.where, error.whatToDo, placeInJson(text, error.where)};
}

std::variant<RecipeReading, TextProblem> wrapped(ImportedRules read)
{
    auto reading = ofImport(std::move(read));
    if (reading)
        return *std::move(reading);
    const Error& error = reading.error();
    return TextProblem{error.what, error.where, error.whatToDo, {}};
}

std::variant<RecipeReading, TextProblem> readPython(std::string_view text)
{
    auto read = rulesFromPython(text);
    if (auto* problem = std::get_if<TextProblem>(&read))
        return std::move(*problem);
    return wrapped(std::get<ImportedRules>(std::move(read)));
}

std::variant<RecipeReading, TextProblem> readAs(std::string_view text, std::optional<RuleForm> form)
{
    const char first = firstSign(text);
    if (form == RuleForm::List && first != '[')
        return wrapped(rulesFromLines(text));
    if (first == '[') { // a list is the same in both languages where it is JSON
        auto read = readJson(text, form);
        return std::holds_alternative<RecipeReading>(read) || !isNoJson(text) ? std::move(read) : readPython(text);
    }
    const bool isPython = first != '{' && (form ? form != RuleForm::Recipe : looksLikePython(text));
    if (isPython)
        return readPython(text);
    auto read = readJson(text, form);
    const bool isJson = std::holds_alternative<RecipeReading>(read) || form == RuleForm::Recipe;
    if (isJson || form != RuleForm::NncfPython)
        return read;
    return readPython(text); // a dict
}

} // namespace

std::variant<RecipeReading, TextProblem> readRecipeText(std::string_view text, std::optional<RuleForm> form)
{
    if (text.size() > kMaxRecipeBytes)
        return TextProblem{"too long for rules", {}, "at most 16 MiB are read", {}};
    auto read = readAs(text, form);
    if (auto* reading = std::get_if<RecipeReading>(&read)) {
        const auto notes = recipeNotes(reading->recipe);
        reading->notes.insert(reading->notes.end(), notes.begin(), notes.end());
    }
    return read;
}

Result<Recipe> parseRecipe(std::string_view text, const std::string& name)
{
    auto read = readRecipeText(text);
    if (const auto* problem = std::get_if<TextProblem>(&read))
        return problem->error(ErrorCode::InvalidRule, name);
    return std::get<RecipeReading>(std::move(read)).recipe;
}

Result<RecipeReading> readRecipeFile(const std::filesystem::path& path, std::optional<RuleForm> form)
{
    DUO_TRY(text, readTextFile(path, kMaxRecipeBytes));
    auto read = readRecipeText(text, form);
    if (const auto* problem = std::get_if<TextProblem>(&read))
        return problem->error(ErrorCode::InvalidRule, path.string());
    return std::get<RecipeReading>(std::move(read));
}

Result<Recipe> readRecipe(const std::filesystem::path& path)
{
    DUO_TRY(text, readTextFile(path, kMaxRecipeBytes));
    return parseRecipe(text, path.string());
}

std::string recipeText(const Recipe& recipe)
{
    return recipeJson(recipe).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace duo
