// SPDX-License-Identifier: Apache-2.0
// Pickle: the values of a Python pickle (protocols 2 to 5), read without executing anything.
#pragma once

#include "core/formats/torch/pickle_value.h"
#include "core/model/tensor.h"
#include "core/support/job.h"

#include <optional>
#include <span>
#include <string>

namespace duo {

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
    /// Arguments of a call of `module.name`; nothing for others.
    [[nodiscard]] std::optional<std::span<const PickleId>> call(
        PickleId id, std::string_view module, std::string_view name) const;

private:
    friend class PickleMachine;
    SharedBytes m_bytes; // texts point there
    std::vector<PickleValue> m_values;
    PickleId m_root = kNoPickle;
};

} // namespace duo
