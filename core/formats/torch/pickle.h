// SPDX-License-Identifier: Apache-2.0
// Pickle: the values of a Python pickle (protocols 2 to 5), read without executing anything.
#pragma once

#include "core/model/tensor.h"
#include "core/support/job.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
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

/// What a pickle says, inert: calls and objects are described, never made.
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

/// Values refer to each other by id and may form cycles: whoever follows them bounds the way.
class Pickle
{
public:
    /// Bounds of a hostile file; the memory needed is at most about 200 bytes for a value and 4 for a byte of the file.
    static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
    static constexpr std::size_t kMaxValues = std::size_t{4} << 20;

    /// Parses up to STOP. Nothing is imported, called or set; unknown names stay names. `where` names it in errors.
    /// @return MalformedModel naming the byte; Unsupported for an opcode or a protocol that is not read; Cancelled
    static Result<Pickle> parse(SharedBytes bytes, const std::string& where, const JobContext& job = {});

    [[nodiscard]] const PickleValue& operator[](PickleId id) const { return m_values[id]; }
    [[nodiscard]] PickleId root() const { return m_root; }
    [[nodiscard]] std::size_t size() const { return m_values.size(); }

    [[nodiscard]] bool isGlobal(PickleId id, std::string_view module, std::string_view name) const;
    /// The items of a tuple or list; none for others.
    [[nodiscard]] std::span<const PickleId> sequence(PickleId id) const;
    /// Key, value, key, value of a dict, or of an object to which such pairs were added (OrderedDict, subclasses of
    /// dict); none for others.
    [[nodiscard]] std::span<const PickleId> pairs(PickleId id) const;
    /// The value under a text key of `pairs(dict)`, the last one if there are several. O(entries).
    [[nodiscard]] PickleId find(PickleId dict, std::string_view key) const;
    [[nodiscard]] std::optional<std::string_view> text(PickleId id) const; // of a str
    [[nodiscard]] std::optional<std::int64_t> integer(PickleId id) const; // of an int

private:
    friend class PickleMachine;
    SharedBytes m_bytes; // texts point there
    std::vector<PickleValue> m_values;
    PickleId m_root = kNoPickle;
};

} // namespace duo
