// SPDX-License-Identifier: Apache-2.0
// The operator that shows values while the engine runs, and who watches them.
#pragma once

#include "core/engine/run_watchers.h"
#include "core/engine/session.h"

#include <functional>
#include <memory>

namespace duo {

using TapVisitor = std::function<void(std::size_t, const TensorView&)>;
using TapWatchers = RunWatchers<TapVisitor>;

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
