// SPDX-License-Identifier: Apache-2.0
#include "views/find/palette_index.h"

#include "core/support/letters.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace duo::ui {
namespace {

constexpr std::size_t kFew = 8; // hits; below it letters in order count, too

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

std::vector<std::string> wordsOf(std::string_view query)
{
    std::vector<std::string> words(1);
    for (const char c : query) {
        if (c != ' ')
            words.back() += lowered(c);
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

enum Worth : int { Inside = 1, PartBegins, TextBegins, Whole };

/// How well a word stands in a text; 0: it does not.
int worthIn(std::string_view text, std::string_view word)
{
    int best = 0;
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        if (at == 0)
            return word.size() == text.size() ? Whole : TextBegins;
        const bool isPart = !isLetter(text[at - 1]) || !isLetter(word.front());
        best = std::max<int>(best, isPart ? PartBegins : Inside);
        if (isPart)
            break;
    }
    return best;
}

bool hasInOrder(std::string_view text, std::string_view letters)
{
    std::size_t at = 0;
    for (const char letter : letters) {
        at = text.find(letter, at);
        if (at == std::string_view::npos)
            return false;
        ++at;
    }
    return true;
}

/// 0: a word is not in it.
int worthOf(std::string_view text, std::span<const std::string> words)
{
    int sum = 1;
    for (const std::string& word : words) {
        const int worth = worthIn(text, word);
        if (worth == 0)
            return 0;
        sum += worth;
    }
    return sum;
}

bool isAsked(PaletteKind kind, char prefix)
{
    switch (prefix) {
    case '>':
        return kind == PaletteKind::Command;
    case '@':
        return kind == PaletteKind::ExecutionScope || kind == PaletteKind::StorageScope;
    case '#':
        return kind == PaletteKind::Type;
    case ':':
        return kind == PaletteKind::Rule;
    case '/':
        return kind == PaletteKind::Node;
    default:
        return true;
    }
}

} // namespace

void PaletteIndex::add(PaletteItem item, std::string_view text)
{
    m_entries.push_back({static_cast<std::uint32_t>(m_text.size()), static_cast<std::uint32_t>(text.size()), item});
    std::ranges::transform(text, std::back_inserter(m_text), [](char c) { return lowered(c); });
}

void PaletteIndex::clear()
{
    m_text.clear();
    m_entries.clear();
}

/// A search under way.
struct PaletteSearch {
    struct Hit {
        int worth = 0;
        PaletteItem item;
        std::uint32_t size = 0;

        [[nodiscard]] auto order() const { return std::tuple(-worth, item.kind, size, item.index); }
    };

    template <typename WorthOf> std::vector<Hit> hits(const WorthOf& worthOfText) const
    {
        std::vector<Hit> found;
        for (const PaletteIndex* index : indices) {
            const std::string_view all = index->m_text;
            for (const PaletteIndex::Entry& entry : index->m_entries) {
                if (!isAsked(entry.item.kind, prefix))
                    continue;
                if (const int worth = worthOfText(all.substr(entry.begin, entry.size)); worth > 0)
                    found.push_back({worth, entry.item, entry.size});
            }
        }
        return found;
    }

    std::span<const PaletteIndex* const> indices;
    char prefix = 0;
};

PaletteHits findInPalette(std::span<const PaletteIndex* const> indices, std::string_view query, std::size_t most)
{
    PaletteSearch search{indices};
    if (!query.empty() && std::string_view(">@#:/").find(query.front()) != std::string_view::npos) {
        search.prefix = query.front();
        if (search.prefix != '/')
            query.remove_prefix(1);
    }
    auto words = wordsOf(query);
    const auto worth = [&words](std::string_view text) { return worthOf(text, words); };
    auto found = search.hits(worth);
    if (found.empty() && search.prefix == '/') {
        words = wordsOf(query.substr(1));
        found = search.hits(worth);
    }
    if (found.size() < kFew && !words.empty()) {
        std::string letters;
        for (const std::string& word : words)
            letters += word;
        for (auto hit :
            search.hits([&](std::string_view text) { return worth(text) == 0 && hasInOrder(text, letters) ? 1 : 0; })) {
            hit.worth = 0; // behind all others
            found.push_back(hit);
        }
    }
    PaletteHits hits;
    hits.total = found.size();
    const auto shown = static_cast<std::ptrdiff_t>(std::min(most, found.size()));
    std::ranges::partial_sort(found, found.begin() + shown, {}, &PaletteSearch::Hit::order);
    for (std::ptrdiff_t i = 0; i < shown; ++i)
        hits.items.push_back(found[static_cast<std::size_t>(i)].item);
    return hits;
}

} // namespace duo::ui
