// SPDX-License-Identifier: Apache-2.0
#include "core/report/sentence_parts.h"

#include <algorithm>

namespace duo {

std::vector<NodeId> nodesNamed(const Decision& decision)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : {decision.fusedWith, decision.about}) {
        if (node.valid() && std::ranges::find(nodes, node) == nodes.end())
            nodes.push_back(node);
    }
    return nodes;
}

std::vector<SentencePart> sentenceParts(
    const std::string& sentence, const std::vector<NodeId>& nodes, const Model& model)
{
    std::vector<SentencePart> parts;
    std::size_t at = 0;
    while (at < sentence.size()) {
        std::size_t next = std::string::npos;
        NodeId named;
        for (const NodeId node : nodes) {
            const std::size_t found = sentence.find("'" + model.node(node).name + "'", at);
            if (found < next) {
                next = found;
                named = node;
            }
        }
        if (next != at)
            parts.push_back({sentence.substr(at, next - at)});
        if (!named.valid())
            break;
        const std::string& name = model.node(named).name;
        parts.push_back({name, named});
        at = next + name.size() + 2;
    }
    return parts;
}

} // namespace duo
