// SPDX-License-Identifier: Apache-2.0
#include "views/graph/breadcrumb.h"

#include "views/style/format.h"

#include <QEvent>
#include <QStringList>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr double kLeastShare = 0.5; // of what is in sight, in width or in height: boxes may be flat

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
        if (hasInside && isIn && frame.contains(seen.center())
            && (part.width() >= kLeastShare * seen.width() || part.height() >= kLeastShare * seen.height()))
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

void Breadcrumb::setBoxes(const Picture& picture, const std::vector<int>& boxes, int room)
{
    const auto width = [this](const QString& words) { return fontMetrics().horizontalAdvance(words); };
    const QString model = tr("Model");
    const QString between = QStringLiteral(" › ");
    const QString leftOut = QStringLiteral("…") + between;
    int left = room - 2 * margin() - width(model) - width(leftOut);
    QStringList links; // from the innermost on
    QStringList titles; // their words
    for (auto box = boxes.rbegin(); box != boxes.rend(); ++box) {
        const QString title = toQt(picture.graph.boxes[static_cast<std::size_t>(*box)].title);
        left -= width(between);
        const bool fits = width(title) <= left;
        if (!fits && !links.isEmpty())
            break;
        const QString shown = fits ? title : fontMetrics().elidedText(title, Qt::ElideMiddle, std::max(left, 0));
        links.prepend(link(*box, shown));
        titles.prepend(shown);
        left -= width(shown);
    }
    const bool isWhole = static_cast<std::size_t>(links.size()) == boxes.size();
    const QString start = between + (isWhole ? QString() : leftOut);
    const QString text = link(Picture::kNoBox, model) + start + links.join(between);
    if (text != this->text())
        setText(text);
    const bool fits = width(model + start + titles.join(between)) + 2 * margin() <= room; // else it would cut others
    setVisible(!boxes.empty() && fits);
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
