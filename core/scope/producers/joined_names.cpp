// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/joined_names.h"

#include <algorithm>
#include <map>

namespace duo {

std::optional<Resolved> resolve(std::string_view plain, std::string_view opType, const OperationNames& operations)
{
    std::vector<OperationName> names;
    for (const std::string_view part : joinedNames(plain)) {
        if (auto apart = takenApart(part, operations); apart && !isMadeByConverter(part))
            names.push_back(std::move(*apart));
    }
    if (names.empty())
        return std::nullopt;
    const auto speaksFor
        = [&](const OperationName& name) { return opType.empty() || fitsOpType(name.operation, opType); };
    std::map<std::vector<std::string_view>, int> count; // names per scope, -1000 where none of them fits
    for (const OperationName& name : names)
        ++count.try_emplace(name.scopes, -1000).first->second;
    for (const OperationName& name : names) {
        if (int& found = count[name.scopes]; speaksFor(name) && found < 0)
            found += 1000;
    }
    const auto isBetter = [&](const OperationName& a, const OperationName& b) {
        return count[a.scopes] < count[b.scopes]
            || (count[a.scopes] == count[b.scopes] && !speaksFor(a) && speaksFor(b));
    };
    const OperationName best = *std::max_element(names.begin(), names.end(), isBetter);
    if (count.size() == 1)
        return Resolved{best, Provenance::Name};
    if (count[best.scopes] < 0)
        return std::nullopt;
    const bool isTie
        = std::ranges::count_if(count, [&](const auto& entry) { return entry.second == count[best.scopes]; }) > 1;
    return Resolved{best, isTie ? Provenance::Guess : Provenance::Name};
}

} // namespace duo
