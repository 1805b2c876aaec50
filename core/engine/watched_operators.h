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
