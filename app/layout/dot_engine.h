// SPDX-License-Identifier: Apache-2.0
// DotEngine: a layout request answered by Graphviz' dot. The one place where units and the direction of y change.
#pragma once

#include "app/layout/graphviz.h"
#include "core/graph/layout/layout.h"
#include "core/support/result.h"

namespace duo {

class DotEngine
{
public:
    DotEngine();

    /// Time is not bounded: network simplex takes what it takes; whoever waits kills the process.
    /// @return EngineFailed with Graphviz' message
    Result<LayoutResult> layout(const LayoutInput& input);

private:
    Context m_context;
};

} // namespace duo
