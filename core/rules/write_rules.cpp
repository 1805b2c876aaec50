// SPDX-License-Identifier: Apache-2.0
#include "core/rules/write_rules.h"

#include "core/rules/imported_rules.h"
#include "core/rules/match.h"
#include "core/rules/pattern.h"
#include "core/rules/python_literal.h"
#include "core/support/json_keys.h"
#include "core/support/phrases.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace duo {
namespace {

/// One entry of a list in the text to be written.
struct LoweredEntry {
    std::string value;
    std::string comment;
};

struct LoweredRules {
    std::vector<LoweredEntry> names;
    std::vector<LoweredEntry> patterns;
    std::vector<LoweredEntry> types;
    std::vector<const Rule*> subgraphs;
    std::vector<LoweredEntry> targets; // LegacyJson: its texts, "{re}" included
    std::vector<LoweredEntry> modules; // Fsdp: storage paths
    std::vector<RuleLoss> losses;
};

/// A pattern as a legacy text: what was imported from one as it was, else "{re}\A(?:pattern)", global flags before it.
std::string legacyText(const std::string& pattern);

/// Which kinds of rules a form has a word for.
bool canSay(RuleForm form, RuleKind kind)
{
    const bool isNncf = form == RuleForm::NncfPython || form == RuleForm::NncfJson;
    switch (kind) {
    case RuleKind::Name:
        return form != RuleForm::Fsdp;
    case RuleKind::Pattern:
        return isNncf || form == RuleForm::LegacyJson;
    case RuleKind::Type:
    case RuleKind::Subgraph:
        return isNncf;
    case RuleKind::StorageScope:
        return form == RuleForm::Fsdp;
    case RuleKind::ExecutionScope:
    case RuleKind::Class:
        break;
    }
    return false;
}

class Lowering
{
public:
    Lowering(const RuleSet& rules, RuleForm form, const RuleWriting& writing)
        : m_rules(rules)
        , m_form(form)
        , m_writing(writing)
    {
        if (writing.model != nullptr && writing.scopes != nullptr)
            m_hits = matchRules(*writing.model, *writing.scopes, rules);
    }

    LoweredRules run()
    {
        for (m_rule = 0; m_rule < m_rules.rules.size(); ++m_rule) {
            const Rule& rule = m_rules.rules[m_rule];
            if (!rule.enabled)
                lose("a disabled rule is left out: " + ruleText(rule));
            else if (rule.action == RuleAction::Precision)
                lose("there are no precision rules in this form: " + ruleText(rule));
            else if (rule.action == RuleAction::Ignore)
                lower(rule);
            else if (m_form == RuleForm::LegacyJson)
                lower(rule);
            else if (!m_hits)
                lose("there are no target scopes in this form; with the model it becomes ignored names: "
                    + ruleText(rule));
        }
        addUntargeted();
        return std::move(m_lowered);
    }

private:
    void lose(std::string text) { m_lowered.losses.push_back({m_rule, std::move(text)}); }

    void lower(const Rule& rule)
    {
        if (!canSay(m_form, rule.kind))
            return expand(rule);
        switch (rule.kind) {
        case RuleKind::Name:
            return addName(rule.value, rule);
        case RuleKind::Pattern:
            if (m_form != RuleForm::LegacyJson)
                return add(m_lowered.patterns, rule.value, rule);
            return add(
                rule.action == RuleAction::Target ? m_lowered.targets : m_lowered.names, legacyText(rule.value), rule);
        case RuleKind::Type:
            return add(m_lowered.types, rule.value, rule);
        case RuleKind::Subgraph:
            m_lowered.subgraphs.push_back(&rule);
            return loseComment(rule);
        case RuleKind::StorageScope:
            return add(m_lowered.modules, rule.value, rule);
        case RuleKind::ExecutionScope:
        case RuleKind::Class:
            break;
        }
    }

    void add(std::vector<LoweredEntry>& into, const std::string& value, const Rule& rule)
    {
        into.push_back({value, rule.comment});
        loseComment(rule);
    }

    void loseComment(const Rule& rule)
    {
        const bool isWritten = m_form == RuleForm::NncfPython || m_form == RuleForm::Ort || m_form == RuleForm::Fsdp;
        if (!rule.comment.empty() && (!isWritten || rule.kind == RuleKind::Subgraph))
            lose("its comment is left out: " + rule.comment);
    }

    void addName(const std::string& name, const Rule& rule)
    {
        auto& into = rule.action == RuleAction::Target ? m_lowered.targets : m_lowered.names;
        auto& known = rule.action == RuleAction::Target ? m_targetNames : m_names;
        if (m_form == RuleForm::LegacyJson && name.find("{re}") != std::string::npos)
            return lose("the name cannot be written, '{re}' in it would make it a pattern: " + name);
        if (m_form == RuleForm::List && name.find_first_of("\r\n") != std::string::npos)
            return lose("the name cannot be written, it has a line break: " + name);
        if (known.insert(name).second)
            add(into, name, rule);
        else
            loseComment(rule);
    }

    /// The rule as names of the nodes it catches, or as their modules.
    void expand(const Rule& rule)
    {
        if (!m_hits && !rule.nodes.empty() && m_form != RuleForm::Fsdp) {
            for (const std::string& name : rule.nodes)
                addName(name, rule);
            return lose("written as the names of the " + nodesText(rule.nodes.size()) + " it meant: " + ruleText(rule));
        }
        if (!m_hits)
            return lose("left out, this form has no " + std::string(ruleKindText(rule.kind))
                + " rules; with the model it becomes " + (m_form == RuleForm::Fsdp ? "modules: " : "node names: ")
                + ruleText(rule));
        const RuleHit& hit = m_hits->hits[m_rule];
        if (hit.nodes.empty())
            return lose((hit.problem.empty() ? "left out, it matches nothing: " : "left out, " + hit.problem + ": ")
                + ruleText(rule));
        if (m_form == RuleForm::Fsdp)
            return expandToModules(rule, hit);
        for (const NodeId node : hit.nodes)
            addName(m_writing.model->node(node).name, rule);
        lose("written as the names of " + nodesText(hit.nodes.size()) + " of this export: " + ruleText(rule));
    }

    void expandToModules(const Rule& rule, const RuleHit& hit)
    {
        std::set<std::string> modules;
        std::size_t without = 0;
        for (const NodeId node : hit.nodes) {
            const auto& owners = m_writing.scopes->nodes[node.index].storage;
            modules.insert(owners.begin(), owners.end());
            without += owners.empty() ? 1 : 0;
        }
        for (const std::string& module : modules)
            add(m_lowered.modules, module, rule);
        lose("written as " + std::to_string(modules.size()) + (modules.size() == 1 ? " module" : " modules")
            + " with all their parameters, wherever they are read; " + nodesText(without)
            + " without parameters left out: " + ruleText(rule));
    }

    /// Where a form only ignores, what target rules leave out is ignored by name.
    void addUntargeted()
    {
        const bool hasTargets = std::any_of(m_rules.rules.begin(), m_rules.rules.end(),
            [](const Rule& rule) { return rule.enabled && rule.action == RuleAction::Target; });
        if (!m_hits || !hasTargets || m_form == RuleForm::LegacyJson)
            return;
        if (m_form == RuleForm::Fsdp) {
            m_lowered.losses.push_back({std::nullopt, "target rules are left out: modules can only be ignored here"});
            return;
        }
        std::size_t count = 0;
        for (std::size_t n = 0; n < m_hits->targeted.size(); ++n) {
            const std::string& name = m_writing.model->nodes[n].name;
            if (m_hits->targeted[n] || !m_names.insert(name).second)
                continue;
            m_lowered.names.push_back({name, {}});
            ++count;
        }
        m_lowered.losses.push_back({std::nullopt,
            "there are no target scopes in this form: " + nodesText(count)
                + " of this export that no target rule catches are ignored by name"});
    }

    const RuleSet& m_rules;
    RuleForm m_form;
    const RuleWriting& m_writing;
    std::optional<RuleHits> m_hits;
    std::size_t m_rule = 0;
    LoweredRules m_lowered;
    std::set<std::string> m_names;
    std::set<std::string> m_targetNames;
};

/// Length of "(?im)" at the start; 0 without.
std::size_t leadingFlags(const std::string& pattern)
{
    if (!pattern.starts_with("(?"))
        return 0;
    const std::size_t end = pattern.find_first_not_of("imsxu", 2);
    return end != std::string::npos && end > 2 && pattern[end] == ')' ? end + 1 : 0;
}

/// Names come once each, in the order of the rules. @param form any but RuleForm::Recipe
LoweredRules lowerRules(const RuleSet& rules, RuleForm form, const RuleWriting& writing)
{
    return Lowering(rules, form, writing).run();
}

std::string legacyText(const std::string& pattern)
{
    const std::string head = "(?s:.*?)(?:";
    if (pattern.size() > head.size() && pattern.starts_with(head) && pattern.ends_with(')')) {
        const std::string inner = pattern.substr(head.size(), pattern.size() - head.size() - 1);
        if (std::holds_alternative<Pattern>(Pattern::compile(inner)))
            return "{re}" + inner;
    }
    const std::size_t flags = leadingFlags(pattern);
    const bool isVerbose = pattern.substr(0, flags).find('x') != std::string::npos; // its last line may be a comment
    return "{re}" + pattern.substr(0, flags) + "\\A(?:" + pattern.substr(flags) + (isVerbose ? "\n)" : ")");
}

using Json = nlohmann::ordered_json;

std::string commentText(const std::string& comment)
{
    std::string line = comment.empty() ? "" : "  # " + comment;
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20U)
            c = ' ';
    }
    return line;
}

template <typename Spell>
std::string pythonList(const std::vector<LoweredEntry>& entries, const std::string& indent, Spell spell)
{
    std::string text = "[\n";
    for (const LoweredEntry& entry : entries)
        text += indent + "    " + spell(entry.value) + "," + commentText(entry.comment) + "\n";
    return text + indent + "]";
}

std::string pythonTexts(const std::vector<std::string>& texts)
{
    std::string text = "[";
    for (const std::string& item : texts)
        text += (text.size() > 1 ? ", " : "") + pythonString(item);
    return text + "]";
}

std::string pythonField(const char* name, const std::vector<LoweredEntry>& entries)
{
    return entries.empty() ? "" : std::string("    ") + name + "=" + pythonList(entries, "    ", pythonString) + ",\n";
}

std::string nncfPython(const LoweredRules& lowered, bool validate)
{
    std::string fields = pythonField("names", lowered.names) + pythonField("patterns", lowered.patterns)
        + pythonField("types", lowered.types);
    if (!lowered.subgraphs.empty()) {
        fields += "    subgraphs=[\n";
        for (const Rule* rule : lowered.subgraphs)
            fields += "        nncf.Subgraph(inputs=" + pythonTexts(rule->inputs)
                + ", outputs=" + pythonTexts(rule->outputs) + "),\n";
        fields += "    ],\n";
    }
    if (!validate)
        fields += "    validate=False,\n";
    return fields.empty() ? "nncf.IgnoredScope()\n" : "nncf.IgnoredScope(\n" + fields + ")\n";
}

Json valuesJson(const std::vector<LoweredEntry>& entries)
{
    Json list = Json::array();
    for (const LoweredEntry& entry : entries)
        list.push_back(entry.value);
    return list;
}

void addValues(Json& object, const char* key, const std::vector<LoweredEntry>& entries)
{
    if (!entries.empty())
        object[key] = valuesJson(entries);
}

/// Unknown keys go back where they were: `inner` into the object named `key`, if there was one.
std::string jsonWith(Json fields, const char* key, const std::string& unknownKeys)
{
    const Json unknown = unknownKeys.empty() ? Json::object() : Json::parse(unknownKeys, nullptr, false);
    if (unknown.is_object() && unknown.contains(key) && unknown[key].is_object()) {
        Json whole = unknown;
        fields.update(unknown[key]);
        whole[key] = std::move(fields);
        fields = std::move(whole);
    } else {
        appendKeys(fields, unknownKeys);
    }
    return fields.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string nncfJson(const LoweredRules& lowered, bool validate, const std::string& unknownKeys)
{
    Json json = Json::object();
    addValues(json, "names", lowered.names);
    addValues(json, "patterns", lowered.patterns);
    addValues(json, "types", lowered.types);
    for (const Rule* rule : lowered.subgraphs) {
        Json ends{{"inputs", rule->inputs}, {"outputs", rule->outputs}};
        appendKeys(ends, rule->unknownKeys);
        json["subgraphs"].push_back(std::move(ends));
    }
    json["validate"] = validate;
    return jsonWith(std::move(json), "ignored_scope", unknownKeys);
}

std::string legacyJson(const LoweredRules& lowered, bool validate, const std::string& unknownKeys)
{
    Json json{{"ignored_scopes", valuesJson(lowered.names)}};
    addValues(json, "target_scopes", lowered.targets);
    if (!validate)
        json["validate_scopes"] = false;
    return jsonWith(std::move(json), "compression", unknownKeys);
}

std::string moduleText(const std::string& path)
{
    return path.empty() ? "model" : "model.get_submodule(" + pythonString(path) + ")";
}

std::string lines(const std::vector<LoweredEntry>& entries)
{
    std::string text;
    for (const LoweredEntry& entry : entries)
        text += entry.value + "\n";
    return text;
}

} // namespace

RulesText writeRules(const RuleSet& rules, RuleForm form, const RuleWriting& writing)
{
    LoweredRules lowered = lowerRules(rules, form, writing);
    const bool isJson = form == RuleForm::NncfJson || form == RuleForm::LegacyJson;
    if (!writing.unknownKeys.empty() && !isJson)
        lowered.losses.push_back({std::nullopt, "unknown keys are left out: " + writing.unknownKeys});
    RulesText result;
    switch (form) {
    case RuleForm::Recipe:
    case RuleForm::NncfPython:
        result.text = nncfPython(lowered, rules.validate);
        break;
    case RuleForm::NncfJson:
        result.text = nncfJson(lowered, rules.validate, writing.unknownKeys);
        break;
    case RuleForm::LegacyJson:
        result.text = legacyJson(lowered, rules.validate, writing.unknownKeys);
        break;
    case RuleForm::Ort:
        result.text = "nodes_to_exclude=" + pythonList(lowered.names, "", pythonString) + "\n";
        break;
    case RuleForm::Fsdp:
        result.text = "ignored_modules=" + pythonList(lowered.modules, "", moduleText) + "\n";
        break;
    case RuleForm::List:
        result.text = lines(lowered.names);
        break;
    }
    result.losses = std::move(lowered.losses);
    return result;
}

} // namespace duo
