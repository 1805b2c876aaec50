// SPDX-License-Identifier: Apache-2.0
// PickleValue: what a pickle says, inert: calls and objects are described, never made.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace duo {

using PickleId = std::uint32_t; // index into Pickle's values
inline constexpr PickleId kNoPickle = UINT32_MAX;

enum class PickleKind : std::uint8_t {
    None,
    Bool,
    Int,
    Float,
    Text, // str
    Bytes, // bytes, or an integer beyond 64 bits
    Tuple,
    List,
    Set,
    Dict,
    Global, // a name of the program that wrote the pickle
    Call, // what a call would have given (REDUCE)
    Object, // an instance made without a call of its constructor (NEWOBJ)
    Persistent, // something kept outside, named by `callee`
};

struct PickleValue {
    PickleKind kind = PickleKind::None;
    bool truth = false; // Bool
    bool hasPairs = false; // Call and Object: all items were added as key and value (an OrderedDict is such a Call)
    PickleId callee = kNoPickle; // Call: the function; Object: the class; Persistent: its name
    PickleId arguments = kNoPickle; // Call and Object: a tuple
    PickleId state = kNoPickle; // Call and Object: what BUILD would have set last
    std::int64_t integer = 0;
    double real = 0;
    std::string_view text{}; // Text, Bytes; Global: its module
    std::string_view name{}; // Global: its name in the module
    /// Tuple, List, Set: the items. Dict: key, value, key, value. Call and Object: what was added afterwards.
    std::vector<PickleId> items{};
};

} // namespace duo
