// SPDX-License-Identifier: Apache-2.0
#include "core/rules/read_rules.h"

#include "core/rules/nncf_json.h"
#include "core/rules/python_literal.h"

#include <algorithm>
#include <array>
#include <optional>

namespace duo {
namespace {

using Kind = PythonValue::Kind;

class PythonReader
{
public:
    explicit PythonReader(std::string_view text)
        : m_text(text)
    {
    }

    std::variant<ImportedRules, TextProblem> run(const PythonAssignment& assignment)
    {
        read(assignment.name, assignment.value);
        if (m_problem)
            return *std::move(m_problem);
        return std::move(m_read);
    }

private:
    void fail(const PythonValue& value, std::string key, std::string what, std::string whatToDo)
    {
        if (!m_problem)
            m_problem = TextProblem{std::move(what), std::move(key), std::move(whatToDo), placeAt(m_text, value.at)};
    }

    void read(const std::string& name, const PythonValue& value)
    {
        switch (value.kind) {
        case Kind::Call:
            return value.path.back() == "IgnoredScope" ? readScope(value) : readArguments(value);
        case Kind::Dict:
            return readDict(value);
        case Kind::List:
            return name == "ignored_modules" || (!value.items.empty() && value.items[0].kind == Kind::Path)
                ? readModules(value)
                : readNames(name, value);
        default:
            fail(value, "", "no rules", "write nncf.IgnoredScope(...), nodes_to_exclude=[...] or a list of names");
        }
    }

    /// The argument of some call that says what to leave alone: quantize(..., ignored_scope=IgnoredScope(...)).
    void readArguments(const PythonValue& call)
    {
        for (const char* name : {"ignored_scope", "nodes_to_exclude", "ignored_modules"}) {
            if (const PythonValue* argument = call.argument(name))
                return read(name, *argument);
        }
        fail(call, "", "a call without rules: " + call.path.back(),
            "write nncf.IgnoredScope(...), or a call with ignored_scope, nodes_to_exclude or ignored_modules");
    }

    void readDict(const PythonValue& dict)
    {
        auto rules = rulesFromJson(pythonJson(dict));
        if (rules)
            m_read = *std::move(rules);
        else
            fail(dict, rules.error().where, rules.error().what, rules.error().whatToDo);
    }

    void readScope(const PythonValue& call)
    {
        constexpr std::array<const char*, 5> kFields{"names", "patterns", "types", "subgraphs", "validate"};
        m_read.form = RuleForm::NncfPython;
        for (std::size_t i = 0; i < call.items.size(); ++i) {
            if (i == kFields.size())
                return fail(call.items[i], "", "too many arguments", "IgnoredScope has five");
            if (call.argument(kFields.at(i)) != nullptr)
                return fail(call.items[i], kFields.at(i), "given twice", "keep one of them");
            readField(kFields.at(i), call.items[i]);
        }
        for (const auto& [name, value] : call.named)
            readField(name, value);
    }

    void readField(const std::string& name, const PythonValue& value)
    {
        if (name == "names" || name == "patterns" || name == "types") {
            const RuleKind kind = name == "names" ? RuleKind::Name
                : name == "patterns"              ? RuleKind::Pattern
                                                  : RuleKind::Type;
            for (std::string& text : texts(name, value))
                addRule(kind, std::move(text));
        } else if (name == "subgraphs") {
            readSubgraphs(value);
        } else if (name == "validate") {
            if (value.kind != Kind::Flag)
                return fail(value, name, "not True or False", "write True or False");
            m_read.rules.validate = value.flag;
        } else {
            m_read.unknown[name] = pythonJson(value);
            m_read.notes.push_back({"unknown-key", "IgnoredScope has no '" + name + "': kept, without effect", name});
        }
    }

    void readSubgraphs(const PythonValue& value)
    {
        if (value.kind == Kind::Call) // one Subgraph where a list of them belongs, as NNCF's own page has it
            return readSubgraph(value);
        if (value.kind != Kind::List && value.kind != Kind::None)
            return fail(value, "subgraphs", "not a list", "write a list of nncf.Subgraph(inputs=[...], outputs=[...])");
        for (const PythonValue& item : value.items)
            readSubgraph(item);
    }

    void readSubgraph(const PythonValue& value)
    {
        const bool isDict = value.kind == Kind::Dict;
        if (!isDict && (value.kind != Kind::Call || value.path.back() != "Subgraph"))
            return fail(value, "subgraphs", "not a subgraph", "write nncf.Subgraph(inputs=[...], outputs=[...])");
        const auto end = [&](const char* name, std::size_t index) {
            const PythonValue* named = value.argument(name);
            return named != nullptr ? named : index < value.items.size() ? &value.items[index] : nullptr;
        };
        const PythonValue* inputs = end("inputs", 0);
        const PythonValue* outputs = end("outputs", 1);
        if (inputs == nullptr || outputs == nullptr)
            return fail(value, "subgraphs", "a subgraph without inputs or outputs", "name nodes in both lists");
        Rule rule;
        rule.kind = RuleKind::Subgraph;
        rule.inputs = texts("subgraphs.inputs", *inputs);
        rule.outputs = texts("subgraphs.outputs", *outputs);
        m_read.rules.rules.push_back(std::move(rule));
    }

    void readNames(const std::string& name, const PythonValue& list)
    {
        if (name == "nodes_to_exclude")
            m_read.form = RuleForm::Ort;
        for (std::string& text : texts(name, list))
            addRule(RuleKind::Name, std::move(text));
    }

    void readModules(const PythonValue& list)
    {
        m_read.form = RuleForm::Fsdp;
        for (const PythonValue& item : list.items) {
            if (item.kind == Kind::Text) {
                addRule(RuleKind::StorageScope, item.text);
                continue;
            }
            if (item.kind != Kind::Path)
                return fail(item, "ignored_modules", "not a module", "write model.layer[0] or its path in quotes");
            std::string path;
            for (std::size_t i = 1; i < item.path.size(); ++i)
                path += (i > 1 ? "." : "") + item.path[i];
            addRule(RuleKind::StorageScope, std::move(path));
        }
    }

    std::vector<std::string> texts(const std::string& key, const PythonValue& value)
    {
        std::vector<std::string> result;
        if (value.kind == Kind::None)
            return result;
        if (value.kind == Kind::Text)
            return {value.text};
        if (value.kind != Kind::List) {
            fail(value, key, "not a list", "write a list of texts");
            return result;
        }
        for (const PythonValue& item : value.items) {
            if (item.kind != Kind::Text)
                fail(item, key, "not text", "write a list of texts");
            result.push_back(item.text);
        }
        return result;
    }

    void addRule(RuleKind kind, std::string value)
    {
        Rule rule;
        rule.kind = kind;
        rule.value = std::move(value);
        m_read.rules.rules.push_back(std::move(rule));
    }

    std::string_view m_text;
    ImportedRules m_read;
    std::optional<TextProblem> m_problem;
};

std::string_view trimmed(std::string_view line)
{
    constexpr std::string_view kSpace = " \t\r";
    const std::size_t start = line.find_first_not_of(kSpace);
    return start == std::string_view::npos ? std::string_view()
                                           : line.substr(start, line.find_last_not_of(kSpace) - start + 1);
}

} // namespace

std::variant<ImportedRules, TextProblem> rulesFromPython(std::string_view text)
{
    auto parsed = parsePython(text);
    if (auto* problem = std::get_if<TextProblem>(&parsed))
        return std::move(*problem);
    return PythonReader(text).run(std::get<PythonAssignment>(parsed));
}

ImportedRules rulesFromLines(std::string_view text)
{
    ImportedRules read;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = trimmed(text.substr(start, end - start));
        start = end + 1;
        if (line.empty())
            continue;
        Rule rule;
        rule.value = line;
        read.rules.rules.push_back(std::move(rule));
    }
    return read;
}

bool looksLikePython(std::string_view text)
{
    std::size_t start = text.find_first_not_of(" \t\r\n");
    while (start != std::string_view::npos && text[start] == '#') // comments before it tell nothing
        start = text.find_first_not_of(" \t\r\n", std::min(text.find('\n', start), text.size()));
    if (start == std::string_view::npos)
        return false;
    const std::string_view rest = text.substr(start);
    if (rest.starts_with('[') || rest.starts_with("import ") || rest.starts_with("from "))
        return true;
    // A dotted name and a bracket or an equals sign: "nncf.IgnoredScope(", "nodes_to_exclude = [".
    const auto isNamePart = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    };
    const auto end = std::find_if_not(rest.begin(), rest.end(), isNamePart);
    const std::string_view behind = trimmed(rest.substr(static_cast<std::size_t>(end - rest.begin())));
    return end != rest.begin() && (behind.starts_with('(') || behind.starts_with('=') || behind.starts_with(": "));
}

} // namespace duo
