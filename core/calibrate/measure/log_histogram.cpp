// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/measure/log_histogram.h"

#include <algorithm>
#include <cmath>

namespace duo {

void LogHistogram::add(std::span<const BinCount> bins)
{
    std::vector<BinCount> unknown;
    auto at = m_bins.begin();
    for (const BinCount& bin : bins) {
        while (at != m_bins.end() && at->bin < bin.bin)
            ++at;
        if (at != m_bins.end() && at->bin == bin.bin) {
            at->count += bin.count;
        } else if (bin.count > 0) {
            unknown.push_back(bin);
        }
    }
    if (unknown.empty())
        return;
    const auto middle = static_cast<std::ptrdiff_t>(m_bins.size());
    m_bins.insert(m_bins.end(), unknown.begin(), unknown.end());
    std::inplace_merge(m_bins.begin(), m_bins.begin() + middle, m_bins.end(),
        [](const auto& a, const auto& b) { return a.bin < b.bin; });
}

std::uint64_t LogHistogram::total() const
{
    std::uint64_t total = 0;
    for (const BinCount& bin : m_bins)
        total += bin.count;
    return total;
}

float quantileOf(const LogHistogram& histogram, double q, float least, float most)
{
    const std::uint64_t total = histogram.total();
    if (total == 0)
        return 0;
    const double rank = std::clamp(q, 0.0, 1.0) * static_cast<double>(total - 1);
    double before = 0;
    for (const BinCount& bin : histogram.bins()) {
        const auto count = static_cast<double>(bin.count);
        if (before + count <= rank) {
            before += count;
            continue;
        }
        if (bin.bin == 0)
            return std::clamp(0.0F, least, most);
        const int k = std::abs(bin.bin);
        const double near = logbin::lower(k);
        const double far = k == logbin::kLast ? static_cast<double>(most) : static_cast<double>(logbin::lower(k + 1));
        const double share = (rank - before + 0.5) / count; // of the bin, by rising value
        const double value = bin.bin > 0 ? near + share * (far - near) : -(far - share * (far - near));
        return std::clamp(static_cast<float>(value), least, most);
    }
    return most;
}

} // namespace duo
