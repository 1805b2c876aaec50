// SPDX-License-Identifier: Apache-2.0
#include "core/scope/calls/return_lines.h"

#include "core/model/key_names.h"
#include "core/scope/frames/stack_trace.h"

#include <algorithm>
#include <map>

namespace duo {
namespace {

std::string_view codeOf(const CallEvent& event, const CodeLines& code)
{
    return event.line == kNoMark ? std::string_view{} : code[static_cast<std::size_t>(event.line)];
}

/// What one call has done on the line that it returns from.
class Returning
{
public:
    Returning(const CodeLines& code, const Parameters& parameters, const ModulePaths& paths)
        : m_code(code)
        , m_parameters(parameters)
        , m_paths(paths)
    {
    }

    /// The event comes after the end of the call.
    bool isOver(const CallEvent& event) const
    {
        if (m_line == kNoMark)
            return false;
        return event.line != m_line || isDoneAgain(event);
    }

    void add(const CallEvent& event)
    {
        if (!isReturnLine(codeOf(event, m_code)))
            return;
        m_line = event.line;
        ++m_done[nameOf(event)];
    }

    void restart()
    {
        m_line = kNoMark;
        m_done.clear();
    }

private:
    /// What the line of the event names: the child it calls, or the parameter it reads.
    std::string_view nameOf(const CallEvent& event) const
    {
        if (event.child.valid())
            return m_paths.atom(event.child);
        return event.key == kNoKey ? std::string_view{} : keyLeaf(m_parameters.key(event.key).name);
    }

    /// More often than the line says; what it does not name may be done any number of times.
    bool isDoneAgain(const CallEvent& event) const
    {
        const std::string_view name = nameOf(event);
        const std::size_t times = timesInCode(codeOf(event, m_code), name);
        const auto done = m_done.find(name);
        return times > 0 && done != m_done.end() && done->second >= times;
    }

    const CodeLines& m_code;
    const Parameters& m_parameters;
    const ModulePaths& m_paths;
    std::int32_t m_line = kNoMark;
    std::map<std::string_view, std::size_t> m_done;
};

} // namespace

bool isReturnLine(std::string_view code)
{
    if (!code.starts_with("return ") && !code.starts_with("return("))
        return false;
    const auto count = [&](char c) { return std::count(code.begin(), code.end(), c); };
    return count('(') == count(')') && count('[') == count(']') && count('{') == count('}') && !code.ends_with('\\');
}

std::vector<std::size_t> returnCuts(
    std::span<const CallEvent> events, const CodeLines& code, const Parameters& parameters, const ModulePaths& paths)
{
    std::vector<std::size_t> cuts;
    Returning call(code, parameters, paths);
    for (std::size_t e = 0; e < events.size(); ++e) {
        if (call.isOver(events[e])) {
            cuts.push_back(e);
            call.restart();
        }
        call.add(events[e]);
    }
    return cuts;
}

} // namespace duo
