// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/sensitivity/weight_errors.h"

#include "core/support/parallel.h"

#include <vector>

namespace duo {
Result<std::shared_ptr<const WeightErrors>> weightErrors(const std::shared_ptr<const Model>& model,
    const QuantizerSetup& setup, const ParametersByPoint& parameters, const WeightErrors* known, int threads,
    const JobContext& job)
{
    if (known && known->model != model)
        known = nullptr;
    auto all = std::make_shared<WeightErrors>();
    all->model = model;
    std::vector<PointId> missing;
    for (const auto& [id, point] : setup.points) {
        if (!point.isWeight)
            continue;
        const std::pair port(point.node, point.port.value_or(0));
        all->points.emplace(port, id);
        const auto before = known ? known->points.find(port) : all->points.end();
        const bool isKnown = known && before != known->points.end()
            && known->errors.at(before->second).parameters == parameters.at(id);
        if (isKnown)
            all->errors.emplace(id, known->errors.at(before->second));
        else
            missing.push_back(id);
    }
    std::vector<WeightErrors::Error> errors(missing.size());
    DUO_CHECK(parallelFor(missing.size(), threads, job, [&](std::size_t i) -> Status {
        const QuantizationPoint& point = setup.points.at(missing[i]);
        DUO_TRY(weight, readWeight(*model, point.node, point.port.value_or(0)));
        const QuantizationParameters& used = parameters.at(missing[i]);
        errors[i] = {used, weightError(weight, used), static_cast<std::int64_t>(weight.values.size())};
        return success();
    }));
    for (std::size_t i = 0; i < missing.size(); ++i)
        all->errors.emplace(missing[i], std::move(errors[i]));
    return std::shared_ptr<const WeightErrors>(std::move(all));
}

} // namespace duo
