// SPDX-License-Identifier: Apache-2.0
// TailValues: the smallest and the largest values of a tensor, a few of each.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace duo {

class TailValues
{
public:
    /// Forgets everything; wants the `enough` smallest values that are <= low and as many of the largest >= high.
    void restart(std::size_t enough, float low, float high);
    /// Whether values between these extremes may matter.
    [[nodiscard]] bool wants(float min, float max) const { return min <= m_low || max >= m_high; }
    /// Finite values. O(values); what is kept stays below a few times `enough`.
    void add(std::span<const float> values);

    /// In any order, and some more; all if there are fewer.
    std::vector<float>& smallest() { return m_smallest; }
    std::vector<float>& largest() { return m_largest; }

private:
    /// @return the last of the `enough` values that come first by `before`; others are dropped
    template <typename Before> float cut(std::vector<float>& values, Before before) const;

    std::size_t m_enough = 0;
    std::size_t m_most = 0; // kept before they are cut
    float m_low = 0; // drawn near the ends as values come
    float m_high = 0;
    std::vector<float> m_smallest;
    std::vector<float> m_largest;
};

} // namespace duo
