// SPDX-License-Identifier: Apache-2.0
#include "views/config/config_text.h"

#include "core/quantize/recipe/recipe_forms.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace duo::ui {
namespace {

RuleForm formOf(ConfigForm form)
{
    switch (form) {
    case ConfigForm::Recipe:
        return RuleForm::Recipe;
    case ConfigForm::NncfJson:
        return RuleForm::NncfJson;
    case ConfigForm::NncfPython:
        return RuleForm::NncfPython;
    case ConfigForm::LegacyJson:
        return RuleForm::LegacyJson;
    case ConfigForm::Ort:
        return RuleForm::Ort;
    case ConfigForm::Fsdp:
        return RuleForm::Fsdp;
    }
    return RuleForm::Recipe;
}

/// What another form keeps of a rule.
using Said = std::tuple<RuleAction, RuleKind, std::string, std::vector<std::string>, std::vector<std::string>>;

Said saidOf(const Rule& rule)
{
    return {rule.action, rule.kind, rule.value, rule.inputs, rule.outputs};
}

std::set<Said> saidBy(const std::vector<Rule>& rules)
{
    std::set<Said> all;
    for (const Rule& rule : rules)
        all.insert(saidOf(rule));
    return all;
}

ConfigProblem problemOf(const TextProblem& problem)
{
    QString text = toQt(problem.what);
    if (!problem.key.empty())
        text += QStringLiteral(" (%1)").arg(toQt(problem.key));
    if (!problem.whatToDo.empty())
        text += QStringLiteral(": ") + toQt(problem.whatToDo);
    return {static_cast<int>(problem.place.line), static_cast<int>(problem.place.column), text};
}

/// `present` with what a text says differently from how `present` is written in that form.
Recipe merged(const Recipe& present, const Recipe& written, const Recipe& text)
{
    Recipe result = present;
    result.rules.validate = text.rules.validate;
    result.unknownKeys = text.unknownKeys;
    auto& rules = result.rules.rules;
    const std::set<Said> known = saidBy(rules);
    const std::set<Said> before = saidBy(written.rules.rules);
    const std::set<Said> after = saidBy(text.rules.rules);
    // A name that stands for a scope rule was taken away: the rule is no longer what is wanted, its other names are.
    const bool isRuleBroken = std::any_of(
        before.begin(), before.end(), [&](const Said& said) { return !after.contains(said) && !known.contains(said); });
    std::erase_if(rules, [&](const Rule& rule) {
        const Said said = saidOf(rule);
        return rule.enabled && !after.contains(said) && (before.contains(said) || isRuleBroken);
    });
    for (const Rule& rule : text.rules.rules) {
        const Said said = saidOf(rule);
        if (!known.contains(said) && (!before.contains(said) || isRuleBroken))
            rules.push_back(rule);
    }
    for (Rule& rule : rules) // one that was disabled and is written now
        rule.enabled = rule.enabled || after.contains(saidOf(rule));
    return result;
}

} // namespace

QString configFormLabel(ConfigForm form)
{
    switch (form) {
    case ConfigForm::Recipe:
        return tr("Recipe");
    case ConfigForm::NncfJson:
        return tr("NNCF JSON");
    case ConfigForm::NncfPython:
        return tr("NNCF Python");
    case ConfigForm::LegacyJson:
        return tr("Legacy NNCF JSON");
    case ConfigForm::Ort:
        return tr("ONNX Runtime nodes_to_exclude");
    case ConfigForm::Fsdp:
        return tr("FSDP ignored_modules");
    }
    return {};
}

bool isEditable(ConfigForm form)
{
    return form == ConfigForm::Recipe || form == ConfigForm::NncfJson || form == ConfigForm::LegacyJson;
}

ConfigText configText(ConfigForm form, const Recipe& recipe, const Snapshot& snapshot)
{
    if (form == ConfigForm::Recipe)
        return {toQt(recipeText(recipe)), {}};
    const RulesText written = recipeAs(recipe, formOf(form), snapshot.model.get(), snapshot.scopes.get());
    ConfigText text{toQt(written.text), {}};
    for (const RuleLoss& loss : written.losses)
        text.losses += loss.rule ? tr("Rule %1: %2").arg(*loss.rule + 1).arg(toQt(loss.text)) : toQt(loss.text);
    return text;
}

std::variant<Recipe, ConfigProblem> readConfig(
    ConfigForm form, const QString& text, const Recipe& present, const Snapshot& snapshot)
{
    const auto read = readRecipeText(toStd(text), formOf(form));
    if (const auto* problem = std::get_if<TextProblem>(&read))
        return problemOf(*problem);
    const Recipe& wanted = std::get<RecipeReading>(read).recipe;
    if (form == ConfigForm::Recipe)
        return wanted;
    const auto written = readRecipeText(toStd(configText(form, present, snapshot).text), formOf(form));
    if (const auto* reading = std::get_if<RecipeReading>(&written))
        return merged(present, reading->recipe, wanted);
    return wanted;
}

} // namespace duo::ui
