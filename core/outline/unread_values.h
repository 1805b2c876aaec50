// SPDX-License-Identifier: Apache-2.0
// What calls take and give by their records though nobody reads it.
#pragma once

#include "core/outline/call_body.h"
#include "core/outline/recorded_order.h"

#include <cstddef>
#include <map>
#include <vector>

namespace duo {

/// Calls with what is recorded of them.
struct RecordedCalls {
    const Model& model;
    const NodeFlow& flow;
    const CallGroups& groups;
    const RecordedOrders& recorded;
    const std::vector<CallBody>& bodies; // [groups]
    std::map<std::size_t, std::vector<std::size_t>> byFunction; // groups of whole calls
};

/// As UnreadValues::given; empty if that is nothing. Calls of one form give the same, those without a record too,
/// unless records of them differ.
std::vector<std::vector<ValueId>> unreadOutputs(const RecordedCalls& calls);

/// As UnreadValues::taken; empty if no function has a record of any for each of its calls, or the calls could not be
/// put in order with them.
std::vector<std::vector<ValueId>> unreadInputs(const RecordedCalls& calls);

/// Whether calls whose bodies take these values give them back by their records, and those of one function alike.
bool areGivenBack(const std::vector<std::vector<ValueId>>& taken, const RecordedCalls& calls);

} // namespace duo
