// SPDX-License-Identifier: Apache-2.0
#include "core/transform/raise_opset.h"

#include "core/transform/node_name_edits.h"
#include "core/transform/operator_table.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

constexpr std::int64_t kIrVersion = 7; // which came with opset 13
constexpr std::int64_t kFirstIrWithImports = 3;
constexpr std::int64_t kLastConsumed = 5; // the last opset whose operators could list `consumed_inputs`

struct Refused {
    NodeId node;
    std::string why;
};

class OpsetRaiser
{
public:
    OpsetRaiser(const Model& model, std::int64_t opset)
        : m_model(model)
        , m_opset(opset)
        , m_edits(model)
    {
    }

    PassResult run()
    {
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            if (const auto why = refusal(NodeId(n)))
                return {std::nullopt, {keptNote({NodeId(n), *why})}};
        }
        for (auto& edit : nodeNameEdits(m_model)) {
            if (m_edits.renamed.contains(edit.first))
                m_edits.list.nodeNames.push_back(std::move(edit));
        }
        m_edits.list.opsets.emplace_back("", kPerChannelOpset);
        m_edits.list.irVersion = kIrVersion;
        return {std::move(m_edits.list), {raisedNote()}};
    }

private:
    /// Why a node has no conversion; it is rewritten where it has one.
    std::optional<std::string> refusal(NodeId id)
    {
        const Node& node = m_model.node(id);
        if (node.isCall)
            return "it calls a local function";
        if (!node.domain.empty())
            return std::nullopt;
        const OperatorRow* row = operatorRow(node.opType);
        if (row == nullptr || m_opset < row->since)
            return "it is no operator of opset " + std::to_string(m_opset);
        NodeRewrite rewrite(m_edits, id, m_opset);
        if (m_opset <= kLastConsumed)
            rewrite.drop("consumed_inputs");
        if (m_opset < row->asIs) {
            if (m_opset < row->oldest || row->rewrite == nullptr)
                return "its form of opset " + std::to_string(m_opset) + " has no conversion";
            row->rewrite(rewrite);
        }
        if (!rewrite.refusal() && rewrite.isChanged())
            ++m_rewritten[node.opType];
        return rewrite.refusal();
    }

    [[nodiscard]] Note raisedNote() const
    {
        std::vector<std::pair<std::string, std::size_t>> sorted(m_rewritten.begin(), m_rewritten.end());
        std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
        std::string text = "opset " + std::to_string(m_opset) + " is read as opset " + std::to_string(kPerChannelOpset)
            + (sorted.empty() ? ", no node had to be rewritten" : ", rewritten: ");
        for (std::size_t i = 0; i < sorted.size(); ++i)
            text += (i == 0 ? "" : ", ") + std::to_string(sorted[i].second) + " " + sorted[i].first;
        return {std::string(kOpsetRaised), text, {}};
    }

    [[nodiscard]] Note keptNote(const Refused& refused) const
    {
        const Node& node = m_model.node(refused.node);
        return {std::string(kOpsetKept),
            "opset " + std::to_string(m_opset) + " is not converted to " + std::to_string(kPerChannelOpset) + ": "
                + node.opType + " '" + node.name + "': " + refused.why,
            node.name};
    }

    const Model& m_model;
    std::int64_t m_opset;
    OpsetEdits m_edits;
    std::map<std::string, std::size_t> m_rewritten; // nodes by their operator
};

} // namespace

std::int64_t writtenOpset(const Model& model)
{
    const bool isOlderThanImports = model.opsets.empty() && model.irVersion < kFirstIrWithImports;
    return isOlderThanImports ? 1 : model.opset();
}

PassResult raiseOpset(const Model& model)
{
    const std::int64_t opset = writtenOpset(model);
    if (!model.format->canRun() || opset < 1 || opset >= kPerChannelOpset)
        return {};
    return OpsetRaiser(model, opset).run();
}

} // namespace duo
