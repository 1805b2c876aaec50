// SPDX-License-Identifier: Apache-2.0
#include "core/rules/near_names.h"

#include "core/support/letters.h"

#include <algorithm>
#include <cctype>

namespace duo {
namespace {

constexpr std::size_t kMostComparisons = 20'000;
constexpr std::size_t kLongestName = 300;

struct Near {
    std::size_t distance;
    std::string_view name;
};

bool isWordPart(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool equalButCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lowered(x) == lowered(y); });
}

/// `wanted` lies in `name` between separators.
bool holdsAsPart(std::string_view name, std::string_view wanted)
{
    for (std::size_t at = name.find(wanted); at != std::string_view::npos; at = name.find(wanted, at + 1)) {
        const std::size_t end = at + wanted.size();
        const bool startsPart = at == 0 || !isWordPart(name[at - 1]) || !isWordPart(wanted.front());
        const bool endsPart = end == name.size() || !isWordPart(name[end]) || !isWordPart(wanted.back());
        if (startsPart && endsPart)
            return true;
    }
    return false;
}

std::size_t lengthGap(std::string_view a, std::string_view b)
{
    return a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit)
{
    // What both begin and end with needs no edit; names of one model share much of it.
    const auto head = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    a.remove_prefix(head);
    b.remove_prefix(head);
    const auto tail
        = static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
    a.remove_suffix(tail);
    b.remove_suffix(tail);
    if (lengthGap(a, b) > limit)
        return limit + 1;
    const std::size_t far = limit + 1;
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        above[j] = std::min(j, far);
    for (std::size_t i = 1; i <= a.size(); ++i) { // only the band |i - j| <= limit can stay within the limit
        const std::size_t first = i > limit ? i - limit : 1;
        const std::size_t last = std::min(b.size(), i + limit);
        row[first - 1] = first == 1 ? std::min(i, far) : far;
        std::size_t least = row[first - 1];
        for (std::size_t j = first; j <= last; ++j) {
            const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            const std::size_t removed = (j < i + limit ? above[j] : far) + 1;
            row[j] = std::min({replaced, removed, row[j - 1] + 1, far});
            least = std::min(least, row[j]);
        }
        if (least >= far)
            return far;
        std::swap(above, row);
    }
    return std::min(above[b.size()], far);
}

std::vector<std::string> nearestNames(
    std::string_view wanted, std::span<const std::string_view> names, std::size_t count)
{
    if (wanted.empty() || wanted.size() > kLongestName)
        return {};
    const std::size_t limit = std::max<std::size_t>(1, std::min<std::size_t>(wanted.size() / 4, 8));
    std::size_t comparisons = 0;
    std::vector<Near> near;
    for (const std::string_view name : names) {
        if (name == wanted || name.size() > kLongestName)
            continue;
        if (equalButCase(name, wanted) || (wanted.size() > 1 && holdsAsPart(name, wanted))) {
            near.push_back({0, name});
            continue;
        }
        if (lengthGap(name, wanted) > limit || comparisons == kMostComparisons)
            continue;
        ++comparisons;
        const std::size_t distance = editDistance(wanted, name, limit);
        if (distance <= limit)
            near.push_back({distance, name});
    }
    std::stable_sort(near.begin(), near.end(), [](const Near& a, const Near& b) { return a.distance < b.distance; });
    std::vector<std::string> nearest;
    for (const Near& found : near) {
        if (nearest.size() == count)
            break;
        if (std::find(nearest.begin(), nearest.end(), found.name) == nearest.end())
            nearest.emplace_back(found.name);
    }
    return nearest;
}

} // namespace duo
