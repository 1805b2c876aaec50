// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/output_errors.h"

#include "core/analysis/signal_error.h"
#include "core/engine/open_model.h"
#include "core/support/parallel.h"

#include <algorithm>

namespace duo {
namespace {

constexpr std::int64_t kMostSamples = 16;

OutputError errorOf(const std::string& name, const std::vector<std::vector<SignalError>>& bySample, std::size_t output)
{
    SignalError total;
    for (const auto& sample : bySample) // in sample order: the sum does not depend on threads
        total.add(sample[output]);
    return {name, total.sqnrDb(), total.identical};
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
    std::vector<std::vector<SignalError>> bySample(static_cast<std::size_t>(std::min(dataset.size(), kMostSamples)));
    DUO_CHECK(parallelFor(bySample.size(), threads, job, [&](std::size_t i) -> Status {
        DUO_TRY(feeds, dataset.sample(static_cast<std::int64_t>(i)));
        DUO_TRY(a, before.run(feeds, names, job));
        DUO_TRY(b, after.run(feeds, names, job));
        for (std::size_t o = 0; o < names.size(); ++o)
            bySample[i].push_back(signalError(viewOf(a[o]), viewOf(b[o])));
        return success();
    }));
    std::vector<OutputError> errors;
    for (std::size_t o = 0; o < names.size(); ++o)
        errors.push_back(errorOf(names[o], bySample, o));
    return errors;
}

} // namespace duo
