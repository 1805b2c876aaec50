// SPDX-License-Identifier: Apache-2.0
#include "views/rules/name_patterns.h"

#include "core/support/digits.h"
#include "core/support/sorted.h"

#include <algorithm>
#include <map>

namespace duo::ui {
namespace {

constexpr int kLevels = 3; // of scopes that a pattern may stand for

/// A name cut into texts and numbers in turn; the first piece is text, perhaps empty.
std::vector<std::string> piecesOf(const std::string& name)
{
    std::vector<std::string> pieces = {""};
    for (const char letter : name) {
        if (isDigit(letter) != (pieces.size() % 2 == 0))
            pieces.emplace_back();
        pieces.back() += letter;
    }
    return pieces;
}

/// What all texts begin with, cut after its last separator. Escaped texts: a dot that separates is never the last
/// letter of an escape's first half.
std::size_t commonHead(const std::vector<std::string>& texts)
{
    std::size_t length = texts.front().size();
    for (const auto& text : texts) {
        const auto ends = std::mismatch(texts.front().begin(),
            texts.front().begin() + static_cast<std::ptrdiff_t>(std::min(length, text.size())), text.begin());
        length = static_cast<std::size_t>(ends.first - texts.front().begin());
    }
    while (length > 0 && texts.front()[length - 1] != '/' && texts.front()[length - 1] != '.')
        --length;
    return length;
}

/// The length of what all texts end with, from a `/`; nothing of the first `head` letters.
std::size_t commonTail(const std::vector<std::string>& texts, std::size_t head)
{
    const std::string& first = texts.front();
    std::size_t length = first.size() - head;
    for (const auto& text : texts) {
        std::size_t same = 0;
        while (same < length && same + head < text.size()
            && first[first.size() - 1 - same] == text[text.size() - 1 - same])
            ++same;
        length = same;
    }
    while (length > 0 && first[first.size() - length] != '/')
        --length;
    return length;
}

/// One pattern for several that are each free of alternatives; what they share is written once.
std::string alternation(const std::vector<std::string>& patterns)
{
    if (patterns.size() == 1)
        return patterns.front() + '$';
    const std::size_t head = commonHead(patterns);
    const std::size_t tail = commonTail(patterns, head);
    std::string middle;
    for (const auto& pattern : patterns)
        middle += (middle.empty() ? "" : "|") + pattern.substr(head, pattern.size() - head - tail);
    const std::string& first = patterns.front();
    return first.substr(0, head) + "(?:" + middle + ")" + first.substr(first.size() - tail) + '$';
}

/// Names that differ in their numbers only.
struct Family {
    std::vector<std::string> pieces; // of one member
    std::vector<bool> varies; // [pieces]
};

std::vector<Family> familiesOf(const std::vector<std::string>& names)
{
    std::map<std::vector<std::string>, Family> families; // by pieces without their numbers
    for (const auto& name : names) {
        const auto pieces = piecesOf(name);
        auto key = pieces;
        for (std::size_t i = 1; i < key.size(); i += 2)
            key[i].clear();
        auto [at, isNew]
            = families.try_emplace(std::move(key), Family{pieces, std::vector<bool>(pieces.size(), false)});
        for (std::size_t i = 1; !isNew && i < pieces.size(); i += 2)
            at->second.varies[i] = at->second.varies[i] || pieces[i] != at->second.pieces[i];
    }
    std::vector<Family> list;
    for (auto& [key, family] : families)
        list.push_back(std::move(family));
    return list;
}

std::string withOpenNumbers(const std::vector<std::string>& names)
{
    const auto families = familiesOf(names);
    const bool anyVaries = std::any_of(families.begin(), families.end(), [](const Family& family) {
        return std::find(family.varies.begin(), family.varies.end(), true) != family.varies.end();
    });
    std::vector<std::string> patterns;
    for (const Family& family : families) {
        std::string pattern;
        for (std::size_t i = 0; i < family.pieces.size(); ++i) {
            const bool isOpen = i % 2 == 1 && (!anyVaries || family.varies[i]);
            pattern += isOpen ? "\\d+" : escaped(family.pieces[i]);
        }
        patterns.push_back(std::move(pattern));
    }
    return alternation(patterns);
}

} // namespace

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char letter : text) {
        if (std::string_view("\\.^$*+?{}[]|()").find(letter) != std::string_view::npos)
            result += '\\';
        result += letter;
    }
    return result;
}

std::vector<std::string> patternsFor(std::vector<std::string> names)
{
    sortUniqueInPlace(names);
    if (names.empty())
        return {};
    std::vector<std::string> literal;
    for (const auto& name : names)
        literal.push_back(escaped(name));
    const std::size_t headLength = commonHead(literal);
    const std::string head = literal.front().substr(0, headLength);
    const std::size_t tailLength = commonTail(literal, headLength);
    const std::string tail = literal.front().substr(literal.front().size() - tailLength);

    std::vector<std::string> patterns = {alternation(literal), withOpenNumbers(names)};
    if (!head.empty() && head != "/" && !tail.empty())
        patterns.push_back(head + ".*" + tail + '$');
    std::string above = head;
    for (int level = 0; level < kLevels && above.size() > 1; ++level) {
        patterns.push_back(above + ".*");
        above.resize(above.find_last_of('/', above.size() - 2) + 1); // nothing is left of a name without `/`
    }
    if (head.size() <= 1 && !tail.empty())
        patterns.push_back(".*" + tail + '$');
    std::vector<std::string> distinct;
    for (auto& pattern : patterns) {
        if (std::find(distinct.begin(), distinct.end(), pattern) == distinct.end())
            distinct.push_back(std::move(pattern));
    }
    return distinct;
}

} // namespace duo::ui
