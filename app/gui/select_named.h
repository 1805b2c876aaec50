// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/session.h"
#include "views/intent/board.h"

#include <QString>

namespace duo::app {

/// Selects a node of the open model by its name, in all panes; where there is none of that name, says so.
void selectNamed(const Session& session, ui::Board& board, const QString& node);

} // namespace duo::app
