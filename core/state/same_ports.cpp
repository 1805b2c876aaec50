// SPDX-License-Identifier: Apache-2.0
#include "core/state/same_ports.h"

#include <string_view>
#include <unordered_map>

namespace duo {

std::vector<std::optional<std::uint32_t>> samePorts(
    const std::vector<std::string>& then, const std::vector<std::string>& now)
{
    std::unordered_map<std::string_view, std::uint32_t> names;
    for (std::uint32_t i = 0; i < now.size(); ++i)
        names.emplace(now[i], i);
    std::vector<std::optional<std::uint32_t>> ports(then.size());
    std::vector<bool> isTaken(now.size(), false);
    for (std::size_t i = 0; i < then.size(); ++i) {
        const auto at = names.find(then[i]);
        if (at == names.end() || isTaken[at->second])
            continue;
        ports[i] = at->second;
        isTaken[at->second] = true;
    }
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < then.size() && then.size() == now.size(); ++i) {
        while (next < now.size() && isTaken[next])
            ++next;
        if (!ports[i])
            ports[i] = next++;
    }
    return ports;
}

GraphRecord inNumbersOf(const GraphRecord& recorded, GraphRecord present)
{
    if (!recorded.inputNames || !present.inputNames) {
        for (NodeRecord& node : present.nodes)
            node.ports.clear();
        if (present.outputs.size() != recorded.outputs.size())
            present.outputs.assign(recorded.outputs.size(), -1);
        return present;
    }
    const auto inputs = samePorts(*recorded.inputNames, *present.inputNames);
    std::vector<std::int32_t> numbers(present.inputNames->size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = -2 - static_cast<std::int32_t>(inputs.size() + i);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i])
            numbers[*inputs[i]] = -2 - static_cast<std::int32_t>(i);
    }
    for (NodeRecord& node : present.nodes) {
        for (std::int32_t& giver : node.inputs)
            giver = giver < -1 ? numbers[static_cast<std::size_t>(-2 - giver)] : giver;
    }
    std::vector<std::int32_t> outputs;
    for (const auto& output : samePorts(recorded.outputNames, present.outputNames))
        outputs.push_back(output ? present.outputs[*output] : -1);
    outputs.resize(recorded.outputs.size(), -1); // a state may name fewer than it has
    present.outputs = std::move(outputs);
    return present;
}

} // namespace duo
