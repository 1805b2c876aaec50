// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/external_files.h"

#include "core/onnx/source.h"

namespace duo {

std::map<std::string, std::shared_ptr<const MappedFile>> externalFiles(const Model& model)
{
    if (!model.source)
        return {};
    return model.source->external.byLocation();
}

std::span<const std::byte> bytesOfFile(const Model& model)
{
    if (!model.source || !model.source->file)
        return {};
    return model.source->file->bytes();
}

void dropPages(const Model& model)
{
    if (!model.source)
        return;
    if (model.source->file)
        model.source->file->dropPages();
    if (model.source->added)
        model.source->added->file().dropPages();
    for (const auto& [path, file] : model.source->external.files())
        file->dropPages();
}

std::vector<std::filesystem::path> customOpLibraries(const Model& model)
{
    if (!model.source)
        return {};
    return model.source->customOps;
}

} // namespace duo
