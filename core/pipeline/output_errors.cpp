// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/output_errors.h"

#include "core/engine/session.h"
#include "core/support/parallel.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::int64_t kMostSamples = 16;

/// Energy of a signal and of its error over one sample.
struct Energies {
    double signal = 0;
    double noise = 0;
    bool identical = true;
};

Energies energiesOf(const HostTensor& before, const HostTensor& after)
{
    Energies energies;
    energies.identical = before.bytes == after.bytes;
    if (before.type != ElementType::Float32 || after.type != ElementType::Float32
        || before.bytes.size() != after.bytes.size())
        return energies;
    const auto a = before.floats();
    const auto b = after.floats();
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        energies.signal += static_cast<double>(a[i]) * static_cast<double>(a[i]);
        energies.noise += difference * difference;
    }
    return energies;
}

OutputError errorOf(const std::string& name, const std::vector<std::vector<Energies>>& bySample, std::size_t output)
{
    Energies total;
    for (const auto& sample : bySample) { // in sample order: the sum does not depend on threads
        total.signal += sample[output].signal;
        total.noise += sample[output].noise;
        total.identical = total.identical && sample[output].identical;
    }
    OutputError error{name, std::nullopt, total.identical};
    const double sqnr = 10 * std::log10(total.signal / total.noise);
    if (std::isfinite(sqnr))
        error.sqnrDb = sqnr;
    return error;
}

} // namespace

Result<std::vector<OutputError>> outputErrors(const std::filesystem::path& original,
    const std::filesystem::path& written, const Dataset& dataset, int threads, const JobContext& job)
{
    DUO_TRY(before, Session::openFile(original, {}));
    DUO_TRY(after, Session::openFile(written, {}));
    std::vector<std::string> names;
    for (const PortInfo& output : before.outputs())
        names.push_back(output.name);
    std::vector<std::vector<Energies>> bySample(static_cast<std::size_t>(std::min(dataset.size(), kMostSamples)));
    DUO_CHECK(parallelFor(bySample.size(), threads, job, [&](std::size_t i) -> Status {
        DUO_TRY(feeds, dataset.sample(static_cast<std::int64_t>(i)));
        DUO_TRY(a, before.run(feeds, names, job));
        DUO_TRY(b, after.run(feeds, names, job));
        for (std::size_t o = 0; o < names.size(); ++o)
            bySample[i].push_back(energiesOf(a[o], b[o]));
        return success();
    }));
    std::vector<OutputError> errors;
    for (std::size_t o = 0; o < names.size(); ++o)
        errors.push_back(errorOf(names[o], bySample, o));
    return errors;
}

} // namespace duo
