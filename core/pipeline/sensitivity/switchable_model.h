// SPDX-License-Identifier: Apache-2.0
// SwitchableModel: a model in one session whose quantizers can be on or off in every run, and what that does to its
// outputs on some samples.
#pragma once

#include "core/analysis/outputs_apart.h"
#include "core/calibrate/samples/dataset.h"
#include "core/pipeline/sensitivity/switchable_edits.h"
#include "core/pipeline/snapshot/compression.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duo {

/// Which switches are on [switches].
using Switched = std::vector<bool>;

/// Samples, and what the model gives of them with everything off.
struct FloatRuns {
    std::vector<std::vector<HostTensor>> feeds; // [samples]
    std::vector<std::vector<HostTensor>> outputs; // [samples]
};

class SwitchableModel
{
public:
    /// The model of an export of `snapshot` with `compression`, and its float outputs on the first `samples` samples.
    /// @param known of another plan of the same model: it is not run in float again
    /// @return errors of buildQdqEdits; EngineFailed, BadData, Cancelled
    static Result<SwitchableModel> open(const Snapshot& snapshot, const Compression& compression,
        const Dataset& dataset, std::int64_t samples, int threads, const JobContext& job,
        std::shared_ptr<const FloatRuns> known = nullptr);

    [[nodiscard]] const std::vector<Switch>& switches() const { return m_switches; }
    [[nodiscard]] const std::vector<std::string>& outputs() const { return m_outputs; } // names
    [[nodiscard]] std::int64_t samples() const { return static_cast<std::int64_t>(m_floats->feeds.size()); }
    [[nodiscard]] const std::shared_ptr<const FloatRuns>& floats() const { return m_floats; }

    /// How far the outputs are from those with every switch off, under `count` settings, which are run in parallel.
    /// @param setting gives the i-th, whenever it is asked;
    /// @param stage what the progress is called
    [[nodiscard]] Result<std::vector<OutputsApart>> apart(std::size_t count,
        const std::function<Switched(std::size_t)>& setting, const std::string& stage, int threads,
        const JobContext& job) const;
    /// With everything on.
    [[nodiscard]] Result<OutputsApart> apart(int threads, const JobContext& job) const;

private:
    explicit SwitchableModel(Session session)
        : m_session(std::move(session))
    {
    }
    [[nodiscard]] Result<std::vector<HostTensor>> run(
        std::span<const HostTensor> feeds, const Switched& isOn, const JobContext& job) const;

    Session m_session;
    std::vector<Switch> m_switches;
    std::vector<std::string> m_outputs;
    std::vector<AnswerForm> m_forms; // [m_outputs]
    std::shared_ptr<const FloatRuns> m_floats;
};

} // namespace duo
