// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/value_meeting.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace duo {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{50}; // at whether to stop

ValueMeeting::Side otherThan(ValueMeeting::Side side)
{
    return side == ValueMeeting::Side::A ? ValueMeeting::Side::B : ValueMeeting::Side::A;
}

std::size_t indexOf(ValueMeeting::Side side)
{
    return side == ValueMeeting::Side::A ? 0 : 1;
}

} // namespace

ValueMeeting::ValueMeeting(std::size_t values, std::int64_t mostBytes, const JobContext& job)
    : m_mostBytes(mostBytes)
    , m_job(job)
    , m_states(values, State::Open)
    , m_waiting(values)
    , m_errors(values)
{
}

bool ValueMeeting::startRound()
{
    m_runs = {};
    if (std::exchange(m_isFirstRound, false))
        return !m_states.empty();
    bool isAnyLeft = false;
    for (State& state : m_states) {
        isAnyLeft = isAnyLeft || state == State::PutOff;
        if (state != State::Met)
            state = state == State::PutOff ? State::Open : State::Missed;
    }
    m_waiting.assign(m_states.size(), {});
    m_bytes = 0;
    return isAnyLeft;
}

void ValueMeeting::visit(Side side, std::size_t index, const TensorView& view)
{
    std::unique_lock lock(m_mutex);
    const auto bytes = static_cast<std::int64_t>(view.bytes.size());
    if (m_states[index] == State::Open && !hasRoom(lock, side, index, bytes))
        m_states[index] = State::PutOff;
    if (m_states[index] == State::Open) {
        m_states[index] = State::Waiting;
        m_waiting[index] = {view.name, view.type, view.dims, {view.bytes.begin(), view.bytes.end()}};
        m_bytes += bytes;
    } else if (m_states[index] == State::Waiting) {
        const HostTensor other = std::exchange(m_waiting[index], {});
        m_states[index] = State::Met;
        m_bytes -= static_cast<std::int64_t>(other.bytes.size());
        lock.unlock();
        m_errors[index] = side == Side::A ? pairError(view, viewOf(other)) : pairError(viewOf(other), view);
    }
    m_changed.notify_all();
}

/// Waits for it. @return false where it will not come to that in this round
bool ValueMeeting::hasRoom(std::unique_lock<std::mutex>& lock, Side side, std::size_t index, std::int64_t bytes)
{
    Run& own = m_runs.at(indexOf(side));
    const Run& other = m_runs.at(indexOf(otherThan(side)));
    while (true) {
        if (m_states[index] != State::Open)
            return m_states[index] == State::Waiting;
        if (m_bytes == 0 || m_bytes + bytes <= m_mostBytes || other.waitsWith == index)
            return true;
        const bool bothWait = other.waitsWith && m_states[*other.waitsWith] == State::Open;
        if (other.hasLeft || bothWait || m_job.stopped())
            return false;
        own.waitsWith = index;
        m_changed.wait_for(lock, kBetweenLooks);
        own.waitsWith.reset();
    }
}

void ValueMeeting::leave(Side side)
{
    {
        const std::scoped_lock lock(m_mutex);
        m_runs.at(indexOf(side)).hasLeft = true;
    }
    m_changed.notify_all();
}

std::vector<PairError> ValueMeeting::errors() &&
{
    for (std::size_t i = 0; i < m_states.size(); ++i) {
        if (m_states[i] == State::Missed)
            m_errors[i].sameShape = false;
    }
    return std::move(m_errors);
}

} // namespace duo
