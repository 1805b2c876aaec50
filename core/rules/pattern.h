// SPDX-License-Identifier: Apache-2.0
// Pattern: a compiled regular expression with the meaning of Python's re.match, and a bound on what it may cost.
#pragma once

#include "core/rules/python_pattern.h"

#include <memory>
#include <string_view>
#include <variant>
#include <vector>

namespace duo {

class Pattern
{
public:
    enum class Outcome { Match, NoMatch, TooCostly, BadText };

    /// @return the pattern, or why it is none (position in bytes)
    static std::variant<Pattern, PatternProblem> compile(std::string_view pattern);

    Pattern(Pattern&&) noexcept;
    Pattern& operator=(Pattern&&) noexcept;
    ~Pattern();

    /// Anchored at the start only. TooCostly: the match limit (100,000 steps) or the heap limit (16 MiB) was hit.
    [[nodiscard]] Outcome match(std::string_view text) const;

    /// What other engines or older versions of Python read otherwise, in order of position.
    [[nodiscard]] const std::vector<PatternRemark>& remarks() const;

private:
    struct Code;
    explicit Pattern(std::unique_ptr<Code> code);
    std::unique_ptr<Code> m_code;
};

} // namespace duo
