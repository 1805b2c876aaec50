// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/trace_marks.h"

#include "core/scope/frames/stack_trace.h"

#include <utility>

namespace duo {

void TraceMarks::read(std::string_view trace, FramedNode& framed)
{
    const auto [known, isNew] = m_traces.try_emplace(trace);
    if (isNew) {
        for (const TraceLine& line : forwardLines(trace))
            known->second.push_back(lineMark(line));
    }
    std::vector<std::int32_t> lines = known->second;
    const std::size_t modules = framed.frames.size() + 1;
    if (lines.size() == modules + 1) {
        const std::string_view caller = m_code[static_cast<std::size_t>(lines[modules - 1])];
        const bool isOfBase = caller.find("super(") != std::string_view::npos;
        framed.isDirectCall = caller.find(".forward(") != std::string_view::npos && !isOfBase;
        framed.isPastForward = m_isOfTorch[static_cast<std::size_t>(lines.back())] && !framed.isDirectCall && !isOfBase;
        lines.pop_back();
    }
    if (lines.size() != modules)
        return;
    for (std::size_t i = 0; i < framed.frames.size(); ++i)
        framed.frames[i].line = lines[i];
    framed.line = lines.back();
}

CodeLines TraceMarks::takeCode() &&
{
    return std::move(m_code);
}

std::int32_t TraceMarks::lineMark(const TraceLine& line)
{
    const auto [mark, isNew] = m_lines.try_emplace(line.place, static_cast<std::int32_t>(m_lines.size()));
    if (isNew) {
        m_code.push_back(line.code);
        m_isOfTorch.push_back(line.place.find("/torch/nn/modules/") != std::string_view::npos);
    }
    return mark->second;
}

} // namespace duo
