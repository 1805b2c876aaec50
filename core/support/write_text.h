// SPDX-License-Identifier: Apache-2.0
// WriteText: where a text goes that is too large to be held whole.
#pragma once

#include <functional>
#include <string_view>

namespace duo {

/// Takes the next piece of a text.
using WriteText = std::function<void(std::string_view)>;

} // namespace duo
