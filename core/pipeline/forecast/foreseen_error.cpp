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
    Forecast forecast = *foresight->forecast;
    if (compression.setup.points.empty()) {
        forecast.whyNoError = "nothing is quantized";
        return withForecast(*foresight, std::move(forecast));
    }
    const DatasetPart part(dataset, verdictSamples(dataset.size(), std::nullopt).indices);
    DUO_TRY(model, SwitchableModel::open(opened, compression, part, part.size(), threads, job));
    DUO_TRY(apart, model.apart(threads, job));
    const MeasuredError error = measuredError(apart);
    forecast.outputs.clear();
    for (std::size_t i = 0; i < error.outputs.size(); ++i)
        forecast.outputs.push_back({model.outputs()[i], error.outputs[i].sqnrDb,
            error.outputs[i].identical && apart.isCompared[i], apart.isCompared[i]});
    forecast.whyNoError.clear();
    return withForecast(*foresight, std::move(forecast));
}

} // namespace duo
