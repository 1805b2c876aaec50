// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/forecast/foreseen_error.h"

#include "core/calibrate/dataset_part.h"
#include "core/pipeline/calibration/corrections.h"
#include "core/pipeline/sensitivity/group_errors.h"
#include "core/pipeline/sensitivity/switchable_model.h"
#include "core/pipeline/verdict/measure_export.h"

#include <utility>

namespace duo {
Result<std::shared_ptr<const Foresight>> withErrors(std::shared_ptr<const Foresight> foresight, const Snapshot& opened,
    const Dataset& dataset, int threads, const JobContext& job)
{
    if (foresight->problem || changesFloatModel(opened.settings))
        return foresight;
    DUO_TRY(compression, compressionFrom(opened, foresight->statistics, threads, job));
    if (compression.setup.points.empty()) {
        auto nothing = std::make_shared<Forecast>(*foresight->forecast);
        nothing->whyNoError = "nothing is quantized";
        auto made = std::make_shared<Foresight>(*foresight);
        made->forecast = std::move(nothing);
        return std::shared_ptr<const Foresight>(std::move(made));
    }
    const DatasetPart part(dataset, verdictSamples(dataset.size(), std::nullopt).indices);
    DUO_TRY(model, SwitchableModel::open(opened, compression, part, part.size(), threads, job));
    DUO_TRY(apart, model.apart(threads, job));
    const MeasuredError error = measuredError(apart);
    auto forecast = std::make_shared<Forecast>(*foresight->forecast);
    forecast->outputs.clear();
    for (std::size_t i = 0; i < error.outputs.size(); ++i)
        forecast->outputs.push_back({model.outputs()[i], error.outputs[i].sqnrDb,
            error.outputs[i].identical && apart.isCompared[i], apart.isCompared[i]});
    forecast->whyNoError.clear();
    auto made = std::make_shared<Foresight>(*foresight);
    made->forecast = std::move(forecast);
    return std::shared_ptr<const Foresight>(std::move(made));
}

} // namespace duo
