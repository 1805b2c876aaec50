// SPDX-License-Identifier: Apache-2.0
#include "core/support/shared_bytes.h"

#include <utility>

namespace duo {

SharedBytes SharedBytes::own(std::vector<std::byte> bytes)
{
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    return {owner, std::span<const std::byte>(*owner)};
}

} // namespace duo
