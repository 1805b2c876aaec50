// SPDX-License-Identifier: Apache-2.0
// FlatMap: a map in one sorted array, for maps that are built in order and read often.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace duo {

/// Looking up is O(log n), O(1) where the keys are 0, 1, 2 ...; putting in behind the last key is O(1), anywhere else
/// O(n): what comes unsorted is collected in a std::map first.
template <typename Key, typename T> class FlatMap
{
public:
    using value_type = std::pair<Key, T>;
    using const_iterator = typename std::vector<value_type>::const_iterator;
    using iterator = typename std::vector<value_type>::iterator;

    FlatMap() = default;
    explicit FlatMap(std::map<Key, T> sorted)
    {
        m_entries.reserve(sorted.size());
        for (auto& [key, value] : sorted)
            m_entries.emplace_back(key, std::move(value));
    }

    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] bool empty() const { return m_entries.empty(); }
    [[nodiscard]] const_iterator begin() const { return m_entries.begin(); }
    [[nodiscard]] const_iterator end() const { return m_entries.end(); }
    [[nodiscard]] iterator begin() { return m_entries.begin(); }
    [[nodiscard]] iterator end() { return m_entries.end(); }
    void reserve(std::size_t size) { m_entries.reserve(size); }

    [[nodiscard]] const_iterator find(Key key) const
    {
        const auto index = static_cast<std::size_t>(key);
        if (index < m_entries.size() && m_entries[index].first == key)
            return begin() + static_cast<std::ptrdiff_t>(index);
        const auto found = lowerBound(key);
        return found != end() && found->first == key ? found : end();
    }
    [[nodiscard]] bool contains(Key key) const { return find(key) != end(); }
    /// The key must be there.
    [[nodiscard]] const T& at(Key key) const
    {
        assert(contains(key));
        return find(key)->second;
    }
    /// Puts in an empty value where there is none.
    T& operator[](Key key)
    {
        const auto found = std::as_const(*this).find(key);
        return found != m_entries.cend() ? m_entries[static_cast<std::size_t>(found - m_entries.cbegin())].second
                                         : emplace(key, T());
    }
    /// The value put in, or the one that was there.
    T& emplace(Key key, T value)
    {
        if (m_entries.empty() || m_entries.back().first < key)
            return m_entries.emplace_back(key, std::move(value)).second;
        const auto at = m_entries.begin() + (lowerBound(key) - m_entries.cbegin());
        return (at->first == key ? at : m_entries.emplace(at, key, std::move(value)))->second;
    }

    bool operator==(const FlatMap&) const = default;

private:
    [[nodiscard]] const_iterator lowerBound(Key key) const
    {
        return std::lower_bound(m_entries.begin(), m_entries.end(), key,
            [](const value_type& entry, Key wanted) { return entry.first < wanted; });
    }

    std::vector<value_type> m_entries;
};

} // namespace duo
