// SPDX-License-Identifier: Apache-2.0
#include "core/scope/trees/merged_reads.h"

#include "core/model/held_tensors.h"
#include "core/model/op_facts.h"
#include "core/scope/facts/python_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::string_view kScopes = "pkg.torch.onnx.name_scopes";

std::string_view withoutNumber(std::string_view name)
{
    const std::size_t underscore = name.rfind('_');
    const bool isNumbered = underscore != std::string_view::npos && underscore + 1 < name.size()
        && std::all_of(name.begin() + static_cast<std::ptrdiff_t>(underscore) + 1, name.end(),
            [](char c) { return c >= '0' && c <= '9'; });
    return isNumbered ? name.substr(0, underscore) : name;
}

/// The name a node's operation had in the program: "linear_1"; "" if the exporter did not record it. What comes of a
/// value's own name would change with it.
std::string fxName(const Node& node)
{
    std::string_view text = metadataValue(node.metadata, kFxNode);
    if (text.starts_with('%'))
        return std::string(text.substr(1, text.find_first_of(" :") - 1));
    const auto scopes = parsePythonStrings(metadataValue(node.metadata, kScopes));
    return scopes && !scopes->empty() ? scopes->back() : std::string();
}

bool isPlaceholder(std::string_view argument)
{
    return argument.starts_with("p_") || argument.starts_with("b_") || argument.starts_with("c_");
}

class MergedReads
{
public:
    MergedReads(const Model& model, const ScopeFacts& facts)
        : m_model(model)
        , m_facts(facts)
    {
    }

    std::vector<MergedRead> find()
    {
        findHiddenModules();
        for (const Node& node : m_model.nodes) {
            if (!node.metadata.empty())
                m_fxNames.insert(fxName(node));
        }
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            const Node& node = m_model.nodes[n];
            if (m_facts.frames[n].from == Provenance::Recorded && m_facts.frames[n].isScoped)
                addRecorded(NodeId(n), node);
            else if (m_facts.frames[n].from == Provenance::Name)
                addPastParent(NodeId(n), node);
            if (!m_hidden.empty() && has(node, mark::kCommutes))
                addDoubled(NodeId(n), node);
        }
        const auto order = [](const MergedRead& a, const MergedRead& b) {
            return std::tie(a.producer, a.reader, a.port) < std::tie(b.producer, b.reader, b.port);
        };
        std::sort(m_reads.begin(), m_reads.end(), order);
        return std::move(m_reads);
    }

private:
    const Call& call(CallId id) const { return m_facts.tree.calls[id.index]; }
    CallId callOf(NodeId node) const { return m_facts.tree.callOf[node.index]; }
    bool runs(PathId path) const
    {
        const PathId first = m_facts.aliases.known(m_facts.paths, path);
        return first.index < m_facts.tree.runs.size() && m_facts.tree.runs[first.index] > 0;
    }

    /// `%linear_1` as an argument, while the node reads `linear`, and nothing makes a `linear_1`.
    void addRecorded(NodeId id, const Node& node)
    {
        std::vector<std::string_view> arguments = fxArguments(metadataValue(node.metadata, kFxNode));
        std::erase_if(arguments, isPlaceholder);
        std::vector<std::uint32_t> ports;
        for (std::uint32_t port = 0; port < node.inputs.size(); ++port) {
            const bool isData = node.inputs[port].valid() && !heldTensor(m_model, node.inputs[port]).valid();
            if (isData)
                ports.push_back(port);
        }
        if (arguments.size() != ports.size())
            return;
        for (std::size_t i = 0; i < ports.size(); ++i) {
            const NodeId producer = m_model.value(node.inputs[ports[i]]).producer;
            const std::string read = producer.valid() ? fxName(m_model.node(producer)) : std::string();
            if (!producer.valid() || arguments[i] == read || withoutNumber(arguments[i]) != withoutNumber(read)
                || m_fxNames.contains(std::string(arguments[i])))
                continue;
            m_reads.push_back({producer, id, ports[i], std::string(arguments[i])});
        }
    }

    /// A child of `parent` was called from elsewhere; a call of `parent` that does not call it reads its result, and so
    /// does somebody else.
    void addPastParent(NodeId id, const Node& node)
    {
        const CallId from = callOf(id);
        const Call& running = call(from);
        const PathId parent = running.parent.valid() ? m_facts.paths.parent(running.module) : PathId{};
        if (!parent.valid() || parent == ModulePaths::root() || call(running.parent).module == parent || !runs(parent))
            return;
        for (const ValueId output : node.outputs) {
            if (!output.valid())
                continue;
            const auto& uses = m_model.value(output).uses;
            const auto isInParent = [&](const Use& use) { return call(callOf(use.node)).module == parent; };
            const bool isElsewhere = std::any_of(
                uses.begin(), uses.end(), [&](const Use& use) { return !isInParent(use) && callOf(use.node) != from; });
            for (const Use& use : uses) {
                if (isElsewhere && isInParent(use))
                    m_reads.push_back({id, use.node, use.port, {}});
            }
        }
    }

    /// Modules with a second path that are called only once.
    void findHiddenModules()
    {
        for (const Call& called : m_facts.tree.calls) {
            if (m_facts.tree.runs[called.module.index] == 1 && !m_facts.aliases.others(called.module).empty())
                m_hidden.insert(called.module);
        }
        if (m_hidden.empty())
            return;
        m_holdsHidden.assign(m_facts.tree.calls.size(), false);
        for (std::size_t c = 1; c < m_facts.tree.calls.size(); ++c) {
            if (!m_hidden.contains(m_facts.tree.calls[c].module))
                continue;
            m_holdsHidden[c] = true;
            m_holdsHidden[m_facts.tree.calls[c].parent.index] = true;
        }
    }

    void addDoubled(NodeId id, const Node& node)
    {
        for (std::uint32_t port = 1; port < node.inputs.size(); ++port) {
            const ValueId input = node.inputs[port];
            if (!input.valid() || input != node.inputs[port - 1] || !m_model.value(input).producer.valid())
                continue;
            const NodeId producer = m_model.value(input).producer;
            const CallId common = commonCall(m_facts.tree, callOf(producer), callOf(id));
            for (CallId c = callOf(producer); c != common; c = call(c).parent) {
                if (!m_holdsHidden[c.index])
                    continue;
                if (m_doubled.insert(c).second)
                    addNodesOf(c, id, port);
                return;
            }
        }
    }

    /// Everything that runs in the call stands for the other one, too.
    void addNodesOf(CallId outer, NodeId reader, std::uint32_t port)
    {
        for (std::size_t n = 0; n < m_model.nodes.size(); ++n) {
            for (CallId c = callOf(NodeId(n)); c.valid(); c = call(c).parent) {
                if (c == outer)
                    m_reads.push_back({NodeId(n), reader, port, {}});
            }
        }
    }

    const Model& m_model;
    const ScopeFacts& m_facts;
    std::unordered_set<std::string> m_fxNames; // of all nodes
    std::set<PathId> m_hidden;
    std::vector<bool> m_holdsHidden; // [calls] of such a module, or calling one
    std::set<CallId> m_doubled; // calls whose nodes are listed
    std::vector<MergedRead> m_reads;
};

} // namespace

std::vector<MergedRead> findMergedReads(const Model& model, const ScopeFacts& facts)
{
    return MergedReads(model, facts).find();
}

} // namespace duo
