// SPDX-License-Identifier: Apache-2.0
// RunWatchers: who looks into a run. A run with one thread computes all its nodes on the thread that started it, so the
// thread says which run an operator of ours belongs to.
#pragma once

#include <map>
#include <mutex>
#include <thread>

namespace duo {

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

} // namespace duo
