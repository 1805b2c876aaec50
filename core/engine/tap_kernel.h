// SPDX-License-Identifier: Apache-2.0
// TapWatchers: who watches the taps of a run. A run with one thread computes all its nodes on the thread that started
// it, so the thread says which run a tap belongs to.
#pragma once

#include "core/engine/session.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

namespace duo {

using TapVisitor = std::function<void(std::size_t, const TensorView&)>;

class TapWatchers
{
public:
    /// Watches the calling thread's run while it lives.
    class Watch
    {
    public:
        Watch(TapWatchers& watchers, const TapVisitor& visitor);
        ~Watch();
        Watch(const Watch&) = delete;
        Watch& operator=(const Watch&) = delete;

    private:
        TapWatchers& m_watchers;
    };
    [[nodiscard]] const TapVisitor* current() const; // null: nobody watches this thread

private:
    mutable std::mutex m_mutex;
    std::map<std::thread::id, const TapVisitor*> m_visitors;
};

/// The operator registered with the engine; lives longer than the sessions that use it.
class TapOperators
{
public:
    explicit TapOperators(TapWatchers& watchers);
    ~TapOperators();
    TapOperators(const TapOperators&) = delete;
    TapOperators& operator=(const TapOperators&) = delete;
    [[nodiscard]] void* domain() const; // an OrtCustomOpDomain*

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace duo
