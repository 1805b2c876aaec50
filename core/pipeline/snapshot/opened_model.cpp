// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/snapshot/opened_model.h"

#include "core/onnx/absent_data.h"
#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/transform/pass.h"
#include "core/transform/raise_opset.h"

#include <algorithm>
#include <iterator>

namespace duo {

Result<std::shared_ptr<const Model>> asOpened(std::shared_ptr<const Model> model, const JobContext& job)
{
    if (!model->source || !checkHasData(*model))
        return model; // no file of ONNX, which edits could be made of; or no constants, which tell what to make
    for (const Pass& pass : passes()) {
        if (pass.stage != PassStage::Open)
            continue;
        PassResult result = pass.run({*model, {}});
        if (result.edits) {
            DUO_TRY(converted, convertedModel(model, *result.edits, std::move(result.notes), job));
            model = std::move(converted);
        } else if (!result.notes.empty()) {
            auto kept = std::make_shared<Model>(*model);
            std::ranges::move(result.notes, std::inserter(kept->notes, kept->notes.begin()));
            model = std::move(kept);
        }
    }
    return model;
}

Result<std::shared_ptr<const Model>> asRunnable(std::shared_ptr<const Model> model, const JobContext& job)
{
    constexpr std::int64_t kOldestRun = 7;
    if (writtenOpset(*model) >= kOldestRun)
        return model;
    return asOpened(std::move(model), job);
}

std::int64_t opsetInFile(const Model& model)
{
    return writtenOpset(modelInFile(model));
}

std::int64_t openedBytes(const Snapshot& snapshot)
{
    return (snapshot.opened ? *snapshot.opened->model : *snapshot.model).fileBytes;
}

} // namespace duo
