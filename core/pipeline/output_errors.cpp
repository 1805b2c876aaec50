// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/output_errors.h"

#include "core/analysis/signal_error.h"
#include "core/engine/open_model.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::int64_t kMostSamples = 16;

/// Of one output and sample; nothing where the original's own result holds NaN, which no comparison means anything for.
using SampleError = std::optional<SignalError>;

bool holdsNan(const HostTensor& tensor)
{
    return std::ranges::any_of(tensor.floats(), [](float value) { return std::isnan(value); });
}

OutputError errorOf(const std::string& name, const std::vector<std::vector<SampleError>>& bySample, std::size_t output)
{
    SignalError total;
    bool isCompared = false;
    for (const auto& sample : bySample) { // in sample order: the sum does not depend on threads
        if (!sample[output])
            continue;
        total.add(*sample[output]);
        isCompared = true;
    }
    return {name, total.sqnrDb(), isCompared && total.identical};
}

} // namespace

Result<std::vector<OutputError>> outputErrors(const Model& original, const std::filesystem::path& written,
    const Dataset& dataset, int threads, const JobContext& job)
{
    DUO_TRY(before, openModel(original));
    DUO_TRY(after, openExport(original, written));
    std::vector<std::string> names;
    for (const PortInfo& output : before.outputs())
        names.push_back(output.name);
    std::vector<std::vector<SampleError>> bySample(static_cast<std::size_t>(std::min(dataset.size(), kMostSamples)));
    DUO_CHECK(parallelFor(bySample.size(), threads, job, [&](std::size_t i) -> Status {
        DUO_TRY(feeds, dataset.sample(static_cast<std::int64_t>(i)));
        DUO_TRY(a, before.run(feeds, names, job));
        DUO_TRY(b, after.run(feeds, names, job));
        for (std::size_t o = 0; o < names.size(); ++o)
            bySample[i].push_back(holdsNan(a[o]) ? SampleError() : signalError(viewOf(a[o]), viewOf(b[o])));
        return success();
    }));
    std::vector<OutputError> errors;
    for (std::size_t o = 0; o < names.size(); ++o)
        errors.push_back(errorOf(names[o], bySample, o));
    return errors;
}

} // namespace duo
