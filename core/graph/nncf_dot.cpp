// SPDX-License-Identifier: Apache-2.0
#include "core/graph/nncf_dot.h"

#include "core/graph/dot_text.h"

#include <algorithm>
#include <cctype>

namespace duo {
namespace {

std::string identifierOrQuoted(const std::string& text)
{
    const auto isPlain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const bool isIdentifier = !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0
        && std::all_of(text.begin(), text.end(), isPlain);
    return isIdentifier ? text : dotQuoted(text);
}

std::string shapeText(const ValueType& type)
{
    std::string text = "[";
    if (type.shape) {
        for (const Dim& dim : *type.shape) {
            text += text.size() > 1 ? ", " : "";
            text += dim.size ? std::to_string(*dim.size) : "-1";
        }
    }
    return text + "]";
}

} // namespace

std::string nncfDot(const Model& model, const CompressedGraph& graph)
{
    std::string text = "strict digraph {\n";
    std::vector<std::string> keys;
    for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
        const CompressedNode& node = graph.nodes[id];
        const std::string label = std::to_string(id) + " " + node.name;
        std::string key = label;
        std::replace(key.begin(), key.end(), ':', '^');
        keys.push_back(dotQuoted(key));
        text += keys.back() + " [id=" + std::to_string(id);
        if (key != label)
            text += ", label=" + dotQuoted(label);
        text += ", type=" + identifierOrQuoted(node.opType) + "];\n";
    }
    for (const CompressedEdge& edge : graph.edges) {
        text += keys[edge.from] + " -> " + keys[edge.to]
            + " [label=" + dotQuoted(shapeText(model.value(edge.value).type))
            + ", style=" + (edge.isInteger ? "dashed" : "solid") + "];\n";
    }
    return text + "}\n";
}

} // namespace duo
