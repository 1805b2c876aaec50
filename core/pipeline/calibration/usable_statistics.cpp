// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/calibration/usable_statistics.h"

#include "core/pipeline/calibration/corrections.h"
#include "core/state/model_hash.h"

namespace duo {

Result<StatisticsFile> readStatisticsOf(const Model& model, const std::filesystem::path& path, const JobContext& job)
{
    DUO_TRY(file, readStatistics(path, job));
    DUO_TRY(hashes, hashModel(model, job));
    if (hashes != file.origin.model)
        return Error{ErrorCode::BadData, "statistics of another model", path.string(),
            "measure this model: statistics MODEL --data D -o F"};
    return file;
}

std::optional<Note> unsmoothedNote(const Snapshot& snapshot)
{
    if (!changesFloatModel(snapshot.settings) || changesFloatModel(snapshot.recipe.quantization))
        return std::nullopt;
    return Note{"not-smoothed", "SmoothQuant, chosen for this model, runs it, and was left out: give --data", {}};
}

Status checkStatisticsSuffice(const QuantizationSettings& settings, const std::string& where)
{
    if (changesFloatModel(settings))
        return Error{ErrorCode::Usage, "a rescaled model has statistics of its own", where,
            "give --data, or leave smooth_quant_alphas and cross_layer_equalization out"};
    if (correctsBiases(settings) && !correctsBiasesFast(settings))
        return Error{ErrorCode::Usage, "sequential bias correction runs the quantized model", where,
            "give --data, or set fast_bias_correction"};
    return success();
}

} // namespace duo
