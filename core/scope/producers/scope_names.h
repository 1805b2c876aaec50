// SPDX-License-Identifier: Apache-2.0
// TorchScript node names, "/layer1/layer1.0/conv_1/Conv", taken apart (resources/docs/names.md, "What a component is").
#pragma once

#include "core/support/id.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

/// Components between the slashes, without the op type at the end; nothing if the name is not of this form. The last
/// part must be the op type, or it and `_<number>`. At most 64 components and 1,000 bytes: longer is not of this form.
std::optional<std::vector<std::string_view>> scopeComponents(std::string_view nodeName, std::string_view opType);

/// Whether the last part of a name is the op type, or it and `_<number>`.
bool isOpPart(std::string_view part, std::string_view opType);

/// "conv" of "conv_1": what the n-th call of `conv` would have been named after; nothing without such an ending.
std::optional<std::string_view> withoutCallSuffix(std::string_view component);

using SpellingId = Id<struct SpellingTag>;

/// All scopes as spelled, as a tree of components; the root is the model itself.
class ScopeSpellings
{
public:
    explicit ScopeSpellings(std::size_t expected = 0); // scopes, to make room for
    ScopeSpellings(const ScopeSpellings&) = delete; // the index looks into the components
    ScopeSpellings& operator=(const ScopeSpellings&) = delete;

    static SpellingId root() { return SpellingId(0); }
    SpellingId intern(const std::vector<std::string_view>& components);
    SpellingId child(SpellingId parent, std::string_view component);
    [[nodiscard]] SpellingId find(SpellingId parent, std::string_view component) const; // invalid if absent
    [[nodiscard]] SpellingId parent(SpellingId id) const { return m_spellings[id.index].parent; }
    [[nodiscard]] const std::string& component(SpellingId id) const { return m_spellings[id.index].component; }
    [[nodiscard]] int depth(SpellingId id) const { return m_spellings[id.index].depth; } // components
    [[nodiscard]] bool hasChildren(SpellingId id) const { return m_spellings[id.index].hasChildren; }
    [[nodiscard]] std::size_t size() const { return m_spellings.size(); }

private:
    struct Spelling {
        std::string component;
        SpellingId parent;
        int depth = 0;
        bool hasChildren = false;
    };
    struct Place {
        SpellingId parent;
        std::string_view component;
        bool operator==(const Place&) const = default;
    };
    struct PlaceHash {
        std::size_t operator()(const Place& place) const
        {
            return std::hash<std::string_view>{}(place.component)
                ^ (place.parent.index * std::size_t{0x9e3779b97f4a7c15});
        }
    };
    std::deque<Spelling> m_spellings; // which does not move what it holds
    std::unordered_map<Place, SpellingId, PlaceHash> m_index;
};

} // namespace duo
