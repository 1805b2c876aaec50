// SPDX-License-Identifier: Apache-2.0
// MainWindow: models dropped onto it.
#include "app/gui/main_window.h"

#include <QDropEvent>
#include <QMimeData>

namespace duo::app {

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty())
        openModel(urls.first().toLocalFile());
}

} // namespace duo::app
