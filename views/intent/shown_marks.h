// SPDX-License-Identifier: Apache-2.0
// ShownMarks: what marks come to, for trees and whoever shows it.
#pragma once

#include "core/marks/marked_modules.h"

#include <memory>

namespace duo::ui {

struct ShownMarks {
    std::shared_ptr<const MarkedModules> modules; // null: there are none, or they are still looked for
    bool isMarking = false; // a click marks
};

} // namespace duo::ui
