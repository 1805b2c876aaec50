// SPDX-License-Identifier: Apache-2.0
#include "core/outline/class_order.h"

#include "core/model/op_facts.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

/// What tells a value of `forward`: a port of the recurrent operator, or the beginning of a parameter's key that it
/// meets first; with neither it is what is left.
struct Role {
    const char* name;
    int port = -1;
    const char* key = "";
};

struct TableClass {
    std::string_view name;
    std::span<const Role> inputs;
    std::span<const Role> outputs = {}; // by ports; of cells the state that the other one is computed from comes last
};

constexpr std::array<Role, 3> kLstm{{{"input", 0}, {"h_0", 5}, {"c_0", 6}}};
constexpr std::array<Role, 3> kLstmOutputs{{{"output", 0}, {"h_n", 1}, {"c_n", 2}}};
constexpr std::array<Role, 3> kLstmCell{{{"input", -1, "weight_ih"}, {"h_0", -1, "weight_hh"}, {"c_0"}}};
constexpr std::array<Role, 2> kLstmCellOutputs{{{"h_1"}, {"c_1"}}};
constexpr std::array<Role, 2> kCell{{{"input", -1, "weight_ih"}, {"hx", -1, "weight_hh"}}};
constexpr std::array<Role, 3> kAttention{
    {{"query", -1, "q_proj_weight"}, {"key", -1, "k_proj_weight"}, {"value", -1, "v_proj_weight"}}};

constexpr auto kClasses = std::to_array<TableClass>({
    {"LSTM", kLstm, kLstmOutputs},
    {"GRU", std::span(kLstm).first(2), std::span(kLstmOutputs).first(2)},
    {"RNN", std::span(kLstm).first(2), std::span(kLstmOutputs).first(2)},
    {"LSTMCell", kLstmCell, kLstmCellOutputs},
    {"GRUCell", kCell},
    {"RNNCell", kCell},
    {"MultiheadAttention", kAttention},
});

const TableClass* classOf(std::string_view qualified)
{
    if (!qualified.starts_with("torch.nn."))
        return nullptr;
    const auto found = std::ranges::find(kClasses, qualified.substr(qualified.rfind('.') + 1), &TableClass::name);
    return found == kClasses.end() ? nullptr : &*found;
}

class Finder
{
public:
    Finder(const Model& model, const CallBody& body, const std::function<bool(NodeId)>& holds)
        : m_model(model)
        , m_body(body)
        , m_holds(holds)
    {
    }

    std::optional<CallOrder> find(const TableClass& table)
    {
        std::vector<ValueId> data;
        for (const CallInput& input : m_body.inputs) {
            if (input.kind == InputKind::Data)
                data.push_back(input.value);
        }
        for (const ValueId value : data)
            m_reached.push_back(reach(value));
        findMeetings();
        CallOrder order;
        if (!assign(table.inputs, data.size(), order.inputs, order.inputNames,
                [&](std::size_t i, const Role& role) { return isInput(i, role); }))
            return std::nullopt;
        if (m_body.outputs.size() == 1) {
            order.outputs = {0};
            order.outputNames = {"y"};
            return order;
        }
        const bool isFound = assign(table.outputs, m_body.outputs.size(), order.outputs, order.outputNames,
            [&](std::size_t o, const Role& role) { return isOutput(o, role); });
        return isFound ? std::optional(std::move(order)) : std::nullopt;
    }

private:
    /// Nodes of the call that a value goes into, and the port of the first recurrent operator, behind which nothing
    /// tells any more.
    struct Reached {
        std::unordered_set<NodeId> nodes;
        int port = -1;
    };

    Reached reach(ValueId from) const
    {
        Reached reached;
        std::vector<ValueId> open{from};
        while (!open.empty()) {
            const ValueId value = open.back();
            open.pop_back();
            for (const Use& use : m_model.value(value).uses) {
                const Node& node = m_model.node(use.node);
                if (!m_holds(use.node))
                    continue;
                if (isRecurrent(node)) {
                    const int port = portOf(node, value);
                    reached.port = reached.port < 0 ? port : std::min(reached.port, port);
                } else if (reached.nodes.insert(use.node).second) {
                    for (const ValueId output : node.outputs) {
                        if (output.valid())
                            open.push_back(output);
                    }
                }
            }
        }
        return reached;
    }

    static int portOf(const Node& node, ValueId value)
    {
        return static_cast<int>(std::ranges::find(node.inputs, value) - node.inputs.begin());
    }

    [[nodiscard]] bool isOfData(NodeId node) const
    {
        return std::ranges::any_of(m_reached, [&](const Reached& reached) { return reached.nodes.contains(node); });
    }

    /// Of each parameter the nodes where it, or what was made of it alone, comes together with data.
    void findMeetings()
    {
        for (const CallInput& input : m_body.inputs) {
            if (input.kind != InputKind::Own)
                continue;
            std::vector<ValueId> open{input.value};
            std::unordered_set<NodeId> seen;
            while (!open.empty()) {
                const ValueId value = open.back();
                open.pop_back();
                for (const Use& use : m_model.value(value).uses) {
                    if (!m_holds(use.node) || !seen.insert(use.node).second)
                        continue;
                    if (isOfData(use.node)) {
                        m_meetings[input.key].push_back(use.node);
                        continue;
                    }
                    for (const ValueId output : m_model.node(use.node).outputs) {
                        if (output.valid())
                            open.push_back(output);
                    }
                }
            }
        }
    }

    [[nodiscard]] bool meets(std::size_t input, std::string_view key) const
    {
        return std::ranges::any_of(m_meetings, [&](const auto& meeting) {
            return meeting.first.starts_with(key) && std::ranges::any_of(meeting.second, [&](NodeId node) {
                return m_reached[input].nodes.contains(node);
            });
        });
    }

    [[nodiscard]] bool isInput(std::size_t input, const Role& role) const
    {
        if (role.port >= 0)
            return m_reached[input].port == role.port;
        return *role.key == '\0' || meets(input, role.key);
    }

    /// By the port of the recurrent operator that it comes from; of a cell's two states the second is what the first is
    /// computed from.
    [[nodiscard]] bool isOutput(std::size_t output, const Role& role) const
    {
        if (role.port >= 0)
            return sourcePort(m_body.outputs[output]) == role.port;
        const std::size_t other = 1 - output;
        const bool feedsOther = reach(m_body.outputs[output]).nodes.contains(makerOf(m_body.outputs[other]));
        return feedsOther == (std::string_view(role.name) == "c_1");
    }

    [[nodiscard]] NodeId makerOf(ValueId value) const { return m_model.value(value).producer; }

    [[nodiscard]] int sourcePort(ValueId from) const
    {
        std::vector<ValueId> open{from};
        std::unordered_set<NodeId> seen;
        std::set<int> ports;
        while (!open.empty()) {
            const ValueId value = open.back();
            open.pop_back();
            const NodeId maker = makerOf(value);
            if (!maker.valid() || !m_holds(maker))
                continue;
            const Node& node = m_model.node(maker);
            if (isRecurrent(node)) {
                ports.insert(static_cast<int>(std::ranges::find(node.outputs, value) - node.outputs.begin()));
            } else if (seen.insert(maker).second) {
                std::ranges::copy_if(node.inputs, std::back_inserter(open), &ValueId::valid);
            }
        }
        return ports.size() == 1 ? *ports.begin() : -1;
    }

    /// Each value has the first role that it may have, each role at most one, and roles come in their order.
    template <typename May>
    static bool assign(std::span<const Role> roles, std::size_t count, std::vector<std::size_t>& places,
        std::vector<std::string>& names, const May& may)
    {
        std::vector<std::optional<std::size_t>> taken(roles.size());
        for (std::size_t i = 0; i < count; ++i) {
            const auto role = std::ranges::find_if(roles, [&](const Role& one) { return may(i, one); });
            if (role == roles.end() || taken[static_cast<std::size_t>(role - roles.begin())])
                return false;
            taken[static_cast<std::size_t>(role - roles.begin())] = i;
        }
        for (std::size_t r = 0; r < roles.size(); ++r) {
            if (!taken[r])
                continue;
            places.push_back(*taken[r]);
            names.emplace_back(roles[r].name);
        }
        return true;
    }

    const Model& m_model;
    const CallBody& m_body;
    const std::function<bool(NodeId)>& m_holds;
    std::vector<Reached> m_reached; // [data inputs]
    std::unordered_map<std::string, std::vector<NodeId>> m_meetings; // by key
};

} // namespace

std::optional<CallOrder> classOrder(
    const Model& model, std::string_view className, const CallBody& body, const std::function<bool(NodeId)>& holds)
{
    const TableClass* table = classOf(className);
    const bool isTwo = body.outputs.size() <= 2 || (table != nullptr && table->outputs.size() > 2);
    return table != nullptr && isTwo ? Finder(model, body, holds).find(*table) : std::nullopt;
}

} // namespace duo
