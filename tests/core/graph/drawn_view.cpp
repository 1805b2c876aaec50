// SPDX-License-Identifier: Apache-2.0
#include "tests/core/graph/drawn_view.h"

namespace duo::test {
namespace {

ScopeId scopeAt(ScopeTree& tree, const std::string& path)
{
    if (const auto found = tree.index.find(path); found != tree.index.end())
        return found->second;
    const std::size_t slash = path.rfind('/');
    const ScopeId parent = scopeAt(tree, slash == std::string::npos ? std::string() : path.substr(0, slash));
    const ScopeId id(tree.scopes.size());
    Scope scope;
    scope.path = path;
    scope.name = slash == std::string::npos ? path : path.substr(slash + 1);
    scope.parent = parent;
    tree.scopes.push_back(scope);
    tree.scopes[parent.index].children.push_back(id);
    tree.index.emplace(path, id);
    return id;
}

std::string nameOf(const ViewBox& box)
{
    return box.kind == ViewBox::Kind::Node ? box.title + " " + box.subtitle : box.title;
}

std::string boxText(const ViewBox& box)
{
    switch (box.kind) {
    case ViewBox::Kind::Node:
        return "(" + nameOf(box) + (box.badge.empty() ? "" : " : " + box.badge) + ")";
    case ViewBox::Kind::Scope:
    case ViewBox::Kind::Group:
        return (box.open ? "[-" : "[") + box.title + " " + std::to_string(box.total) + "]";
    case ViewBox::Kind::Input:
        return "[input " + box.title + "]";
    case ViewBox::Kind::Output:
        return "[output " + box.title + "]";
    case ViewBox::Kind::Quantizer:
        return "<" + box.title + ">";
    case ViewBox::Kind::Stub:
        break;
    }
    return "<stub " + box.title + ">";
}

void drawBoxes(const ViewGraph& view, std::int32_t parent, const std::string& indent, std::string& text)
{
    for (std::size_t i = 0; i < view.boxes.size(); ++i) {
        if (view.boxes[i].parent != parent)
            continue;
        text += indent + boxText(view.boxes[i]) + "\n";
        drawBoxes(view, static_cast<std::int32_t>(i), indent + "  ", text);
    }
}

} // namespace

Scopes scopesOf(const std::vector<std::string>& executionPerNode)
{
    Scopes scopes;
    scopes.execution.scopes.emplace_back();
    scopes.execution.index.emplace("", ScopeId(0));
    for (std::size_t n = 0; n < executionPerNode.size(); ++n) {
        NodeScope scope;
        scope.execution = executionPerNode[n];
        scope.executionScope = scopeAt(scopes.execution, scope.execution);
        scopes.execution.scopes[scope.executionScope.index].nodes.push_back(NodeId(n));
        scopes.nodes.push_back(std::move(scope));
    }
    return scopes;
}

std::string drawn(const ViewGraph& view)
{
    std::string text = "\n";
    drawBoxes(view, -1, "", text);
    for (const ViewEdge& edge : view.edges) {
        const std::string arrow = edge.values == 1 ? " -> " : " =" + std::to_string(edge.values) + "=> ";
        text += nameOf(view.boxes[edge.from]) + arrow + nameOf(view.boxes[edge.to]);
        text += edge.badge.empty() ? "\n" : " : " + edge.badge + "\n";
    }
    return text;
}

} // namespace duo::test
