// SPDX-License-Identifier: Apache-2.0
#include "core/scope/facts/scope_facts.h"
#include "core/scope/make_record.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::string_view kScopes = "pkg.torch.onnx.name_scopes";
constexpr std::string_view kClasses = "pkg.torch.onnx.class_hierarchy";
constexpr std::string_view kNamespace = "namespace";

/// As Python prints a list of str without control characters.
std::string pythonList(const std::vector<std::string>& items)
{
    std::string text = "[";
    for (const std::string& item : items) {
        text += text.size() > 1 ? ", '" : "'";
        for (const char c : item) {
            if (c == '\\' || c == '\'')
                text += '\\';
            text += c;
        }
        text += "'";
    }
    return text + "]";
}

bool isPrintable(const std::string& text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

/// What the exporter would have printed about one node: the modules on the stack, then the operation itself.
struct PrintedStack {
    std::vector<std::string> scopes;
    std::vector<std::string> classes;

    [[nodiscard]] bool hasClasses() const { return std::find(classes.begin(), classes.end(), "") == classes.end(); }
    [[nodiscard]] std::string nameSpace() const
    {
        std::string text;
        for (std::size_t i = 0; i < scopes.size(); ++i)
            text += (i > 0 ? "/" : "") + scopes[i] + ": " + classes[i];
        return text;
    }
};

PrintedStack stackOf(const ScopeFacts& facts, const Node& node, CallId call)
{
    PrintedStack stack;
    stack.scopes.push_back(node.localName.empty() ? node.name : node.localName);
    stack.classes.push_back(node.opType);
    for (; call.valid(); call = facts.tree.calls[call.index].parent) {
        const PathId path = facts.tree.calls[call.index].path;
        stack.scopes.push_back(facts.paths.text(path));
        stack.classes.push_back(facts.paths.className(path));
    }
    std::reverse(stack.scopes.begin(), stack.scopes.end());
    std::reverse(stack.classes.begin(), stack.classes.end());
    return stack;
}

} // namespace

std::vector<std::pair<NodeId, Metadata>> exporterMetadata(const Model& model, const Scopes& scopes)
{
    const ScopeFacts& facts = *scopes.facts;
    std::vector<std::pair<NodeId, Metadata>> all;
    for (const NodeId id : model.mainGraph().nodes) {
        const Metadata& known = model.node(id).metadata;
        if (facts.executionFrom[id.index] > Provenance::Content || !metadataValue(known, kScopes).empty()
            || !metadataValue(known, kNamespace).empty())
            continue;
        const PrintedStack stack = stackOf(facts, model.node(id), facts.tree.callOf[id.index]);
        if (!std::all_of(stack.scopes.begin(), stack.scopes.end(), isPrintable))
            continue;
        Metadata entries{{std::string(kScopes), pythonList(stack.scopes)}};
        if (stack.hasClasses()) {
            entries.emplace_back(kClasses, pythonList(stack.classes));
            entries.emplace_back(kNamespace, stack.nameSpace());
        }
        all.emplace_back(id, std::move(entries));
    }
    return all;
}

} // namespace duo
