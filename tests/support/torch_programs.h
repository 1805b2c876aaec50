// SPDX-License-Identifier: Apache-2.0
// readProgram: a program of torch.export.save, from its file.
#pragma once

#include "core/formats/pt2/read_pt2.h"

#include <filesystem>
#include <memory>

namespace duo::test {

/// @return errors of StoredZip::open and readTorchExport
inline Result<std::shared_ptr<const Model>> readProgram(const std::filesystem::path& path)
{
    DUO_TRY(zip, StoredZip::open(path));
    return readTorchExport(std::move(zip), path, {});
}

} // namespace duo::test
