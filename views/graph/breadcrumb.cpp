// SPDX-License-Identifier: Apache-2.0
#include "views/graph/breadcrumb.h"

#include "views/style/format.h"

#include <QEvent>
#include <QStringList>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr double kLeastShare = 0.5; // of what is in sight, in width and in height

QString link(int box, const QString& text)
{
    return QStringLiteral("<a href=\"%1\">%2</a>").arg(box).arg(text.toHtmlEscaped());
}

} // namespace

std::vector<int> boxesAround(const Picture& picture, const QRectF& seen)
{
    std::vector<int> boxes;
    for (std::size_t i = 0; i < picture.graph.boxes.size(); ++i) { // parents come first
        const ViewBox& box = picture.graph.boxes[i];
        const QRectF frame = picture.frame(static_cast<int>(i));
        const QRectF part = frame.intersected(seen);
        const bool hasInside = box.open || (!box.key.empty() && picture.inside.contains(box.key));
        const bool isIn = box.parent < 0 ? boxes.empty() : !boxes.empty() && boxes.back() == box.parent;
        if (hasInside && isIn && frame.contains(seen.center()) && part.width() >= kLeastShare * seen.width()
            && part.height() >= kLeastShare * seen.height())
            boxes.push_back(static_cast<int>(i));
    }
    return boxes;
}

Breadcrumb::Breadcrumb(QWidget* parent)
    : QLabel(parent)
{
    setObjectName(QStringLiteral("breadcrumb"));
    setAccessibleName(tr("Where in the graph"));
    setTextFormat(Qt::RichText);
    setAutoFillBackground(true);
    setMargin(4);
    connect(this, &QLabel::linkActivated, this, [this](const QString& box) { Q_EMIT wanted(box.toInt()); });
    hide();
}

void Breadcrumb::setBoxes(const Picture& picture, const std::vector<int>& boxes)
{
    QStringList links{link(Picture::kNoBox, tr("Model"))};
    for (const int box : boxes)
        links += link(box, toQt(picture.graph.boxes[static_cast<std::size_t>(box)].title));
    const QString text = links.join(QStringLiteral(" › "));
    if (text != this->text()) {
        setText(text);
        adjustSize();
    }
    setVisible(!boxes.empty());
}

void Breadcrumb::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || text().isEmpty())
        return;
    const QString links = text(); // they have the colour that links had when they were set
    setText({});
    setText(links);
}

} // namespace duo::ui
