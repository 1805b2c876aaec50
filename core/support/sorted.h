// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

namespace duo {

/// In order, each once.
template <typename T> void sortUniqueInPlace(std::vector<T>& items)
{
    std::ranges::sort(items);
    items.erase(std::unique(items.begin(), items.end()), items.end());
}

} // namespace duo
