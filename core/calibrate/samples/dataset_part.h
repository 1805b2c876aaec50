// SPDX-License-Identifier: Apache-2.0
// DatasetPart: some samples of a dataset, as a dataset.
#pragma once

#include "core/calibrate/samples/dataset.h"

#include <algorithm>
#include <numeric>

namespace duo {

/// The whole must outlive it.
class DatasetPart : public Dataset
{
public:
    DatasetPart(const Dataset& whole, std::vector<std::int64_t> indices)
        : m_whole(whole)
        , m_indices(std::move(indices))
    {
    }

    /// Its first samples, `samples` at most.
    static DatasetPart firstOf(const Dataset& whole, std::int64_t samples)
    {
        std::vector<std::int64_t> indices(static_cast<std::size_t>(std::clamp<std::int64_t>(samples, 0, whole.size())));
        std::iota(indices.begin(), indices.end(), 0);
        return {whole, std::move(indices)};
    }

    [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(m_indices.size()); }
    [[nodiscard]] Result<std::vector<HostTensor>> sample(std::int64_t index) const override
    {
        return m_whole.sample(m_indices[static_cast<std::size_t>(index)]);
    }
    [[nodiscard]] Result<HostTensor> array(const std::string& name) const override { return m_whole.array(name); }
    [[nodiscard]] const std::vector<Note>& notes() const override { return m_whole.notes(); }
    [[nodiscard]] std::string sizeAdvice() const override { return m_whole.sizeAdvice(); }

private:
    const Dataset& m_whole;
    std::vector<std::int64_t> m_indices;
};

} // namespace duo
