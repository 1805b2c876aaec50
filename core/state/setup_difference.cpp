// SPDX-License-Identifier: Apache-2.0
#include "core/state/setup_difference.h"

#include "core/support/enum_text.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <unordered_map>
#include <utility>

namespace duo {
namespace {

constexpr auto kChanges
    = enumTexts<QuantizerChange::Readers>({"only-first", "only-second", "type", "spread", "range", "readers"});

std::vector<std::string> onlyIn(std::vector<std::string> those, std::vector<std::string> others)
{
    std::ranges::sort(those);
    std::ranges::sort(others);
    std::vector<std::string> left;
    std::ranges::set_difference(those, others, std::back_inserter(left));
    return left;
}

std::vector<TextDifference> textDifferences(
    const std::map<std::string, std::string>& first, const std::map<std::string, std::string>& second)
{
    std::vector<TextDifference> differences;
    for (const auto& [name, text] : first) {
        const auto other = second.find(name);
        if (other == second.end() || other->second != text)
            differences.push_back({name, text, other == second.end() ? std::string() : other->second});
    }
    for (const auto& [name, text] : second) {
        if (!first.contains(name))
            differences.push_back({name, {}, text});
    }
    std::ranges::sort(differences, {}, &TextDifference::name);
    return differences;
}

/// Digests; "" is that of constants which are not there, and equal to none.
void compareNotRecovered(const ComparableSetup& first, const ComparableSetup& second, SetupDifference& difference)
{
    constexpr const char* kNotThere = "data are not there";
    difference.notRecovered = textDifferences(first.notRecovered, second.notRecovered);
    difference.sameNotRecovered = first.notRecovered.size();
    for (const auto& [name, digest] : first.notRecovered) {
        if (const auto other = second.notRecovered.find(name);
            other == second.notRecovered.end() || other->second != digest)
            --difference.sameNotRecovered;
        else if (digest.empty()) {
            --difference.sameNotRecovered;
            difference.notRecovered.push_back({name, kNotThere, kNotThere});
        }
    }
}

std::string numberText(double number)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.5g", number);
    return text.data();
}

/// Where two scales are furthest apart, and by which factor; 1 where only zero points differ.
std::pair<std::size_t, double> widestApart(const ComparableQuantizer& first, const ComparableQuantizer& second)
{
    std::pair<std::size_t, double> widest{0, 1};
    for (std::size_t c = 0; c < first.scale.size(); ++c) {
        const double a = first.scale[c];
        const double b = second.scale[c];
        const double factor = a > 0 && b > 0 ? std::max(a / b, b / a) : std::numeric_limits<double>::infinity();
        if (a != b && factor > widest.second)
            widest = {c, factor};
    }
    return widest;
}

std::string parametersText(const ComparableQuantizer& quantizer, std::size_t channel)
{
    std::string text = "scale " + numberText(quantizer.scale[channel]);
    if (channel < quantizer.zeroPoint.size())
        text += ", zero point " + std::to_string(quantizer.zeroPoint[channel]);
    return text;
}

std::string kindText(const ComparableQuantizer& quantizer)
{
    const std::string text = quantizer.type + " " + quantizer.spread;
    return quantizer.scale.size() > 1 ? text + " (" + std::to_string(quantizer.scale.size()) + ")" : text;
}

/// @param own those that only this one is for, @param others those that only the other one is for
std::string readersText(const std::vector<std::string>& own, const std::vector<std::string>& others)
{
    constexpr std::size_t kShown = 3;
    std::vector<std::string> quoted;
    for (const std::string& reader : own.empty() ? others : own)
        quoted.push_back(inQuotes(reader));
    return (own.empty() ? "not for " : "for ") + firstOf(quoted, kShown);
}

/// Those that only one of the two is for; where one does not tell, nothing is said, nor where a tool gave all of them
/// other names.
bool describeReaders(
    const ComparableQuantizer& first, const ComparableQuantizer& second, QuantizerDifference& difference)
{
    const auto onlyFirst = onlyIn(first.readers, second.readers);
    const auto onlySecond = onlyIn(second.readers, first.readers);
    const bool areOthers = onlyFirst.size() == first.readers.size() && onlySecond.size() == second.readers.size();
    if (areOthers || (onlyFirst.empty() && onlySecond.empty()) || first.readers.empty() || second.readers.empty())
        return false;
    difference.change = QuantizerChange::Readers;
    difference.first = readersText(onlyFirst, onlySecond);
    difference.second = readersText(onlySecond, onlyFirst);
    return true;
}

/// What is different about one quantizer; false: nothing.
bool describe(const ComparableQuantizer& first, const ComparableQuantizer& second, QuantizerDifference& difference)
{
    difference.first = kindText(first);
    difference.second = kindText(second);
    if (first.type != second.type) {
        difference.change = QuantizerChange::Type;
        return true;
    }
    if (first.spread != second.spread || first.scale.size() != second.scale.size()) {
        difference.change = QuantizerChange::Spread;
        return true;
    }
    if (first.scale == second.scale && first.zeroPoint == second.zeroPoint)
        return describeReaders(first, second, difference);
    const auto [channel, factor] = widestApart(first, second);
    difference.change = QuantizerChange::Range;
    difference.factor = factor;
    difference.first = parametersText(first, channel);
    difference.second = parametersText(second, channel);
    return true;
}

} // namespace

std::string_view quantizerChangeText(QuantizerChange change)
{
    return enumText(kChanges, change);
}

SetupDifference setupDifference(const ComparableSetup& first, const ComparableSetup& second)
{
    SetupDifference difference;
    difference.rulesOnlyFirst = onlyIn(first.rules, second.rules);
    difference.rulesOnlySecond = onlyIn(second.rules, first.rules);
    difference.areRulesReordered
        = difference.rulesOnlyFirst.empty() && difference.rulesOnlySecond.empty() && first.rules != second.rules;
    difference.settings = textDifferences(first.settings, second.settings);
    difference.corrections = textDifferences(first.corrections, second.corrections);
    if (first.keptFloat && second.keptFloat)
        std::ranges::move(
            textDifferences(*first.keptFloat, *second.keptFloat), std::back_inserter(difference.corrections));
    difference.facts = textDifferences(first.facts, second.facts);
    compareNotRecovered(first, second, difference);
    std::unordered_map<std::string_view, const ComparableQuantizer*> others;
    for (const ComparableQuantizer& quantizer : second.quantizers)
        others.emplace(quantizer.place, &quantizer);
    for (const ComparableQuantizer& quantizer : first.quantizers) {
        QuantizerDifference one{quantizer.place, quantizer.node, quantizer.scope};
        const auto other = others.find(quantizer.place);
        if (other == others.end()) {
            one.change = QuantizerChange::OnlyFirst;
            one.first = kindText(quantizer);
            difference.quantizers.push_back(std::move(one));
            continue;
        }
        if (describe(quantizer, *other->second, one))
            difference.quantizers.push_back(std::move(one));
        else
            ++difference.same;
        others.erase(other);
    }
    for (const ComparableQuantizer& quantizer : second.quantizers) {
        if (others.contains(quantizer.place))
            difference.quantizers.push_back({quantizer.place, quantizer.node, quantizer.scope,
                QuantizerChange::OnlySecond, {}, kindText(quantizer), 1});
    }
    return difference;
}

} // namespace duo
