// SPDX-License-Identifier: Apache-2.0
// TappedModel: a model whose inner values can be watched, in as few sessions as memory allows.
#pragma once

#include "core/calibrate/samples/dataset.h"
#include "core/engine/session.h"
#include "core/model/model.h"

#include <memory>
#include <string>
#include <vector>

namespace duo {

/// Values that are fetched together.
struct TapGroup {
    std::vector<std::string> values;
    std::int64_t bytes = 0; // estimate for one run
};

class TappedModel
{
public:
    /// Values of the main graph that are neither initializers nor inputs. Groups depend on model, values and `feeds`
    /// (one sample) only, so results never depend on the number of threads.
    /// @return Unsupported for a value that is no float32 tensor; Internal for one that does not exist; EngineFailed
    static Result<TappedModel> prepare(const Model& model, const std::vector<std::string>& values,
        std::span<const HostTensor> feeds, const JobContext& job = {});

    /// Those of `values` (computed by nodes of the main graph, or of bodies) that are float32 tensors; asks the engine
    /// where the model does not tell, which it can for the main graph only. @return Internal for one that does not
    /// exist; EngineFailed
    static Result<std::vector<std::string>> floatValues(
        const Model& model, const std::vector<std::string>& values, const JobContext& job = {});

    [[nodiscard]] const std::vector<TapGroup>& groups() const { return m_groups; }
    /// A session with one thread whose outputs hold the group's values.
    [[nodiscard]] Result<std::shared_ptr<const Session>> open(const TapGroup& group, const JobContext& job = {}) const;
    /// Runs at once that keep fetched values within the memory allowed; at least 1.
    [[nodiscard]] static int concurrentRuns(const TapGroup& group, int threads);

private:
    explicit TappedModel(const Model& model)
        : m_model(&model)
    {
    }

    const Model* m_model;
    std::vector<TapGroup> m_groups;
    std::shared_ptr<const Session> m_whole; // serves the group if there is only one
};

} // namespace duo
