// SPDX-License-Identifier: Apache-2.0
#include "app/gui/select_named.h"

#include "views/style/format.h"

namespace duo::app {

void selectNamed(const Session& session, ui::Board& board, const QString& node)
{
    const auto snapshot = session.snapshot();
    const NodeId id = snapshot ? snapshot->model->findNode(ui::toStd(node)) : NodeId();
    if (id.valid())
        Q_EMIT board.selected(ui::selectNode(id));
    else
        Q_EMIT board.said(QObject::tr("The open model has no node %1").arg(node));
}

} // namespace duo::app
