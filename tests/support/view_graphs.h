// SPDX-License-Identifier: Apache-2.0
// Views of a model whose containment is of no further use.
#pragma once

#include "core/graph/view_builder.h"

#include <set>
#include <string>

namespace duo::test {

inline ViewGraph viewOf(
    const Model& model, const Scopes& scopes, const Placement* placement, const std::set<std::string>& open)
{
    return buildView(model, scopes, placement, findContainment(model, scopes), open);
}

inline std::set<std::string> openWithin(const Model& model, const Scopes& scopes, std::size_t budget)
{
    return duo::openWithin(findContainment(model, scopes), budget);
}

} // namespace duo::test
