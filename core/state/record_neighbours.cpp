// SPDX-License-Identifier: Apache-2.0
#include "core/state/record_neighbours.h"

#include "core/model/op_facts.h"

#include <algorithm>

namespace duo {
namespace {

using Index = std::uint32_t;

std::string placeOf(const NodeRecord& node)
{
    return std::string(classOf(node.opType)) + " in " + node.scope;
}

} // namespace

Readers::Readers(const NodeRecords& records)
    : ofNode(records.size())
{
    for (Index i = 0; i < records.size(); ++i) {
        for (std::uint32_t port = 0; port < records[i].inputs.size(); ++port) {
            const std::int32_t giver = records[i].inputs[port];
            if (giver >= 0)
                ofNode[static_cast<Index>(giver)].push_back({i, port, outputOf(records[i], port)});
            else if (giver < -1)
                ofInput[giver].push_back({i, port});
        }
    }
}

std::uint32_t outputOf(const NodeRecord& node, std::size_t port)
{
    return node.ports.empty() ? 0 : node.ports[port];
}

std::string_view classOf(std::string_view opType)
{
    if (opType == "ReduceMean")
        return "GlobalAveragePool";
    return (opFacts(opType).marks & mark::kReshapes) != 0 ? "Reshape" : opType;
}

bool commutes(std::string_view opType)
{
    return (opFacts(opType).marks & mark::kCommutes) != 0;
}

std::vector<std::string> giversOf(const NodeRecords& records, const NodeRecord& node)
{
    std::vector<std::string> givers;
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
        const std::int32_t giver = node.inputs[port];
        if (giver >= 0)
            givers.push_back(
                placeOf(records[static_cast<Index>(giver)]) + " at " + std::to_string(outputOf(node, port)));
        else if (giver < -1)
            givers.push_back(std::to_string(giver));
    }
    if (commutes(node.opType))
        std::ranges::sort(givers);
    return givers;
}

std::vector<std::string> readersOf(const NodeRecords& records, const std::vector<Reader>& readers)
{
    std::vector<std::string> texts;
    for (const Reader& reader : readers) {
        const NodeRecord& node = records[reader.node];
        texts.push_back(placeOf(node) + " at " + std::to_string(commutes(node.opType) ? 0 : reader.port) + " of "
            + std::to_string(reader.output));
    }
    std::ranges::sort(texts);
    return texts;
}

} // namespace duo
