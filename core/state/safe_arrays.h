// SPDX-License-Identifier: Apache-2.0
// SafeArrays: named arrays and texts in one file of the safetensors layout, with a digest over the arrays.
#pragma once

#include "core/support/job.h"
#include "core/support/result.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace duo {

/// Name of an element type in the file: "F32", "I64", "U64".
template <typename T> constexpr std::string_view safeTypeName()
{
    if constexpr (sizeof(T) == 4) {
        return "F32";
    } else {
        return static_cast<T>(-1) < T{0} ? "I64" : "U64";
    }
}

class SafeArrayWriter
{
public:
    template <typename T>
    void add(const std::string& name, std::vector<std::int64_t> dims, const std::vector<T>& elements)
    {
        addBytes(name, safeTypeName<T>(), std::move(dims), std::as_bytes(std::span(elements)));
    }
    /// The file; `texts` and the digest become its metadata. Arrays come in the order they were added.
    [[nodiscard]] std::vector<std::byte> bytes(const std::vector<std::pair<std::string, std::string>>& texts) const;

private:
    struct Entry {
        std::string name;
        std::string_view type;
        std::vector<std::int64_t> dims;
        std::size_t first;
        std::size_t last;
    };
    void addBytes(const std::string& name, std::string_view type, std::vector<std::int64_t> dims,
        std::span<const std::byte> bytes);

    std::vector<Entry> m_entries;
    std::vector<std::byte> m_data;
};

/// A file read back; views its bytes.
class SafeArrays
{
public:
    /// @return BadData: no such file, cut off, or changed since it was written; Cancelled
    static Result<SafeArrays> parse(std::span<const std::byte> bytes, std::string name, const JobContext& job = {});

    [[nodiscard]] const std::string& name() const { return m_name; }
    [[nodiscard]] std::string text(const std::string& key) const; // "" if absent
    [[nodiscard]] const std::vector<std::string>& names() const { return m_names; } // sorted
    [[nodiscard]] bool has(const std::string& array) const { return m_entries.contains(array); }
    [[nodiscard]] std::int64_t rows(const std::string& array) const; // first dimension; 0 if absent
    /// @return BadData if absent or of another type or shape
    template <typename T>
    [[nodiscard]] Result<std::vector<T>> get(const std::string& array, const std::vector<std::int64_t>& dims) const
    {
        DUO_TRY(bytes, find(array, safeTypeName<T>(), dims, sizeof(T)));
        std::vector<T> elements(bytes.size() / sizeof(T));
        if (!elements.empty())
            std::memcpy(elements.data(), bytes.data(), bytes.size());
        return elements;
    }

private:
    struct Entry {
        std::string type;
        std::vector<std::int64_t> dims;
        std::span<const std::byte> bytes;
    };
    [[nodiscard]] Result<std::span<const std::byte>> find(const std::string& array, std::string_view type,
        const std::vector<std::int64_t>& dims, std::size_t elementSize) const;

    std::string m_name;
    std::map<std::string, std::string> m_texts;
    std::map<std::string, Entry> m_entries;
    std::vector<std::string> m_names;
};

} // namespace duo
