// SPDX-License-Identifier: Apache-2.0
#include "core/report/node_runs.h"

#include <algorithm>

namespace duo {

const NodeRuns* runsIn(const ExportReport& report)
{
    const auto check = std::ranges::find(report.checks, "int8-kernels", &Check::id);
    return check == report.checks.end() ? nullptr : &check->results;
}

} // namespace duo
