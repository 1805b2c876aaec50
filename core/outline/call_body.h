// SPDX-License-Identifier: Apache-2.0
// CallBody: what a group of nodes takes, gives and does, in an order that does not depend on the file's.
#pragma once

#include "core/outline/call_groups.h"
#include "core/transform/outline_edits.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace duo {

/// What a value that goes into a call is to its module, in the order in which calls give them.
enum class InputKind {
    Data,
    Own,
    Foreign,
    Constant
}; // results of others; parameters of the module; of others; the rest

struct CallInput {
    ValueId value;
    InputKind kind = InputKind::Data;
    std::string
        key; // Own: below the module, "lin.weight", or "parameter" without a name; Foreign: in full, or ""; else ""
};

struct CallBody {
    std::vector<BodyPart> parts; // topological; children by their index among the groups
    std::vector<CallInput> inputs; // data, own parameters as registered, foreign ones, constants; else by first use
    std::vector<ValueId> outputs; // that are read outside, or given without
    std::string form; // bodies of one form compute the same, but for values of attributes; names do not count
};

/// How to put the data inputs and the outputs of a body in order: places in it, by their new place, and the names that
/// `forward` gives them; "" where that is not known.
struct CallOrder {
    std::vector<std::size_t> inputs; // the data inputs, which are the first
    std::vector<std::string> inputNames;
    std::vector<std::size_t> outputs;
    std::vector<std::string> outputNames;
    std::vector<PassedInput> passed = {}; // inputs that are given back: new places of both, ascending
    bool operator==(const CallOrder&) const = default;
};

/// What is known of parameters: the modules that have them, or nothing. Then all constants are foreign ones, in the
/// order of their use.
enum class Owners { AreKnown, DoNotCount };

/// What calls take and give by their records, whether or not somebody reads it. [groups], or empty
struct UnreadValues {
    std::vector<std::vector<ValueId>> taken = {}; // made outside the group
    std::vector<std::vector<ValueId>> given = {}; // made in it
};

/// Of each group. O(nodes * nesting + reads).
/// @param functionOf is asked for a group whose body and whose children's are known: the number of its function
std::vector<CallBody> callBodies(const Model& model, const Scopes& scopes, const NodeFlow& flow,
    const CallGroups& groups, Owners owners, const UnreadValues& unread,
    const std::function<std::size_t(std::size_t group, const CallBody&)>& functionOf);

/// The nodes of a group, those of inner ones too, in an order that is the same in all bodies of one form.
/// @param bodies [groups]
std::vector<NodeId> nodesOf(const std::vector<CallBody>& bodies, std::size_t group);

} // namespace duo
