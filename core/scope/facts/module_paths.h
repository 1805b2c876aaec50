// SPDX-License-Identifier: Apache-2.0
// ModulePaths: the dotted module paths a file speaks of, each held once and addressed by an id.
#pragma once

#include "core/model/key_names.h"
#include "core/support/id.h"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace duo {

using PathId = Id<struct PathTag>;

/// A tree of atoms; the root (the model itself) has the empty path. Ids stay valid; parents have smaller ids.
class ModulePaths
{
public:
    /// Longer paths are refused by the readers.
    static constexpr std::size_t kLongest = kLongestKeyName;

    ModulePaths();
    ModulePaths(const ModulePaths&) = delete; // the index looks into the texts, which stay where they are when moved
    ModulePaths& operator=(const ModulePaths&) = delete;
    ModulePaths(ModulePaths&&) = default;
    ModulePaths& operator=(ModulePaths&&) = default;

    static PathId root() { return PathId(0); }
    /// Interns a dotted path; "" is the root. O(length).
    PathId intern(std::string_view dotted);
    PathId child(PathId parent, std::string_view atom);
    [[nodiscard]] PathId find(std::string_view dotted) const; // invalid if never interned
    [[nodiscard]] std::size_t size() const { return m_paths.size(); }

    [[nodiscard]] const std::string& text(PathId id) const { return m_paths[id.index].text; } // dotted
    [[nodiscard]] std::string_view atom(PathId id) const; // last atom; "" for the root
    [[nodiscard]] PathId parent(PathId id) const { return m_paths[id.index].parent; } // invalid for the root
    [[nodiscard]] int depth(PathId id) const { return m_paths[id.index].depth; } // atoms
    /// `above` is `below` or one of its prefixes. O(1): compares texts.
    [[nodiscard]] bool contains(PathId above, PathId below) const;
    /// The path without its prefix `above`: "layer.0" for "encoder.layer.0" below "encoder". Needs contains().
    [[nodiscard]] std::string_view relative(PathId above, PathId below) const;
    /// The last atoms of the path are those of `component`: "layer1.0" ends "encoder.layer1.0", not
    /// "encoder.xlayer1.0".
    [[nodiscard]] bool endsWith(PathId id, std::string_view component) const;

    /// Qualified class of the module, "" if unknown; the first one said stays.
    [[nodiscard]] const std::string& className(PathId id) const { return m_paths[id.index].className; }
    void setClassName(PathId id, std::string_view name);

private:
    struct Path {
        std::string text;
        PathId parent;
        int depth = 0;
        std::string className;
    };
    std::deque<Path> m_paths; // which does not move what it holds
    std::unordered_map<std::string_view, PathId> m_index; // by Path::text
};

} // namespace duo
