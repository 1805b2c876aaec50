// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/dataset_preview.h"

#include "core/model/tensor.h"

#include <algorithm>
#include <cmath>

namespace duo {
namespace {

constexpr std::size_t kMostBytes = 64'000'000;

/// Welford's update of mean and squared deviations: B. P. Welford, Technometrics 4(3), 1962.
class Totals
{
public:
    void add(double value)
    {
        if (!std::isfinite(value)) {
            ++m_notFinite;
            return;
        }
        m_min = m_count == 0 ? value : std::min(m_min, value);
        m_max = m_count == 0 ? value : std::max(m_max, value);
        ++m_count;
        const double off = value - m_mean;
        m_mean += off / static_cast<double>(m_count);
        m_squares += off * (value - m_mean);
    }

    void writeTo(InputPreview& input) const
    {
        input.count = m_count;
        input.notFinite = m_notFinite;
        input.min = m_min;
        input.max = m_max;
        input.mean = m_mean;
        input.deviation = m_count == 0 ? 0 : std::sqrt(m_squares / static_cast<double>(m_count));
    }

private:
    std::int64_t m_count = 0;
    std::int64_t m_notFinite = 0;
    double m_min = 0;
    double m_max = 0;
    double m_mean = 0;
    double m_squares = 0;
};

InputPreview previewOf(const std::vector<std::vector<HostTensor>>& samples, std::size_t input)
{
    const HostTensor& first = samples.front()[input];
    InputPreview preview{.name = first.name, .type = first.type, .dims = first.dims};
    Totals totals;
    for (const auto& feeds : samples) {
        const HostTensor& feed = feeds[input];
        preview.isVariable = preview.isVariable || feed.dims != first.dims;
        for (const float value : numbersIn(feed))
            totals.add(value);
    }
    totals.writeTo(preview);
    return preview;
}

} // namespace

std::vector<float> numbersIn(const HostTensor& feed)
{
    return toFloats({feed.name, feed.type, feed.dims, {{}, feed.bytes}});
}

Result<DatasetPreview> previewDataset(const Dataset& dataset, const JobContext& job, std::int64_t most)
{
    DatasetPreview preview;
    preview.samples = dataset.size();
    preview.notes = dataset.notes();
    std::size_t bytes = 0;
    for (std::int64_t i = 0; i < std::min(most, preview.samples) && bytes < kMostBytes; ++i) {
        if (job.stopped())
            return cancelledError();
        DUO_TRY(feeds, dataset.sample(i));
        for (const HostTensor& feed : feeds)
            bytes += feed.bytes.size();
        preview.first.push_back(std::move(feeds));
    }
    const std::size_t inputs = preview.first.empty() ? 0 : preview.first.front().size();
    for (std::size_t input = 0; input < inputs; ++input)
        preview.inputs.push_back(previewOf(preview.first, input));
    return preview;
}

} // namespace duo
