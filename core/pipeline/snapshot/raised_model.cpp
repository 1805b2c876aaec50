// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/raised_model.h"

#include "core/onnx/reader.h"
#include "core/transform/raise_opset.h"

namespace duo {

Result<std::shared_ptr<const Model>> withRaisedOpset(std::shared_ptr<const Model> model, const JobContext& job)
{
    const auto raise = raiseOpset(*model);
    if (!raise)
        return model;
    if (raise->edits)
        return convertedModel(model, *raise->edits, {raise->note}, job);
    auto kept = std::make_shared<Model>(*model);
    kept->notes.insert(kept->notes.begin(), raise->note);
    return std::shared_ptr<const Model>(std::move(kept));
}

Result<std::shared_ptr<const Model>> asRunnable(std::shared_ptr<const Model> model, const JobContext& job)
{
    constexpr std::int64_t kOldestRun = 7;
    if (writtenOpset(*model) >= kOldestRun)
        return model;
    return withRaisedOpset(std::move(model), job);
}

std::int64_t opsetInFile(const Model& model)
{
    return writtenOpset(modelInFile(model));
}

} // namespace duo
