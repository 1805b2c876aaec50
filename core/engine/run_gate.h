// SPDX-License-Identifier: Apache-2.0
// RunGate: lets as many runs of a model be at work at once as memory allows: what the largest takes, or a little.
#pragma once

#include "core/engine/session.h"

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>

namespace duo {

/// The first run is alone, and what program and engine grow by while it is at work is taken for what such runs need;
/// others for that in proportion to what they are fed. Runs wait as long as those at work would need more together than
/// the largest so far, or 100 MB. One run is never kept waiting by itself. Thread-safe.
class RunGate
{
public:
    RunGate();
    ~RunGate();
    RunGate(const RunGate&) = delete;
    RunGate& operator=(const RunGate&) = delete;

    /// The permission to run; given back by its end.
    class Pass
    {
    public:
        Pass(RunGate& gate, std::size_t need, bool isFirst);
        ~Pass();
        Pass(const Pass&) = delete;
        Pass& operator=(const Pass&) = delete;

    private:
        RunGate& m_gate;
        std::size_t m_need; // bytes; of the first run: fed
        bool m_isFirst;
    };

    /// Waits for its turn.
    [[nodiscard]] Pass enter(std::span<const HostTensor> feeds);

private:
    class Watch;

    void leave(std::size_t need, bool isFirst);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::unique_ptr<Watch> m_watch; // of the first run
    bool m_hasStarted = false;
    bool m_isMeasured = false;
    double m_perFedByte = 0; // bytes a run needs
    std::size_t m_atWork = 0; // bytes
    std::size_t m_largest = 0; // bytes
};

} // namespace duo
