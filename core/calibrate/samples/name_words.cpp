// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/name_words.h"

#include <cctype>

namespace duo {

NameWords::NameWords(std::string_view name)
{
    std::string word;
    const auto end = [&] {
        if (!word.empty())
            m_words.push_back(std::move(word));
        word.clear();
    };
    bool wasLower = false;
    for (const char letter : name) {
        const auto c = static_cast<unsigned char>(letter);
        const bool isUpper = std::isupper(c) != 0;
        if (std::isalpha(c) == 0 || (isUpper && wasLower))
            end();
        if (std::isalpha(c) != 0)
            word += static_cast<char>(std::tolower(c));
        wasLower = std::islower(c) != 0;
    }
    end();
}

} // namespace duo
