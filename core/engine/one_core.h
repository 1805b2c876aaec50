// SPDX-License-Identifier: Apache-2.0
// OnCore: a thread that stays on one core while two processes work in turns on the same values.
#pragma once

#include <optional>
#include <set>

#include <sched.h>

namespace duo {

inline constexpr int kAnyCore = -1;

/// The core that the calling thread runs on, or where that is taken another one on which it may run; kAnyCore where
/// there is none, or the system does not tell.
int freeCore(const std::set<int>& taken);

/// Keeps the calling thread on a core while it lives. Does nothing where it may not run there.
class OnCore
{
public:
    /// @param core as freeCore() gives it
    explicit OnCore(int core);
    ~OnCore();
    OnCore(const OnCore&) = delete;
    OnCore& operator=(const OnCore&) = delete;

private:
    std::optional<cpu_set_t> m_before; // nothing: it was not moved
};

} // namespace duo
