// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/export_demands.h"

#include <utility>

namespace duo {

ExportDemands withLabelsFound(ExportDemands demands, const std::string& data, const Model& model)
{
    if (demands.verdict.labels.empty() && demands.verdict.metricCommand.empty())
        demands.verdict.found = findLabels(data, model);
    return demands;
}

} // namespace duo
