// SPDX-License-Identifier: Apache-2.0
// FramedNode: what a file says about where one node runs, before calls are told apart.
#pragma once

#include "core/scope/facts/module_paths.h"
#include "core/scope/facts/scopes.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace duo {

constexpr std::int32_t kNoMark = -1;

/// One module on the stack of a node.
struct Frame {
    PathId path; // as recorded or parsed; an alias of the module's first path where that was used
    std::int32_t site = kNoMark; // known identity of the call: equal sites of a module are one call, others are others
    std::int32_t line
        = kNoMark; // where the program makes the call: other lines are other calls, equal ones say nothing
    std::int64_t number = -1; // the n-th call as the file numbers them, from 0; negative: it does not
    std::int32_t series = kNoMark; // what the file counts the number over: calls by one path
};

/// Marks compare equal where the file says "the same"; they mean nothing else.
struct FramedNode {
    bool isScoped = false; // the file says something about its scope
    bool isPastForward = false; // a module of PyTorch's ran in it that is on no stack
    bool isDirectCall = false; // the program called a `forward` itself, which leaves no mark on the stack
    bool mayBeModule = false; // its name may be that of a module of its own
    bool isMade = false; // the file says nothing about the node itself, only about where it lies
    Provenance from = Provenance::Guess;
    std::vector<Frame> frames; // from the outermost call to the innermost, without the root
    std::int32_t kind = kNoMark; // kind of work: ATen operator, else op type
    std::int32_t work = kNoMark; // the operation before export; several nodes may come from one
    std::int32_t line = kNoMark; // where the program does it, in the innermost module
    std::int32_t series = kNoMark; // what the exporter counts under one name: calls of a scope, or operations
    std::int32_t ordinal = 0; // the number it gave, from 0
};

/// What stands on the lines of the program that marks speak of: `return self.fc(x)`. Views into the model.
using CodeLines = std::vector<std::string_view>;

} // namespace duo
