// SPDX-License-Identifier: Apache-2.0
// SetupDifference: where two setups say something else.
#pragma once

#include "core/state/comparable_setup.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

struct TextDifference {
    std::string name; // of a setting or fact
    std::string first; // "": it says nothing of it
    std::string second;
    bool operator==(const TextDifference&) const = default;
};

enum class QuantizerChange { OnlyFirst, OnlySecond, Type, Spread, Range, Readers };
std::string_view quantizerChangeText(QuantizerChange change); // "only-first"

struct QuantizerDifference {
    std::string place;
    std::string node;
    std::string scope;
    QuantizerChange change = QuantizerChange::Range; // the first that holds
    std::string first = {}; // "int8 per channel"; of Range "scale 0.0123, zero point 128", of Readers
                            // "for 'conv'"; "": it is not there
    std::string second = {};
    double factor = 1; // of Range: the larger scale over the smaller, where they are furthest apart
    bool operator==(const QuantizerDifference&) const = default;
};

struct SetupDifference {
    std::vector<std::string> rulesOnlyFirst;
    std::vector<std::string> rulesOnlySecond;
    bool areRulesReordered = false; // the same, and later ones win over earlier ones
    std::vector<TextDifference> settings;
    std::vector<TextDifference> corrections;
    std::vector<TextDifference> facts;
    std::vector<QuantizerDifference> quantizers; // those of the first in its order, then those only of the second
    std::size_t same = 0; // quantizers that are equal
    /// Of nodes whose quantizers are not recovered, those whose constants differ, are not there, or are only in one.
    std::vector<TextDifference> notRecovered;
    std::size_t sameNotRecovered = 0; // by their constants

    /// Facts do not count: the same setup may come of other data.
    [[nodiscard]] bool isSame() const
    {
        return rulesOnlyFirst.empty() && rulesOnlySecond.empty() && !areRulesReordered && settings.empty()
            && corrections.empty() && quantizers.empty() && notRecovered.empty();
    }
};

/// Numbers differ if any bit does. O(size of both).
SetupDifference setupDifference(const ComparableSetup& first, const ComparableSetup& second);

} // namespace duo
