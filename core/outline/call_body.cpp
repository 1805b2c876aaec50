// SPDX-License-Identifier: Apache-2.0
#include "core/outline/call_body.h"

#include "core/model/held_tensors.h"
#include "core/scope/facts/scope_facts.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

/// What a value is, whoever reads it.
struct ValueRole {
    bool isConstant = false; // held by the file, or computed from nothing else
    bool isLearned = false;
    std::int32_t key = kNoKey; // of a parameter; kNoKey: it has lost its name
};

/// What parameters are called, those that the file holds under another name too. [tensors]
std::vector<std::int32_t> keysOf(const Model& model, const Parameters& parameters)
{
    std::vector<std::int32_t> keys(model.tensors.size(), kNoKey);
    for (const auto& reads : parameters.reads) {
        for (const ParameterRead& read : reads) {
            if (read.tensor.valid() && read.key != kNoKey && !read.isFolded)
                keys[read.tensor.index] = read.key;
        }
    }
    for (std::size_t t = 0; t < keys.size(); ++t) {
        if (parameters.isLearned[t] && parameters.keyOf[t] != kNoKey)
            keys[t] = parameters.keyOf[t];
    }
    return keys;
}

std::vector<ValueRole> rolesOf(const Model& model, const Scopes& scopes, const NodeFlow& flow)
{
    std::vector<ValueRole> roles(model.values.size());
    const std::vector<std::int32_t> keys
        = scopes.facts ? keysOf(model, scopes.facts->parameters) : std::vector<std::int32_t>();
    for (std::size_t v = 0; v < roles.size(); ++v) {
        const TensorId tensor = heldTensor(model, ValueId(v));
        if (!tensor.valid())
            continue;
        roles[v].isConstant = true;
        if (tensor.index >= keys.size())
            continue;
        roles[v].key = keys[tensor.index];
        roles[v].isLearned = scopes.facts->parameters.isLearned[tensor.index];
    }
    for (std::uint32_t n = 0; n < flow.nodes.size(); ++n) {
        const Node& node = model.node(flow.nodes[n]);
        bool isConstant = true;
        bool isAny = false;
        flow.eachRead(model, n, [&](ValueId value) {
            isAny = true;
            isConstant = isConstant && roles[value.index].isConstant;
        });
        for (const ValueId output : node.outputs) {
            if (output.valid() && isAny)
                roles[output.index].isConstant = isConstant;
        }
    }
    return roles;
}

std::uint64_t mixed(std::uint64_t seed, std::uint64_t value)
{
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15ULL; // of splitmix64
    std::uint64_t x = seed + kOdd + value;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31U);
}

class Bodies
{
public:
    Bodies(const Model& model, const Scopes& scopes, const NodeFlow& flow, const CallGroups& groups, Owners owners,
        const UnreadValues& unread)
        : m_model(model)
        , m_scopes(scopes)
        , m_flow(flow)
        , m_groups(groups)
        , m_owners(owners)
        , m_unread(unread)
        , m_roles(rolesOf(model, scopes, flow))
        , m_reads(groups.groups.size())
        , m_bodies(groups.groups.size())
        , m_ownsBodies(model.nodes.size())
    {
        for (const Region& region : model.regions) {
            if (region.owner.valid())
                m_ownsBodies[region.owner.index] = true;
        }
        findTied();
        findBoundaries();
    }

    std::vector<CallBody> run(const std::function<std::size_t(std::size_t, const CallBody&)>& functionOf)
    {
        m_functions.resize(m_bodies.size());
        for (std::size_t g = m_bodies.size(); g-- > 0;) { // children have larger numbers
            Level(*this, g).order();
            m_functions[g] = functionOf(g, m_bodies[g]);
        }
        return std::move(m_bodies);
    }

private:
    void findTied()
    {
        if (!m_scopes.facts)
            return;
        const Parameters& parameters = m_scopes.facts->parameters;
        for (std::size_t k = 0; k < parameters.keys.size(); ++k) {
            const auto key = static_cast<std::int32_t>(k);
            if (parameters.hasSeveralKeys(key))
                m_tied.emplace(std::pair(parameters.firstOf(key), parameters.keys[k].name), key);
        }
    }

    [[nodiscard]] bool holds(std::size_t group, std::uint32_t node) const
    {
        return m_groups.isIn(m_groups.groupOf[node], group);
    }

    void findBoundaries()
    {
        const auto addOutput = [&](std::uint32_t maker, ValueId value, const auto& isInside) {
            const RegionId region = m_model.node(m_flow.nodes[maker]).region; // a body keeps what it makes
            for (std::size_t g = m_groups.groupOf[maker];
                 g != kNoGroup && m_groups.groups[g].region == region && !isInside(g); g = m_groups.groups[g].parent) {
                if (m_outputs.insert({g, value.index}).second)
                    m_bodies[g].outputs.push_back(value);
            }
        };
        const auto addRead = [&](std::size_t innermost, ValueId value) {
            const auto maker = m_flow.makerOf[value.index];
            const RegionId region = m_model.value(value).region;
            for (std::size_t g = innermost;
                 g != kNoGroup && !(maker && holds(g, *maker)) && isVisible(m_model, region, m_groups.groups[g].region);
                 g = m_groups.groups[g].parent)
                m_reads[g].insert(value);
        };
        std::vector<bool> isRead(m_model.values.size());
        for (std::uint32_t n = 0; n < m_flow.nodes.size(); ++n) {
            m_flow.eachRead(m_model, n, [&](ValueId value) {
                isRead[value.index] = true;
                addRead(m_groups.groupOf[n], value);
                if (const auto maker = m_flow.makerOf[value.index])
                    addOutput(*maker, value, [&](std::size_t g) { return holds(g, n); });
            });
        }
        const auto never = [](std::size_t) { return false; };
        for (std::size_t r = 0; r < m_model.regions.size(); ++r) {
            for (const ValueId output : m_model.regions[r].outputs) {
                if (output.valid() && m_model.value(output).region == RegionId(r) && m_flow.makerOf[output.index])
                    addOutput(*m_flow.makerOf[output.index], output, never);
            }
        }
        for (std::size_t group = 0; group < m_unread.taken.size(); ++group) {
            for (const ValueId value : m_unread.taken[group]) { // as if a node in it read it
                addRead(group, value);
                if (const auto maker = m_flow.makerOf[value.index])
                    addOutput(*maker, value, [&](std::size_t g) { return m_groups.isIn(group, g); });
            }
        }
        for (std::size_t group = 0; group < m_unread.given.size(); ++group) {
            for (const ValueId value : m_unread.given[group]) // as if it were read just outside
                addOutput(*m_flow.makerOf[value.index], value,
                    [&](std::size_t g) { return g < group && m_groups.isIn(group, g); });
        }
        // A call that nobody reads gives what nobody reads.
        for (std::uint32_t n = 0; n < m_flow.nodes.size(); ++n) {
            const std::size_t group = m_groups.groupOf[n];
            if (group == kNoGroup)
                continue;
            for (const ValueId output : m_model.node(m_flow.nodes[n]).outputs) {
                if (output.valid() && !isRead[output.index] && isSilent(group))
                    addOutput(n, output, never);
            }
        }
    }

    [[nodiscard]] bool isSilent(std::size_t group) const
    {
        for (; group != kNoGroup; group = m_groups.groups[group].parent) {
            if (m_bodies[group].outputs.empty())
                return true;
        }
        return false;
    }

    /// The order of one group's parts.
    class Level
    {
    public:
        Level(Bodies& all, std::size_t group)
            : m_all(all)
            , m_group(all.m_groups.groups[group])
            , m_body(all.m_bodies[group])
            , m_index(group)
        {
            for (const std::uint32_t node : m_group.nodes)
                m_items.push_back({all.m_flow.nodes[node], node});
            for (const std::size_t child : m_group.children) {
                const auto& nodes = all.m_groups.groups[child].nodes;
                m_items.push_back({child, nodes.empty() ? 0 : nodes.front()});
            }
            for (std::size_t i = 0; i < m_items.size(); ++i) {
                for (const ValueId output : outputsOf(i)) {
                    if (output.valid())
                        m_makers.emplace(output, i);
                }
            }
        }

        void order()
        {
            if (m_body.outputs.size() > 1) {
                walk();
                std::ranges::stable_sort(m_body.outputs, {}, [&](ValueId value) { return hashOf(value); });
            }
            walk();
            for (const std::size_t item : m_order)
                m_body.parts.push_back(m_items[item].part);
            findInputs();
            writeForm();
        }

    private:
        struct Item {
            BodyPart part;
            std::uint32_t place = 0;
        };

        [[nodiscard]] const NodeId* nodeAt(std::size_t item) const { return std::get_if<NodeId>(&m_items[item].part); }
        [[nodiscard]] const CallBody& childAt(std::size_t item) const
        {
            return m_all.m_bodies[std::get<std::size_t>(m_items[item].part)];
        }

        [[nodiscard]] const std::vector<ValueId>& outputsOf(std::size_t item) const
        {
            const NodeId* node = nodeAt(item);
            return node != nullptr ? m_all.m_model.node(*node).outputs : childAt(item).outputs;
        }

        template <typename Take> void eachRead(std::size_t item, const Take& take) const
        {
            if (nodeAt(item) != nullptr) {
                m_all.m_flow.eachRead(m_all.m_model, m_items[item].place, take);
                return;
            }
            for (const CallInput& input : childAt(item).inputs)
                take(input.value);
        }

        /// Depth first from the outputs, then from what leads to none; what is read comes before its reader.
        void walk()
        {
            m_order.clear();
            m_state.assign(m_items.size(), 0);
            m_hashes.assign(m_items.size(), 0);
            for (const ValueId output : m_body.outputs)
                visit(m_makers.at(output));
            std::vector<std::size_t> rest;
            for (std::size_t i = 0; i < m_items.size(); ++i) {
                if (m_state[i] == 0)
                    rest.push_back(i);
            }
            std::ranges::stable_sort(rest, {}, [&](std::size_t item) { return m_items[item].place; });
            for (const std::size_t item : rest)
                visit(item);
        }

        void visit(std::size_t start)
        {
            if (m_state[start] != 0)
                return;
            struct Frame {
                std::size_t item;
                std::vector<std::size_t> before; // makers of what it reads
                std::size_t next = 0;
            };
            std::vector<Frame> frames;
            const auto enter = [&](std::size_t item) {
                m_state[item] = 1;
                Frame& frame = frames.emplace_back();
                frame.item = item;
                eachRead(item, [&](ValueId value) {
                    if (const auto maker = m_makers.find(value); maker != m_makers.end())
                        frame.before.push_back(maker->second);
                });
            };
            enter(start);
            while (!frames.empty()) {
                Frame& frame = frames.back();
                if (frame.next < frame.before.size()) {
                    const std::size_t item = frame.before[frame.next++];
                    if (m_state[item] == 0)
                        enter(item);
                    continue;
                }
                m_hashes[frame.item] = hashItem(frame.item);
                m_order.push_back(frame.item);
                frames.pop_back();
            }
        }

        [[nodiscard]] std::uint64_t hashItem(std::size_t item) const
        {
            const NodeId* node = nodeAt(item);
            const std::hash<std::string> text;
            std::uint64_t hash = node != nullptr
                ? mixed(text(m_all.m_model.node(*node).opType), m_all.m_model.node(*node).outputs.size())
                : mixed(m_all.m_functions[std::get<std::size_t>(m_items[item].part)], 1);
            eachRead(item, [&](ValueId value) { hash = mixed(hash, hashOf(value)); });
            return hash;
        }

        [[nodiscard]] std::uint64_t hashOf(ValueId value) const
        {
            const auto maker = m_makers.find(value);
            if (maker == m_makers.end()) {
                const ValueRole& role = m_all.m_roles[value.index];
                return role.key == kNoKey || m_all.m_owners == Owners::DoNotCount
                    ? (role.isConstant ? 1 : 2)
                    : std::hash<std::string>{}(relativeKey(role.key).value_or("foreign"));
            }
            const auto& outputs = outputsOf(maker->second);
            const auto port = std::ranges::find(outputs, value) - outputs.begin();
            return mixed(m_hashes[maker->second], static_cast<std::uint64_t>(port));
        }

        /// Below the module, by the only key of the tensor that lies there where the given one does not; nothing for
        /// parameters of others.
        [[nodiscard]] std::optional<std::string> relativeKey(std::int32_t key) const
        {
            const Parameters& parameters = m_all.m_scopes.facts->parameters;
            const std::string above = m_all.m_scopes.execution.scope(m_group.scope).module + '.';
            const auto isBelow = [&](std::int32_t k) {
                const std::string& name = parameters.key(k).name;
                return name.size() > above.size() && name.starts_with(above);
            };
            if (isBelow(key))
                return parameters.key(key).name.substr(above.size());
            const auto& tied = m_all.m_tied;
            const auto found = tied.lower_bound({parameters.firstOf(key), above});
            if (found == tied.end() || found->first.first != parameters.firstOf(key) || !isBelow(found->second))
                return std::nullopt;
            const auto next = std::next(found);
            const bool isOnly = next == tied.end() || next->first.first != found->first.first || !isBelow(next->second);
            return isOnly ? std::optional(found->first.second.substr(above.size())) : std::nullopt;
        }

        [[nodiscard]] const Key& keyAt(std::int32_t key) const { return m_all.m_scopes.facts->parameters.key(key); }

        /// A guess tells no module, so that its name is none of the module's.
        [[nodiscard]] bool isGuess(std::int32_t key) const { return keyAt(key).readBy == Provenance::Guess; }

        [[nodiscard]] std::string fullName(std::int32_t key) const
        {
            if (key == kNoKey)
                return {};
            return isGuess(key) ? keyAt(key).label : keyAt(key).name;
        }

        void findInputs()
        {
            const auto& reads = m_all.m_reads[m_index];
            std::set<ValueId> seen;
            std::vector<std::pair<std::int32_t, CallInput>> own; // by key
            std::vector<CallInput> foreign, constants;
            for (const std::size_t item : m_order) {
                eachRead(item, [&](ValueId value) {
                    if (!reads.contains(value) || !seen.insert(value).second)
                        return;
                    const ValueRole& role = m_all.m_roles[value.index];
                    if (m_all.m_owners == Owners::DoNotCount && (role.isConstant || role.isLearned)) {
                        foreign.push_back({value, InputKind::Foreign, fullName(role.key)});
                    } else if (role.key != kNoKey) {
                        const auto relative = isGuess(role.key) ? std::nullopt : relativeKey(role.key);
                        if (relative)
                            own.push_back({role.key, {value, InputKind::Own, *relative}});
                        else
                            foreign.push_back({value, InputKind::Foreign, fullName(role.key)});
                    } else if (role.isLearned) {
                        own.push_back({std::numeric_limits<std::int32_t>::max(), {value, InputKind::Own, "parameter"}});
                    } else if (role.isConstant) {
                        constants.push_back({value, InputKind::Constant, {}});
                    } else {
                        m_body.inputs.push_back({value, InputKind::Data, {}});
                    }
                });
            }
            if (!m_all.m_unread.taken.empty()) {
                for (const ValueId value : m_all.m_unread.taken[m_index]) {
                    if (reads.contains(value) && seen.insert(value).second)
                        m_body.inputs.push_back({value, InputKind::Data, {}});
                }
            }
            std::ranges::stable_sort(own, {}, [](const auto& entry) { return entry.first; });
            for (auto& [key, input] : own)
                m_body.inputs.push_back(std::move(input));
            m_body.inputs.insert(m_body.inputs.end(), foreign.begin(), foreign.end());
            m_body.inputs.insert(m_body.inputs.end(), constants.begin(), constants.end());
        }

        void writeForm()
        {
            std::unordered_map<ValueId, std::string> refs;
            std::string& form = m_body.form;
            for (std::size_t i = 0; i < m_body.inputs.size(); ++i) {
                const CallInput& input = m_body.inputs[i];
                refs.emplace(input.value, "i" + std::to_string(i));
                form += std::to_string(static_cast<int>(input.kind));
                form += input.kind == InputKind::Own ? input.key : std::string();
                form += ',';
            }
            for (std::size_t at = 0; at < m_order.size(); ++at) {
                const std::size_t item = m_order[at];
                form += nodeAt(item) != nullptr
                    ? nodeForm(*nodeAt(item))
                    : "\n#" + std::to_string(m_all.m_functions[std::get<std::size_t>(m_items[item].part)]);
                const auto refer = [&](ValueId value) {
                    form += ' ';
                    form += value.valid() ? refs.at(value) : "-";
                };
                if (const NodeId* node = nodeAt(item))
                    std::ranges::for_each(m_all.m_model.node(*node).inputs, refer);
                else
                    for (const CallInput& input : childAt(item).inputs)
                        refer(input.value);
                const auto& outputs = outputsOf(item);
                for (std::size_t port = 0; port < outputs.size(); ++port) {
                    form += outputs[port].valid() ? ">" : "<";
                    if (outputs[port].valid())
                        refs.emplace(outputs[port], std::to_string(at) + "." + std::to_string(port));
                }
            }
            for (const ValueId output : m_body.outputs)
                form += "\n=" + refs.at(output);
        }

        /// Nodes with bodies are like no other node; calls of one function are like each other.
        [[nodiscard]] std::string nodeForm(NodeId id) const
        {
            const Node& node = m_all.m_model.node(id);
            std::string form = "\n" + node.domain + ":" + node.opType;
            if (!node.isCall && m_all.m_ownsBodies[id.index])
                form += "!" + std::to_string(id.index);
            for (const Attribute& attribute : node.attributes) { // in their order: a body keeps that of one call
                form += " " + attribute.name + "/" + std::to_string(attribute.value.index());
                if (std::holds_alternative<std::monostate>(attribute.value))
                    form += "!" + std::to_string(id.index);
            }
            return form + " (";
        }

        Bodies& m_all;
        const CallGroup& m_group;
        CallBody& m_body;
        std::size_t m_index;
        std::vector<Item> m_items;
        std::unordered_map<ValueId, std::size_t> m_makers; // of values made here -> items
        std::vector<std::size_t> m_order; // items
        std::vector<char> m_state; // [items] 0: not seen yet
        std::vector<std::uint64_t> m_hashes; // [items] of what they compute
    };

    const Model& m_model;
    const Scopes& m_scopes;
    const NodeFlow& m_flow;
    const CallGroups& m_groups;
    const Owners m_owners;
    const UnreadValues& m_unread;
    std::vector<ValueRole> m_roles; // [values]
    std::map<std::pair<std::int32_t, std::string>, std::int32_t> m_tied; // keys of tensors with several, by name
    std::vector<std::unordered_set<ValueId>> m_reads; // [groups] values made outside
    std::set<std::pair<std::size_t, std::uint32_t>> m_outputs; // of groups
    std::vector<CallBody> m_bodies; // [groups]
    std::vector<std::size_t> m_functions; // [groups]
    std::vector<bool> m_ownsBodies; // [nodes]
};

} // namespace

std::vector<CallBody> callBodies(const Model& model, const Scopes& scopes, const NodeFlow& flow,
    const CallGroups& groups, Owners owners, const UnreadValues& unread,
    const std::function<std::size_t(std::size_t group, const CallBody&)>& functionOf)
{
    return Bodies(model, scopes, flow, groups, owners, unread).run(functionOf);
}

std::vector<NodeId> nodesOf(const std::vector<CallBody>& bodies, std::size_t group)
{
    std::vector<NodeId> nodes;
    for (const BodyPart& part : bodies[group].parts) {
        if (const auto* inner = std::get_if<std::size_t>(&part)) {
            const std::vector<NodeId> below = nodesOf(bodies, *inner);
            nodes.insert(nodes.end(), below.begin(), below.end());
        } else {
            nodes.push_back(std::get<NodeId>(part));
        }
    }
    return nodes;
}

} // namespace duo
