// SPDX-License-Identifier: Apache-2.0
#include "core/graph/pages.h"

#include "core/support/digits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace duo {
namespace {

constexpr std::size_t kLeastPage = 16; // items: shorter pages say less than they cost
constexpr std::size_t kMostTypes = 3; // operators named in a title
constexpr double kMostlyRepeated = 0.9; // of the items, for a period
constexpr double kSlack = 0.2; // of a page's length that its ends may move

/// "layers." and 12 of "layers.12".
struct Numbered {
    std::string prefix;
    std::uint64_t number = 0;
};

std::optional<Numbered> numbered(const std::string& name)
{
    constexpr std::size_t kMostDigits = 9;
    const std::size_t lastLetter = name.find_last_not_of("0123456789");
    const std::size_t begin = lastLetter == std::string::npos ? 0 : lastLetter + 1;
    if (begin == name.size() || name.size() - begin > kMostDigits)
        return std::nullopt;
    return Numbered{name.substr(0, begin), std::stoull(name.substr(begin))};
}

/// "layers.0–60 ×61" for scopes that are numbered in a row.
std::optional<std::string> runTitle(std::span<const PageItem> items)
{
    std::optional<Numbered> first;
    std::uint64_t next = 0;
    for (const PageItem& item : items) {
        const auto name = item.isScope ? numbered(item.name) : std::nullopt;
        if (!name || (first && (name->prefix != first->prefix || name->number != next)))
            return std::nullopt;
        if (!first)
            first = name;
        next = name->number + 1;
    }
    if (!first || items.size() < 2)
        return std::nullopt;
    return first->prefix + std::to_string(first->number) + "–" + std::to_string(next - 1) + " ×"
        + std::to_string(items.size());
}

/// The shortest distance after which most items come again, 0 if there is none.
std::size_t periodOf(std::span<const PageItem> items, std::size_t longest)
{
    for (std::size_t period = 1; period <= longest && period < items.size(); ++period) {
        std::size_t equal = 0;
        for (std::size_t i = 0; i + period < items.size(); ++i)
            equal += items[i].likeness == items[i + period].likeness ? 1 : 0;
        if (static_cast<double>(equal) >= kMostlyRepeated * static_cast<double>(items.size() - period))
            return period;
    }
    return 0;
}

/// "Conv, Relu ×12" for a short sequence of operators that makes up everything.
std::optional<std::string> repeatTitle(std::span<const PageItem> items)
{
    const std::size_t period = periodOf(items, kMostTypes);
    if (period == 0 || items.size() < 2 * period || items.size() % period != 0)
        return std::nullopt;
    for (std::size_t i = period; i < items.size(); ++i) {
        if (items[i].name != items[i - period].name)
            return std::nullopt;
    }
    std::string title;
    for (const PageItem& item : items.first(period))
        title += (title.empty() ? "" : ", ") + item.name;
    return title + " ×" + std::to_string(items.size() / period);
}

std::string countedTitle(std::span<const PageItem> items)
{
    std::map<std::string, std::size_t> count;
    for (const PageItem& item : items)
        ++count[item.name];
    std::vector<std::pair<std::size_t, std::string>> types;
    for (const auto& [name, times] : count)
        types.emplace_back(times, name);
    std::ranges::stable_sort(types, std::ranges::greater(), &std::pair<std::size_t, std::string>::first);
    std::string title;
    for (const auto& [times, name] : std::span(types).first(std::min(types.size(), kMostTypes - 1)))
        title += (title.empty() ? "" : ", ") + name + (times > 1 ? " ×" + std::to_string(times) : "");
    return title + (types.size() > kMostTypes - 1 ? " …" : "");
}

/// A title with the names of the first and the last item, which often say what they are: "Conv_0 – Relu_23".
std::string rangeTitle(const std::string& title, std::span<const PageItem> items)
{
    const PageItem& first = items.front();
    const PageItem& last = items.back();
    if (first.label.empty() || last.label.empty())
        return title;
    const auto from = numbered(first.label);
    const auto to = numbered(last.label);
    const bool isRow = from && to && from->prefix == to->prefix;
    const std::string range = isRow ? first.label + "–" + std::to_string(to->number) : first.label + " – " + last.label;
    const bool saysWhat = first.label.starts_with(first.name) && last.label.starts_with(last.name);
    return saysWhat ? range : title + ": " + range;
}

class Cutter
{
public:
    Cutter(std::span<const PageItem> items, std::span<const std::uint32_t> crossing, std::size_t most)
        : m_items(items)
        , m_crossing(crossing)
        , m_most(most)
    {
        const std::size_t longest = pageLength(items.size());
        m_period = periodOf(items, longest);
        if (m_period > 1)
            m_phase = bestPhase();
    }

    [[nodiscard]] std::vector<Page> cut(std::size_t first, std::size_t last) const
    {
        std::vector<Page> pages;
        if (last - first <= m_most)
            return pages;
        const std::size_t length = pageLength(last - first);
        const std::size_t count = (last - first + length - 1) / length;
        std::size_t begin = first;
        for (std::size_t p = 1; p <= count; ++p) {
            const std::size_t end = p == count ? last : border(first + p * (last - first) / count, length);
            if (end <= begin || end > last)
                continue;
            pages.push_back({begin, end, pageTitle(m_items.subspan(begin, end - begin)), cut(begin, end)});
            begin = end;
        }
        tellApartInPlace(pages);
        return pages;
    }

private:
    /// Pages of one title are told apart by what stands at their ends.
    void tellApartInPlace(std::vector<Page>& pages) const
    {
        std::map<std::string, std::size_t> count;
        for (const Page& page : pages)
            ++count[page.title];
        for (Page& page : pages) {
            if (count[page.title] > 1)
                page.title = rangeTitle(page.title, m_items.subspan(page.first, page.last - page.first));
        }
        std::map<std::string, std::size_t> known;
        for (const Page& page : pages)
            ++known[page.title];
        for (std::size_t p = 0; p < pages.size(); ++p) {
            if (const std::string title = pages[p].title; known[title] > 1)
                pages[p].title = title + ", part " + std::to_string(p + 1);
        }
    }

    /// Items of one page when that many are shared out over as few levels as it takes, evenly.
    [[nodiscard]] std::size_t pageLength(std::size_t items) const
    {
        const auto count = static_cast<double>(items);
        const double levels = std::max(2.0, std::ceil(std::log(count) / std::log(static_cast<double>(m_most)) - 1e-9));
        const double pages = std::max(std::ceil(std::pow(count, 1 / levels) - 1e-9), 2.0);
        const auto length = static_cast<std::size_t>(std::ceil(count / pages));
        return std::min(std::max(length, kLeastPage), items);
    }

    /// Where repetitions begin: the place in them that the fewest values cross.
    [[nodiscard]] std::size_t bestPhase() const
    {
        std::vector<std::uint64_t> crossed(m_period, 0);
        for (std::size_t i = 1; i < m_items.size(); ++i)
            crossed[i % m_period] += m_crossing[i];
        return static_cast<std::size_t>(std::ranges::min_element(crossed) - crossed.begin());
    }

    /// The best border near `wanted`.
    [[nodiscard]] std::size_t border(std::size_t wanted, std::size_t length) const
    {
        if (m_period > 1) {
            const std::size_t repetition = (wanted + m_period / 2 - std::min(m_phase, wanted)) / m_period;
            return repetition * m_period + m_phase;
        }
        const auto slack = static_cast<std::size_t>(kSlack * static_cast<double>(length));
        std::size_t best = wanted;
        for (std::size_t away = 1; away <= slack; ++away) {
            for (const std::size_t at : {wanted - std::min(away, wanted), wanted + away}) {
                if (at > 0 && at < m_items.size() && m_crossing[at] < m_crossing[best])
                    best = at;
            }
        }
        return best;
    }

    std::span<const PageItem> m_items;
    std::span<const std::uint32_t> m_crossing;
    std::size_t m_most;
    std::size_t m_period = 0;
    std::size_t m_phase = 0;
};

} // namespace

std::string pageKey(const std::string& prefix, const Page& page)
{
    return prefix + std::to_string(page.first + 1) + "-" + std::to_string(page.last);
}

bool isPageKey(std::string_view key)
{
    constexpr std::string_view kPages = "//";
    const std::size_t at = key.rfind(kPages);
    const std::size_t dash = key.rfind('-');
    if (at == std::string_view::npos || dash == std::string_view::npos || dash <= at + kPages.size())
        return false;
    const std::size_t first = at + kPages.size();
    return allDigits(key.substr(first, dash - first)) && allDigits(key.substr(dash + 1));
}

std::string pageTitle(std::span<const PageItem> items)
{
    if (auto title = runTitle(items))
        return *title;
    const auto isScope = [](const PageItem& item) { return item.isScope; };
    if (std::ranges::none_of(items, isScope))
        return repeatTitle(items).value_or(countedTitle(items));
    const auto first = std::ranges::find_if(items, isScope);
    const auto last = std::find_if(items.rbegin(), items.rend(), isScope);
    return first->name == last->name ? first->name + " …" : first->name + " … " + last->name;
}

std::vector<Page> findPages(std::span<const PageItem> items, std::span<const std::uint32_t> crossing, std::size_t most)
{
    return items.size() <= most ? std::vector<Page>() : Cutter(items, crossing, most).cut(0, items.size());
}

} // namespace duo
