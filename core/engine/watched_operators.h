// SPDX-License-Identifier: Apache-2.0
// Our operators in the engine and who watches them: a tap shows what passes, a swap passes on what it is given to, or
// what somebody puts in its place.
#pragma once

#include "core/engine/run_watchers.h"
#include "core/engine/session.h"

#include <functional>
#include <memory>

namespace duo {

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
