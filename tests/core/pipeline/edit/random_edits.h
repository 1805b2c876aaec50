// SPDX-License-Identifier: Apache-2.0
// RandomEdits: what a user may do to rules, one change after the other, from a seed.
#pragma once

#include "core/model/model.h"
#include "core/rules/rule.h"

#include <random>

namespace duo::test {

class RandomEdits
{
public:
    RandomEdits(const Model& model, unsigned seed);

    /// Adds, removes, moves, changes or disables one rule.
    void changeInPlace(RuleSet& rules);

private:
    std::size_t below(std::size_t bound);
    const Node& anyNode();
    std::string anyScope(); // of a node's name, cut at some separator
    RulePrecision anyPrecision();
    Rule anyRule();

    const Model& m_model;
    std::mt19937 m_random;
};

} // namespace duo::test
