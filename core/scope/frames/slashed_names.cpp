// SPDX-License-Identifier: Apache-2.0
#include "core/scope/frames/slashed_names.h"

#include "core/scope/producers/scope_names.h"
#include "core/support/digits.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::size_t kMostPieces = 8; // of one name

/// The last atom of a path; after a number, from the nearest atom that is none.
std::string printedName(const ModulePaths& paths, PathId path)
{
    std::string name(paths.atom(path));
    for (PathId above = path; allDigits(paths.atom(above)) && paths.parent(above) != ModulePaths::root();) {
        above = paths.parent(above);
        name = std::string(paths.atom(above)) + "." + name;
    }
    return name;
}

} // namespace

SlashedNames::SlashedNames(const ModulePaths& paths)
{
    for (std::size_t p = 1; p < paths.size(); ++p) {
        if (paths.text(PathId(p)).find('/') == std::string::npos)
            continue;
        std::string name = printedName(paths, PathId(p));
        if (name.find('/') != std::string::npos)
            m_names.insert(std::move(name));
    }
}

bool SlashedNames::isName(std::string_view text) const
{
    if (m_names.contains(std::string(text)))
        return true;
    const auto base = withoutCallSuffix(text);
    return base && m_names.contains(std::string(*base));
}

std::vector<std::string_view> SlashedNames::merged(std::vector<std::string_view> pieces) const
{
    if (m_names.empty())
        return pieces;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < pieces.size();) {
        std::size_t count = std::min(kMostPieces, pieces.size() - i);
        const auto together = [&](std::size_t n) {
            const char* end = pieces[i + n - 1].data() + pieces[i + n - 1].size();
            return std::string_view(pieces[i].data(), static_cast<std::size_t>(end - pieces[i].data()));
        };
        while (count > 1 && !isName(together(count)))
            --count;
        names.push_back(together(count));
        i += count;
    }
    return names;
}

} // namespace duo
