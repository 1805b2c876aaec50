// SPDX-License-Identifier: Apache-2.0
#include "core/support/fresh_names.h"

namespace duo {

std::string FreshNames::fresh(const std::string& wish)
{
    if (m_taken.insert(wish).second)
        return wish;
    std::string name;
    for (int& number = m_numbers[wish]; name.empty() || !m_taken.insert(name).second;)
        name = wish + "_" + std::to_string(++number);
    return name;
}

} // namespace duo
