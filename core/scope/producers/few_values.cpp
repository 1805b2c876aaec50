// SPDX-License-Identifier: Apache-2.0
#include "core/scope/producers/few_values.h"

#include <cstring>

namespace duo {

bool hasFewValues(const Tensor& tensor)
{
    const auto bytes = tensor.bytes();
    const std::size_t size = static_cast<std::size_t>(elementBits(tensor.type)) / 8;
    if (size == 0)
        return true;
    const std::byte* first = bytes.data();
    const std::byte* second = nullptr;
    for (std::size_t at = size; at + size <= bytes.size(); at += size) {
        const std::byte* element = bytes.data() + at;
        if (std::memcmp(element, first, size) == 0)
            continue;
        if (second == nullptr)
            second = element;
        else if (std::memcmp(element, second, size) != 0)
            return false;
    }
    return true;
}

} // namespace duo
