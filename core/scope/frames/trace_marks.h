// SPDX-License-Identifier: Apache-2.0
// TraceMarks: what the stack traces of nodes tell about the calls on their stacks.
#pragma once

#include "core/scope/facts/framed_node.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace duo {

struct TraceLine;

class TraceMarks
{
public:
    /// Sets the lines of `framed`, whose frames are known. One line per module on the stack is expected; one more where
    /// a forward ran that left no mark there, which sets isDirectCall or isPastForward. Another number says nothing.
    /// @param trace outlives the marks; each different one is parsed once
    void read(std::string_view trace, FramedNode& framed);
    [[nodiscard]] CodeLines takeCode() &&; // [line marks]

private:
    std::int32_t lineMark(const TraceLine& line);

    std::unordered_map<std::string_view, std::vector<std::int32_t>> m_traces; // line marks of a whole trace
    std::unordered_map<std::string_view, std::int32_t> m_lines;
    CodeLines m_code;
    std::vector<bool> m_isOfTorch; // [line marks] in the source of one of PyTorch's own modules
};

} // namespace duo
