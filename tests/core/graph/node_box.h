// SPDX-License-Identifier: Apache-2.0
// A box of a node, for tests of what stands on boxes.
#pragma once

#include "core/graph/view_graph.h"

#include <string>

namespace duo::test {

/// @param around what the scope around it is called
inline ViewBox nodeBox(const std::string& type, const std::string& name, const std::string& around = {})
{
    ViewBox box;
    box.title = type;
    box.subtitle = name;
    box.around = around;
    return box;
}

} // namespace duo::test
