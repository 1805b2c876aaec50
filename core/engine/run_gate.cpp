// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run_gate.h"

#include "core/engine/engine_process.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace duo {
namespace {

constexpr std::size_t kAlways = std::size_t{100} << 20U; // of bytes at work

std::size_t fedBytes(std::span<const HostTensor> feeds)
{
    std::size_t bytes = 1;
    for (const HostTensor& feed : feeds)
        bytes += feed.bytes.size();
    return bytes;
}

} // namespace

/// Looks at what this program and the engine hold every millisecond.
class RunGate::Watch
{
public:
    Watch()
        : m_start(residentBytes())
        , m_most(m_start)
        , m_thread([this](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                m_most = std::max(m_most, residentBytes());
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            }
        })
    {
    }

    /// What it grew by at most.
    std::size_t finish()
    {
        m_thread.request_stop();
        m_thread.join();
        return std::max(m_most, residentBytes()) - m_start;
    }

private:
    std::size_t m_start;
    std::size_t m_most;
    std::jthread m_thread;
};

RunGate::RunGate() = default;
RunGate::~RunGate() = default;

RunGate::Pass::Pass(RunGate& gate, std::size_t need, bool isFirst)
    : m_gate(gate)
    , m_need(need)
    , m_isFirst(isFirst)
{
}

RunGate::Pass::~Pass()
{
    m_gate.leave(m_need, m_isFirst);
}

RunGate::Pass RunGate::enter(std::span<const HostTensor> feeds)
{
    const std::size_t fed = fedBytes(feeds);
    std::unique_lock lock(m_mutex);
    if (!m_hasStarted) {
        m_hasStarted = true;
        m_watch = std::make_unique<Watch>();
        return {*this, fed, true};
    }
    m_changed.wait(lock, [this] { return m_isMeasured; });
    const auto need = static_cast<std::size_t>(m_perFedByte * static_cast<double>(fed));
    m_largest = std::max(m_largest, need);
    m_changed.wait(lock, [&] { return m_atWork == 0 || m_atWork + need <= std::max(m_largest, kAlways); });
    m_atWork += need;
    return {*this, need, false};
}

void RunGate::leave(std::size_t need, bool isFirst)
{
    const std::lock_guard lock(m_mutex);
    if (isFirst) {
        m_largest = m_watch->finish();
        m_perFedByte = static_cast<double>(m_largest) / static_cast<double>(need);
        m_watch.reset();
        m_isMeasured = true;
    } else {
        m_atWork -= need;
    }
    m_changed.notify_all();
}

} // namespace duo
