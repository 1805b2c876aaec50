// SPDX-License-Identifier: Apache-2.0
#include "core/support/text_file.h"

#include <ostream>

namespace duo {

Status writeTextFile(const std::filesystem::path& target, std::string_view text)
{
    return writeFileAtomically(target, [&](std::ostream& out) {
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        return success();
    });
}

} // namespace duo
