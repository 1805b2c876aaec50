// SPDX-License-Identifier: Apache-2.0
#include "views/style/themed_icon.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace duo::ui {
namespace {

/// The files draw in "currentColor", which Qt's own icons of SVG files leave black.
QPixmap render(QByteArray svg, const QColor& color, int pixels)
{
    svg.replace("currentColor", color.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    return pixmap;
}

} // namespace

QIcon themedIcon(const QString& name, const QPalette& palette)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    QIcon icon;
    for (const int pixels : {16, 20, 24, 32, 48}) {
        icon.addPixmap(render(svg, palette.color(QPalette::Active, QPalette::ButtonText), pixels), QIcon::Normal);
        icon.addPixmap(render(svg, palette.color(QPalette::Disabled, QPalette::ButtonText), pixels), QIcon::Disabled);
    }
    return icon;
}

} // namespace duo::ui
