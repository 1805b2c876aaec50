// SPDX-License-Identifier: Apache-2.0
// Models whose external data are not there: they are read as structure, and it is told what is absent.
#pragma once

#include "core/onnx/reader.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace duo {

/// readModel() that leaves out the bytes of tensors whose file is not there; a note says so. Their names, types and
/// shapes are as the model says.
Result<std::shared_ptr<const Model>> readStructure(
    const std::filesystem::path& path, const ReadOptions& options = {}, const JobContext& job = {});

/// A file that the model needs and that is not there.
struct AbsentFile {
    std::string location; // as the model writes it
    std::filesystem::path path; // where it belongs
    std::int64_t tensors = 0; // that lie in it
};

/// Empty for a model that has all its data.
std::vector<AbsentFile> absentFiles(const Model& model);

/// @return FileNotReadable, naming the file, where data of the model are not there
Status checkHasData(const Model& model);

} // namespace duo
