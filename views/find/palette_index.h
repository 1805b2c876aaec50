// SPDX-License-Identifier: Apache-2.0
// PaletteIndex: names of everything one can go to or run, and which of them a few letters mean.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace duo::ui {

/// In the order of their worth where nothing else decides.
enum class PaletteKind : std::uint8_t { Command, ExecutionScope, StorageScope, Type, Rule, Node };

struct PaletteItem {
    PaletteKind kind = PaletteKind::Command;
    std::uint32_t index = 0; // of the command, scope, type, rule or node in its list
    bool operator==(const PaletteItem&) const = default;
};

class PaletteIndex
{
public:
    void add(PaletteItem item, std::string_view text);
    void clear();
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }

private:
    friend struct PaletteSearch;
    struct Entry {
        std::uint32_t begin = 0; // in m_text
        std::uint32_t size = 0;
        PaletteItem item;
    };
    std::string m_text; // of all, lower case as far as it is ASCII
    std::vector<Entry> m_entries;
};

struct PaletteHits {
    std::vector<PaletteItem> items; // best first
    std::size_t total = 0; // also those left out
};

/// What a query means: every word of it stands in the text, in any order and case. Whole names come before beginnings,
/// those before beginnings of a part of the name, those before the rest; among equals short texts come first. Only
/// where few texts hold the words, those come behind that have their letters in this order ("qntz").
/// `>` at the beginning: commands only; `@` scopes, `#` types, `:` rules, `/` nodes, whose names may begin with it.
/// O(bytes of text).
PaletteHits findInPalette(std::span<const PaletteIndex* const> indices, std::string_view query, std::size_t most);

} // namespace duo::ui
