// SPDX-License-Identifier: Apache-2.0
#include "core/support/text_file.h"

#include "core/support/disk.h"

#include <ostream>

namespace duo {

Status writeTextFile(const std::filesystem::path& target, std::string_view text)
{
    return writeFileAtomically(target, [&](std::ostream& out) {
        out.write(text.data(), static_cast<std::streamsize>(text.size()));
        return success();
    });
}

Status writeTextFileInFolder(const std::filesystem::path& target, std::string_view text)
{
    if (const std::error_code error = makeFolders(target.parent_path()))
        return notWritable(target, error);
    return writeTextFile(target, text);
}

} // namespace duo
