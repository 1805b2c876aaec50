// SPDX-License-Identifier: Apache-2.0
// OutlineEdits: nodes of the main graph and of control-flow bodies that become the bodies of functions, called where
// they ran.
#pragma once

#include "core/model/model.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace duo {

/// What stands in the body of a function: a node of the model, with its own bodies, or a call, by its index in
/// OutlineEdits::calls.
using BodyPart = std::variant<NodeId, std::size_t>;

/// An attribute that is not the same in all calls, so that each gives its own.
struct OpenAttribute {
    std::size_t part = 0; // index into the parts of a call
    std::string name; // of the part's node, or open itself where the part is a call
    std::string formal;
    bool operator==(const OpenAttribute&) const = default;
};

/// An output that gives an input back, by their places among the formals.
struct PassedInput {
    std::size_t output = 0;
    std::size_t input = 0;
    std::string nodeName = {}; // of the Identity in the body
    std::string formal = {}; // of the output, where a record names it
    bool operator==(const PassedInput&) const = default;
};

struct OutlinedFunction {
    std::string domain; // not ""
    std::string name; // no other function of the domain has it: runtimes confuse overloads
    std::vector<std::string> inputs; // formal ones
    std::vector<std::string> outputs;
    std::vector<OpenAttribute> open;
    std::vector<PassedInput> passed; // by output
    std::vector<std::string> partNames; // of the nodes in the body
    std::unordered_map<std::uint32_t, std::string> valueNames; // by ValueId of the first call: those made in the body
    Metadata metadata;
};

struct OutlinedCall {
    std::size_t function = 0;
    std::string name; // of the calling node; what it holds is found below it when it is inlined
    bool isNested = false; // it stands in the body of another call
    RegionId region = RegionId(0); // that its nodes stand in
    std::vector<BodyPart> parts; // topological; alike, one by one, in all calls of a function
    std::vector<ValueId> inputs; // by formal
    std::vector<ValueId> outputs; // none where an input is passed: who reads it reads the input
    Metadata metadata;
};

/// Inner functions and calls before the outer ones, those in bodies before those of the nodes that the bodies belong
/// to. A node is part of one call at most; nothing outside a call may both read what it makes and make what it reads.
struct OutlineEdits {
    std::vector<OutlinedFunction> functions;
    std::vector<OutlinedCall> calls; // the first one of a function tells what its body is
};

} // namespace duo
