// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/export_demands.h"

#include <utility>

namespace duo {

std::vector<std::string> arraysOf(const VerdictOptions& options)
{
    return options.hasNamedLabels() ? std::vector{options.labels} : std::vector<std::string>();
}

ExportDemands withLabelsFound(ExportDemands demands, const std::string& data, const Model& model)
{
    if (demands.verdict.labels.empty() && demands.verdict.metricCommand.empty())
        demands.verdict.found = findLabels(data, model);
    return demands;
}

} // namespace duo
