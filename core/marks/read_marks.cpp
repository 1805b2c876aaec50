// SPDX-License-Identifier: Apache-2.0
#include "core/marks/mark_snippet.h"
#include "core/rules/python_literal.h"

#include <algorithm>
#include <map>
#include <optional>

namespace duo {
namespace {

using Kind = PythonValue::Kind;

/// One statement of several lines: it begins as far left as the first one does, and not with a closing bracket.
struct Statement {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<Statement> statementsOf(std::string_view text)
{
    std::vector<Statement> statements;
    std::size_t indent = std::string_view::npos;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = text.substr(start, end - start);
        const std::size_t letter = line.find_first_not_of(" \t\r");
        const bool isEmpty = letter == std::string_view::npos || line[letter] == '#';
        if (!isEmpty && indent == std::string_view::npos)
            indent = letter;
        const bool isStart
            = !isEmpty && letter <= indent && std::string_view(")]}").find(line[letter]) == std::string_view::npos;
        if (isStart)
            statements.push_back({start, end});
        else if (!statements.empty())
            statements.back().end = end;
        start = end + 1;
    }
    return statements;
}

class Reader
{
public:
    explicit Reader(std::string_view text)
        : m_text(text)
    {
    }

    std::variant<std::vector<Mark>, TextProblem> run()
    {
        for (const Statement& statement : statementsOf(m_text))
            read(statement);
        if (m_marks.empty() && m_names.contains("ignored_modules"))
            addMark(m_names.contains("root") ? &m_names.at("root") : nullptr, m_names.at("ignored_modules"), {});
        if (!m_marks.empty() && !m_ownProblem)
            return std::move(m_marks);
        if (m_ownProblem)
            return *std::move(m_ownProblem);
        return m_problem.value_or(
            TextProblem{"no modules to ignore", {}, "write ignored_modules=[model.get_submodule(\"...\")]", {}});
    }

private:
    void read(const Statement& statement)
    {
        const std::string_view text = m_text.substr(statement.begin, statement.end - statement.begin);
        if (text.starts_with("import ") || text.starts_with("from "))
            return;
        m_begin = statement.begin;
        auto parsed = parsePython(text);
        if (auto* problem = std::get_if<TextProblem>(&parsed)) {
            if (m_problem || text.find("ignored_modules") == std::string_view::npos)
                return;
            problem->place.line += placeAt(m_text, m_begin).line - 1;
            m_problem = std::move(*problem);
            return;
        }
        const auto& assigned = std::get<PythonAssignment>(parsed);
        if (assigned.value.kind == Kind::Call)
            readCall(assigned.value);
        else if (!assigned.name.empty())
            m_names.insert_or_assign(assigned.name, assigned.value);
    }

    void readCall(const PythonValue& call)
    {
        const bool isAnnotate = call.path.back() == "_annotate_modules_for_dynamo";
        const auto argument = [&](const char* name, std::size_t position) -> const PythonValue* {
            const PythonValue* named = call.argument(name);
            return named != nullptr || position >= call.items.size() ? named : &call.items[position];
        };
        constexpr std::size_t kNever = static_cast<std::size_t>(-1);
        const PythonValue* ignored = argument("ignored_modules", isAnnotate ? 1 : kNever);
        if (ignored == nullptr)
            return;
        std::vector<MarkSetting> settings;
        for (const auto& [name, value] : call.named)
            addSetting(name, value, settings);
        if (isAnnotate && call.items.size() > 2)
            addSetting("use_orig_params", call.items[2], settings);
        addMark(argument("module", 0), *ignored, std::move(settings));
    }

    static void addSetting(const std::string& name, const PythonValue& value, std::vector<MarkSetting>& settings)
    {
        if (value.kind == Kind::Flag)
            setInPlace(settings, {name, value.flag ? "true" : "false"});
        else if (value.kind == Kind::Number || value.kind == Kind::Text)
            setInPlace(settings, {name, value.text});
    }

    void addMark(const PythonValue* root, const PythonValue& ignored, std::vector<MarkSetting> settings)
    {
        Mark mark;
        mark.settings = std::move(settings);
        m_model.clear();
        if (root != nullptr)
            mark.root = pathOf(*root);
        const PythonValue* known = root == nullptr ? nullptr : &resolved(*root);
        m_model = known != nullptr && known->kind == Kind::Path ? known->path[0] : "model";
        addPaths(ignored, mark.ignored, 0);
        m_marks.push_back(std::move(mark));
    }

    /// What a name stands for, or the value itself.
    const PythonValue& resolved(const PythonValue& value) const
    {
        const auto known
            = value.kind == Kind::Path && value.path.size() == 1 ? m_names.find(value.path[0]) : m_names.end();
        return known == m_names.end() ? value : known->second;
    }

    /// "a.0" of model.a[0]; the first name is the model's.
    std::string pathOf(const PythonValue& value)
    {
        const PythonValue& module = resolved(value);
        if (module.kind == Kind::Text)
            return module.text;
        if (module.kind != Kind::Path) {
            if (!m_ownProblem)
                m_ownProblem = TextProblem{"not a module", "ignored_modules",
                    "write model.layer[0], model.get_submodule(\"layer.0\") or its path in quotes",
                    placeAt(m_text, m_begin)};
            return {};
        }
        if (!m_model.empty() && module.path[0] != m_model && module.path.size() == 1 && !m_ownProblem) {
            m_ownProblem = TextProblem{"nothing tells what '" + module.path[0] + "' is", "ignored_modules",
                "put its value before it", placeAt(m_text, m_begin)};
            return {};
        }
        std::string path;
        for (std::size_t i = 1; i < module.path.size(); ++i)
            path += (i > 1 ? "." : "") + module.path[i];
        return path;
    }

    /// Of a list, a set, a name that stands for one, or set(...) of one.
    void addPaths(const PythonValue& value, std::vector<std::string>& paths, int depth)
    {
        const PythonValue& list = resolved(value);
        const bool isMade = list.kind == Kind::Call && list.path.size() == 1 && list.items.size() <= 1
            && (list.path[0] == "set" || list.path[0] == "list" || list.path[0] == "tuple");
        if (isMade && list.items.empty())
            return;
        if (isMade && depth < kDeepest)
            return addPaths(list.items[0], paths, depth + 1);
        if (list.kind == Kind::None)
            return;
        if (list.kind != Kind::List)
            return paths.push_back(pathOf(list));
        for (const PythonValue& item : list.items)
            paths.push_back(pathOf(item));
    }

    static constexpr int kDeepest = 8;

    std::string_view m_text;
    std::size_t m_begin = 0; // of the statement that is read
    std::string m_model; // the name that stands for the model among what is ignored
    std::map<std::string, PythonValue> m_names;
    std::vector<Mark> m_marks;
    std::optional<TextProblem> m_problem; // of a statement that was passed over
    std::optional<TextProblem> m_ownProblem; // of one that was read
};

} // namespace

std::variant<std::vector<Mark>, TextProblem> marksFromPython(std::string_view text)
{
    return Reader(text).run();
}

} // namespace duo
