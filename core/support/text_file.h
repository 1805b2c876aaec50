// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/file.h"

#include <string_view>

namespace duo {

/// The file holds `text`, or, after an error, what it held before: writeFileAtomically().
Status writeTextFile(const std::filesystem::path& target, std::string_view text);
/// The same; the folder it lies in is made where there is none.
Status writeTextFileInFolder(const std::filesystem::path& target, std::string_view text);

} // namespace duo
