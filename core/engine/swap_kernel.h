// SPDX-License-Identifier: Apache-2.0
// The operator that passes on what it is given to, or what somebody puts in its place, while the engine runs.
#pragma once

#include "core/engine/run_watchers.h"
#include "core/engine/session.h"

#include <memory>

namespace duo {

using SwapWatchers = RunWatchers<SwapVisitor>;

/// The operator registered with the engine; lives longer than the sessions that use it.
class SwapOperators
{
public:
    explicit SwapOperators(SwapWatchers& watchers);
    ~SwapOperators();
    SwapOperators(const SwapOperators&) = delete;
    SwapOperators& operator=(const SwapOperators&) = delete;
    [[nodiscard]] void* domain() const; // an OrtCustomOpDomain*

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace duo
