// SPDX-License-Identifier: Apache-2.0
// CallTree: every call of a module, as far as the file lets them be told apart.
#pragma once

#include "core/model/model.h"
#include "core/scope/facts/framed_node.h"

#include <string>
#include <vector>

namespace duo {

using CallId = Id<struct CallTag>;

struct Call {
    CallId parent; // invalid for the root
    PathId path; // the callee, by the path used
    PathId module; // the callee, by its first path
    std::int32_t site = kNoMark;
    std::int64_t recordedNumber = -1; // as the file numbers it, within `series`; negative: it does not
    std::int32_t series = kNoMark;
    Provenance from
        = Provenance::Recorded; // Guess: what it holds may be of several calls, or of others; else as its nodes
    Provenance childrenFrom = Provenance::Recorded; // Guess: its children may be those of another call of the module
    std::uint32_t firstNode = 0; // in canonical order
    std::int64_t number = 0; // the n-th call of the module, along the dataflow
    int depth = 0; // 0: the root
    bool isForeign = false; // by a module that does not contain it
    std::string element; // "layer1", "by.a", "@enc.proj#1"; "" for the root
};

struct CallTree {
    std::vector<Call> calls; // [0] is the root; parents before children, the children of a call in call order
    std::vector<CallId> callOf; // [nodes]; invalid: not scoped
    std::vector<std::int64_t> runs; // [ModulePaths] calls of the module with this first path
};

/// Both run within this call; O(depth).
CallId commonCall(const CallTree& tree, CallId a, CallId b);

} // namespace duo
