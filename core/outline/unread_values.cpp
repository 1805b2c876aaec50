// SPDX-License-Identifier: Apache-2.0
#include "core/outline/unread_values.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace duo {
namespace {

/// In an order that is the same in all bodies of one form.
std::vector<ValueId> madeIn(std::size_t group, const RecordedCalls& calls)
{
    std::vector<ValueId> made;
    for (const NodeId node : nodesOf(calls.bodies, group))
        std::ranges::copy(calls.model.node(node).outputs, std::back_inserter(made));
    return made;
}

/// In what each of these groups makes; nothing where records differ.
std::vector<std::size_t> unreadPlaces(const std::vector<std::size_t>& groups, const RecordedCalls& calls)
{
    std::optional<std::vector<std::size_t>> known;
    for (const std::size_t g : groups) {
        const ScopeId scope = calls.groups.groups[g].scope;
        if (!calls.recorded.orderOf(scope, calls.bodies[g]))
            continue;
        const std::vector<ValueId> made = madeIn(g, calls);
        std::vector<ValueId> named;
        std::ranges::copy_if(made, std::back_inserter(named), &ValueId::valid);
        std::vector<std::size_t> places;
        for (const ValueId value : calls.recorded.unreadOutputs(scope, calls.bodies[g], named))
            places.push_back(static_cast<std::size_t>(std::ranges::find(made, value) - made.begin()));
        if (known && *known != places)
            return {};
        known = std::move(places);
    }
    return known.value_or(std::vector<std::size_t>());
}

bool isMadeIn(std::size_t group, ValueId value, const RecordedCalls& calls)
{
    const auto maker = calls.flow.makerOf[value.index];
    return maker && calls.groups.isIn(calls.groups.groupOf[*maker], group);
}

/// All that the call takes and nobody in it reads.
bool givesBack(const CallOrder& order, const CallBody& body, const std::vector<ValueId>& taken)
{
    return std::ranges::all_of(taken, [&](ValueId value) {
        return std::ranges::any_of(order.passed,
            [&](const PassedInput& passed) { return body.inputs[order.inputs[passed.input]].value == value; });
    });
}

} // namespace

std::vector<std::vector<ValueId>> unreadOutputs(const RecordedCalls& calls)
{
    std::vector<std::vector<ValueId>> given;
    for (const auto& [function, groups] : calls.byFunction) {
        const auto places = unreadPlaces(groups, calls);
        if (places.empty())
            continue;
        given.resize(calls.bodies.size());
        for (const std::size_t g : groups) {
            const std::vector<ValueId> made = madeIn(g, calls);
            for (const std::size_t place : places)
                given[g].push_back(made[place]);
        }
    }
    return given;
}

std::vector<std::vector<ValueId>> unreadInputs(const RecordedCalls& calls)
{
    std::vector<std::pair<std::size_t, ValueId>> waits;
    for (const auto& [function, groups] : calls.byFunction) {
        std::vector<std::pair<std::size_t, ValueId>> ofCalls;
        std::size_t most = 0;
        for (const std::size_t g : groups) {
            const CallGroup& group = calls.groups.groups[g];
            const auto values = calls.recorded.unreadInputs(group.scope, calls.bodies[g]);
            most = std::max(most, values.size());
            for (const ValueId value : values) {
                if (!isMadeIn(g, value, calls) && isVisible(calls.model, calls.model.value(value).region, group.region))
                    ofCalls.emplace_back(g, value);
            }
        }
        if (ofCalls.size() == most * groups.size())
            waits.insert(waits.end(), ofCalls.begin(), ofCalls.end());
    }
    if (waits.empty() || !canBeOrdered(calls.model, calls.flow, calls.groups, waits))
        return {};
    std::vector<std::vector<ValueId>> taken(calls.bodies.size());
    for (const auto& [group, value] : waits)
        taken[group].push_back(value);
    return taken;
}

bool areGivenBack(const std::vector<std::vector<ValueId>>& taken, const RecordedCalls& calls)
{
    for (const auto& [function, groups] : calls.byFunction) {
        std::optional<CallOrder> known;
        for (const std::size_t g : groups) {
            if (taken[g].empty())
                continue;
            const auto order = calls.recorded.orderOf(calls.groups.groups[g].scope, calls.bodies[g]);
            if (!order || (known && *known != *order) || !givesBack(*order, calls.bodies[g], taken[g]))
                return false;
            known = order;
        }
    }
    return true;
}

} // namespace duo
