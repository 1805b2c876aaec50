// SPDX-License-Identifier: Apache-2.0
// Our operators in the engine and who watches them: a tap shows what passes, a swap passes on what it is given to, or
// what somebody puts in its place.
#pragma once

#include "core/engine/session.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace duo {

/// Who looks into a run. A run with one thread computes all its nodes on the thread that started it, so the thread says
/// which run an operator of ours belongs to.
template <typename Visitor> class RunWatchers
{
public:
    /// Looks into the calling thread's run while it lives.
    class Watch
    {
    public:
        Watch(RunWatchers& watchers, const Visitor& visitor)
            : m_watchers(watchers)
        {
            const std::lock_guard lock(watchers.m_mutex);
            watchers.m_visitors[std::this_thread::get_id()] = &visitor;
        }
        ~Watch()
        {
            const std::lock_guard lock(m_watchers.m_mutex);
            m_watchers.m_visitors.erase(std::this_thread::get_id());
        }
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        RunWatchers& m_watchers;
    };

    [[nodiscard]] const Visitor* current() const // null: nobody looks into this thread's run
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_visitors.find(std::this_thread::get_id());
        return found == m_visitors.end() ? nullptr : found->second;
    }

private:
    mutable std::mutex m_mutex;
    std::map<std::thread::id, const Visitor*> m_visitors;
};

using TapVisitor = std::function<void(std::size_t, const TensorView&)>;
using TapWatchers = RunWatchers<TapVisitor>;
using SwapWatchers = RunWatchers<SwapVisitor>;

/// An operator registered with the engine; lives longer than the sessions that use it.
template <typename Watchers> class WatchedOperators
{
public:
    explicit WatchedOperators(Watchers& watchers);
    ~WatchedOperators();
    WatchedOperators(const WatchedOperators&) = delete;
    WatchedOperators& operator=(const WatchedOperators&) = delete;
    [[nodiscard]] void* domain() const; // an OrtCustomOpDomain*

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

using TapOperators = WatchedOperators<TapWatchers>;
using SwapOperators = WatchedOperators<SwapWatchers>;

} // namespace duo
