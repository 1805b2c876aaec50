// SPDX-License-Identifier: Apache-2.0
#include "core/marks/mark_snippet.h"

#include "core/marks/mark_json.h"
#include "core/rules/python_literal.h"
#include "core/support/enum_text.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr auto kForms = enumTexts<MarkForm::FullyShard>({"ignored-modules", "annotate", "fsdp", "fully-shard"});
/// PyTorch's containers have no forward: neither FSDP can wrap them.
constexpr std::array<std::string_view, 4> kContainers{"ModuleList", "ModuleDict", "ParameterList", "ParameterDict"};

using Modules = std::vector<std::uint32_t>;

std::string pythonValue(const std::string& text)
{
    const nlohmann::ordered_json value = markSettingsJson({{"value", text}})["value"];
    if (value.is_boolean())
        return value.get<bool>() ? "True" : "False";
    return value.is_number() ? text : pythonString(text);
}

std::string getSubmodule(const std::string& path)
{
    return path.empty() ? "model" : "model.get_submodule(" + pythonString(path) + ")";
}

class Writer
{
public:
    Writer(const ModuleTree& tree, const std::vector<Mark>& marks, const Marked& marked)
        : m_tree(tree)
        , m_marks(marks)
        , m_marked(marked)
    {
        for (std::size_t i = 0; i < marks.size(); ++i) {
            if (marks[i].enabled && marked.marks[i].problem.empty() && marked.marks[i].root != ModuleTree::kNone)
                m_active.push_back(i);
        }
        findSubject();
    }

    MarkSnippet write(MarkForm form)
    {
        for (std::size_t i = 0; i < m_marks.size(); ++i) {
            if (!m_marks[i].enabled)
                lose("a mark that is switched off is left out: " + markText(m_marks[i]));
            else if (!m_marked.marks[i].problem.empty())
                lose("left out, " + m_marked.marks[i].problem + ": " + markText(m_marks[i]));
        }
        switch (form) {
        case MarkForm::IgnoredModules:
            writeSubject();
            loseSettings({});
            break;
        case MarkForm::Annotate:
            writeAnnotate();
            break;
        case MarkForm::Fsdp:
            writeFsdp();
            break;
        case MarkForm::FullyShard:
            writeFullyShard();
            break;
        }
        return std::move(m_result);
    }

private:
    void lose(std::string text) { m_result.losses.push_back(std::move(text)); }

    /// One root with all that is not marked below it: of one mark its own, of several the model.
    void findSubject()
    {
        if (m_active.size() == 1) {
            const MarkOutcome& only = m_marked.marks[m_active.front()];
            m_root = only.root;
            m_subject = only.marked;
            m_ignored = only.ignored;
            return;
        }
        const Marked all = annotate(m_tree, {Mark{}});
        for (const std::uint32_t module : all.marks.front().marked)
            (m_marked.states[module] == MarkState::Marked ? m_subject : m_ignored).push_back(module);
    }

    [[nodiscard]] const std::string& pathOf(std::uint32_t module) const { return m_tree.modules[module].path; }

    [[nodiscard]] std::string moduleList(const Modules& modules, std::string_view open, std::string_view close) const
    {
        std::string text(open);
        for (const std::uint32_t module : modules)
            text += (text.size() == open.size() ? "\n    " : "    ") + getSubmodule(pathOf(module)) + ",\n";
        return text + std::string(close);
    }

    void writeSubject()
    {
        m_result.text += "root = " + getSubmodule(pathOf(m_root)) + "\n";
        m_result.text += "ignored_modules = " + moduleList(m_ignored, "[", "]") + "\n";
    }

    void loseSettings(const std::vector<std::string>& said)
    {
        for (const std::size_t mark : m_active) {
            for (const MarkSetting& setting : m_marks[mark].settings) {
                if (std::ranges::find(said, setting.key) == said.end())
                    lose("this form has no word for " + setting.key + "=" + setting.value);
            }
        }
    }

    void writeAnnotate()
    {
        m_result.text += "from torch.distributed.fsdp._dynamo_utils import _annotate_modules_for_dynamo\n\n";
        for (const std::size_t mark : m_active) {
            std::string original = "False";
            for (const MarkSetting& setting : m_marks[mark].settings) {
                if (setting.key == "use_orig_params")
                    original = pythonValue(setting.value);
                else
                    lose("this form has no word for " + setting.key + "=" + setting.value);
            }
            const MarkOutcome& outcome = m_marked.marks[mark];
            m_result.text += "_annotate_modules_for_dynamo(\n    " + getSubmodule(pathOf(outcome.root)) + ",\n"
                + "    ignored_modules="
                + (outcome.ignored.empty() ? std::string("set()") : moduleList(outcome.ignored, "{", "}"))
                + ",\n    use_orig_params=" + original + ",\n)\n";
        }
    }

    /// What FSDP can wrap, from the root down, without the root itself, which the call wraps.
    [[nodiscard]] Modules wrapped(bool hidesBelowIgnored)
    {
        std::vector<bool> isHidden(m_tree.modules.size(), false);
        if (hidesBelowIgnored) {
            Mark expanded;
            expanded.root = pathOf(m_root);
            expanded.expandIgnored = true;
            for (const std::uint32_t ignored : m_ignored)
                expanded.ignored.push_back(pathOf(ignored));
            const Marked all = annotate(m_tree, {expanded});
            for (const std::uint32_t below : all.marks.front().ignored)
                isHidden[below] = true;
        }
        Modules modules;
        std::size_t containers = 0;
        std::size_t hidden = 0;
        for (const std::uint32_t module : m_subject) {
            const std::string_view type = m_tree.modules[module].className;
            const bool isContainer
                = std::ranges::find(kContainers, type.substr(type.rfind('.') + 1)) != kContainers.end();
            containers += isContainer ? 1 : 0;
            hidden += isHidden[module] && !isContainer ? 1 : 0;
            if (module != m_root && !isContainer && !isHidden[module])
                modules.push_back(module);
        }
        if (containers > 0)
            lose("lists and dicts of modules have no forward and cannot be wrapped: " + std::to_string(containers)
                + " left out");
        if (hidden > 0)
            lose("FSDP ignores what lies below an ignored module as well: " + std::to_string(hidden) + " left out");
        return modules;
    }

    /// Of settings that FullyShardedDataParallel takes, where all marks agree.
    [[nodiscard]] std::string originalParameters()
    {
        std::string value;
        for (const std::size_t mark : m_active) {
            const auto& settings = m_marks[mark].settings;
            const auto found = std::ranges::find(settings, "use_orig_params", &MarkSetting::key);
            if (found == settings.end())
                continue;
            if (!value.empty() && value != found->value)
                lose("marks differ in use_orig_params: the last one holds");
            value = found->value;
        }
        return value;
    }

    void writeFsdp()
    {
        m_result.text += "from torch.distributed.fsdp import FullyShardedDataParallel\n"
                         "from torch.distributed.fsdp.wrap import CustomPolicy\n\n";
        writeSubject();
        m_result.text += "marked = " + moduleList(wrapped(true), "set([", "])") + "\n"
            + "root = FullyShardedDataParallel(\n    root,\n"
            + "    auto_wrap_policy=CustomPolicy(marked.__contains__),\n    ignored_modules=ignored_modules,\n";
        if (const std::string value = originalParameters(); !value.empty())
            m_result.text += "    use_orig_params=" + pythonValue(value) + ",\n";
        m_result.text += ")\n";
        loseSettings({"use_orig_params"});
        if (m_marked.states[m_root] != MarkState::Marked)
            lose("the root is not marked, but FSDP wraps it");
    }

    /// Each behind all that lies below it, by whatever path.
    [[nodiscard]] Modules fromBelow(const Modules& modules) const
    {
        std::vector<bool> isWanted(m_tree.modules.size(), false);
        for (const std::uint32_t module : modules)
            isWanted[module] = true;
        Modules ordered;
        std::vector<bool> isSeen(m_tree.modules.size(), false);
        std::vector<std::pair<std::uint32_t, std::size_t>> open{{m_root, 0}}; // and how many children were looked at
        isSeen[m_root] = true;
        while (!open.empty()) {
            const std::uint32_t module = open.back().first;
            const auto& children = m_tree.modules[module].children;
            if (open.back().second == children.size()) {
                if (isWanted[module])
                    ordered.push_back(module);
                open.pop_back();
                continue;
            }
            const std::uint32_t child = children[open.back().second++];
            if (!isSeen[child])
                open.emplace_back(child, 0);
            isSeen[child] = true;
        }
        return ordered;
    }

    void writeFullyShard()
    {
        m_result.text += "from torch.distributed.fsdp import fully_shard\n\n";
        writeSubject();
        Modules modules = wrapped(false);
        if (std::ranges::find(m_subject, m_root) != m_subject.end())
            modules.insert(modules.begin(), m_root);
        modules = fromBelow(modules);
        m_result.text += "ignored_params = {p for m in ignored_modules for p in m.parameters(recurse=False)}\n"
            + std::string("for module in ") + moduleList(modules, "[", "]")
            + ":\n    fully_shard(module, ignored_params=ignored_params)\n";
        loseSettings({});
        if (std::ranges::find(m_subject, m_root) == m_subject.end())
            lose("the root is not marked: what no marked module holds is not sharded");
    }

    const ModuleTree& m_tree;
    const std::vector<Mark>& m_marks;
    const Marked& m_marked;
    std::vector<std::size_t> m_active; // marks that mark something
    std::uint32_t m_root = 0;
    Modules m_subject; // marked, from the root down
    Modules m_ignored;
    MarkSnippet m_result;
};

} // namespace

std::string_view markFormText(MarkForm form)
{
    return enumText(kForms, form);
}

std::optional<MarkForm> markFormFromText(std::string_view text)
{
    return enumFromText<MarkForm>(kForms, text);
}

MarkSnippet markSnippet(const ModuleTree& tree, const std::vector<Mark>& marks, const Marked& marked, MarkForm form)
{
    return Writer(tree, marks, marked).write(form);
}

} // namespace duo
