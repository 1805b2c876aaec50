// SPDX-License-Identifier: Apache-2.0
// The docks of the window, in the order of the View menu: the n-th is shown and hidden by Alt+n.
#pragma once

#include "views/intent/pane.h"

#include <vector>

namespace duo::app {

/// Of those in one area the first stands in front, the others are tabs behind it.
std::vector<ui::Pane> allPanes();

} // namespace duo::app
