// SPDX-License-Identifier: Apache-2.0
#include "core/marks/toggle_mark.h"

#include <algorithm>

namespace duo {
namespace {

bool holds(const std::vector<std::uint32_t>& modules, std::uint32_t module)
{
    return std::ranges::find(modules, module) != modules.end();
}

} // namespace

std::vector<Mark> withToggled(const ModuleTree& tree, const std::vector<Mark>& marks, std::uint32_t module)
{
    const Marked now = annotate(tree, marks);
    const bool isMarked = now.states[module] == MarkState::Marked;
    bool isFound = false;
    std::vector<Mark> result;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        Mark mark = marks[i];
        if (isMarked && holds(now.marks[i].marked, module)) {
            if (now.marks[i].root == module)
                continue;
            mark.ignored.push_back(tree.modules[module].path);
        } else if (!isMarked && holds(now.marks[i].ignored, module)) {
            const auto isNamed = [&](const std::string& path) { return tree.find(path) == module; };
            isFound = std::erase_if(mark.ignored, isNamed) > 0 || isFound; // else something above it is expanded
        }
        result.push_back(std::move(mark));
    }
    if (!isMarked && !isFound) {
        result.emplace_back();
        result.back().root = tree.modules[module].path;
    }
    return result;
}

} // namespace duo
