// SPDX-License-Identifier: Apache-2.0
// The files beside a model that are needed to run it: those that hold its tensors, and libraries the user named.
#pragma once

#include "core/model/model.h"
#include "core/support/file.h"

#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// By location, as the model writes it. Empty for a model in one file.
std::map<std::string, std::shared_ptr<const MappedFile>> externalFiles(const Model& model);

/// The bytes of the file that the model was read from, as it was opened; empty for models built in memory.
std::span<const std::byte> bytesOfFile(const Model& model);

/// Gives back the memory of the pages read of the model's files; who needs them reads them again.
void dropPages(const Model& model);

/// ReadOptions::customOps; empty for models built in memory.
std::vector<std::filesystem::path> customOpLibraries(const Model& model);

} // namespace duo
