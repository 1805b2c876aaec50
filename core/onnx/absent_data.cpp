// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/absent_data.h"

#include "core/onnx/source.h"

namespace duo {

std::vector<AbsentFile> absentFiles(const Model& model)
{
    std::vector<AbsentFile> files;
    if (!model.source)
        return files;
    const ExternalFiles& external = model.source->external;
    for (const auto& [location, tensors] : external.absent())
        files.push_back({location, external.shown(location), tensors});
    return files;
}

Status checkHasData(const Model& model)
{
    const auto absent = absentFiles(model);
    if (absent.empty())
        return success();
    const std::size_t more = absent.size() - 1;
    const std::string others
        = more == 0 ? "" : " and " + std::to_string(more) + (more == 1 ? " more file" : " more files");
    return Error{ErrorCode::FileNotReadable,
        "the model has no weights here: " + absent.front().location + others
            + " with its external data cannot be found",
        absent.front().path.string(), "put the data beside the model, or name their folder with --allow-external"};
}

} // namespace duo
