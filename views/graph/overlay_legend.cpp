// SPDX-License-Identifier: Apache-2.0
#include "views/graph/overlay_legend.h"

#include "core/graph/overlay_colours.h"
#include "core/report/overlay_values.h"
#include "views/style/format.h"
#include "views/style/overlay_shade.h"

#include <QEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace duo::ui {
namespace {

QString needText(OverlayNeed need)
{
    switch (need) {
    case OverlayNeed::Nothing:
        return {};
    case OverlayNeed::Placement:
        return OverlayLegend::tr("This model cannot be quantized.");
    case OverlayNeed::Statistics:
        return OverlayLegend::tr("Not measured yet: it takes statistics of the model as it is.");
    case OverlayNeed::Sensitivity:
    case OverlayNeed::Times:
    case OverlayNeed::Halving:
        return OverlayLegend::tr("Not measured yet.");
    case OverlayNeed::Comparison:
        return OverlayLegend::tr("Nothing was compared yet: a state, a recipe, a quantized model, or two runs.");
    }
    return {};
}

QString rowText(const Shade& shade, const QString& meaning, std::int64_t nodes)
{
    return QStringLiteral("<tr><td bgcolor='%1' style='color:%2'>&nbsp;■&nbsp;</td><td>&nbsp;%3</td>"
                          "<td align='right'>&nbsp;&nbsp;%4</td></tr>")
        .arg(shade.fill.name(), shade.border.name(), meaning.toHtmlEscaped(), countText(nodes));
}

} // namespace

OverlayLegend::OverlayLegend(QWidget* parent)
    : QFrame(parent)
    , m_title(new QToolButton(this))
    , m_rows(new QLabel(this))
    , m_measure(new QPushButton(tr("Measure"), this))
{
    setObjectName(QStringLiteral("overlayLegend"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_title->setObjectName(QStringLiteral("overlayTitle"));
    m_title->setAutoRaise(true);
    m_title->setCheckable(true);
    m_title->setChecked(true);
    m_title->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_rows->setObjectName(QStringLiteral("overlayRows"));
    m_rows->setTextFormat(Qt::RichText);
    m_measure->setObjectName(QStringLiteral("overlayMeasure"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 4, 6, 6);
    column->setSpacing(2);
    column->addWidget(m_title, 0, Qt::AlignLeft);
    column->addWidget(m_rows);
    column->addWidget(m_measure, 0, Qt::AlignLeft);
    connect(m_title, &QToolButton::toggled, this, &OverlayLegend::describe);
    connect(m_measure, &QPushButton::clicked, this, [this] { Q_EMIT measureRequested(m_overlay->kind); });
    hide();
}

void OverlayLegend::setOverlay(std::shared_ptr<const ShownOverlay> overlay, bool isOfPicture)
{
    m_overlay = std::move(overlay);
    m_isOfPicture = isOfPicture;
    setVisible(m_overlay != nullptr);
    if (m_overlay)
        describe();
}

QString OverlayLegend::rowsText() const
{
    const Theme& theme = themeFor(palette());
    const Overlay& overlay = *m_overlay->values;
    QString rows = QStringLiteral("<tr><td></td><td></td><td align='right' style='color:%1'>%2</td></tr>")
                       .arg(theme.muted.name(), tr("nodes")); // closed boxes have the colour of all that is in them
    for (const LegendRow& row : legendOf(overlay)) {
        const Shade& shade = row.step ? overlayShade(theme, overlay, *row.step) : noValueShade(theme);
        rows += rowText(shade, toQt(row.text), row.nodes);
    }
    if (overlay.unit == OverlayUnit::Category && m_overlay->hasColumn())
        rows += QStringLiteral("<tr><td>&nbsp;▨&nbsp;</td><td>&nbsp;%1</td></tr>").arg(tr("several in one box"));
    return QStringLiteral("<table cellspacing='1'>%1</table>").arg(rows);
}

void OverlayLegend::describe()
{
    const bool isOpen = m_title->isChecked();
    const QString title = toQt(overlayTitle(m_overlay->kind));
    m_title->setText((isOpen ? QStringLiteral("▾ ") : QStringLiteral("▸ ")) + title);
    m_title->setAccessibleName(title);
    setToolTip(m_overlay->values ? toQt(m_overlay->values->about) : title);
    const OverlayNeed need = overlayNeed(m_overlay->kind);
    m_rows->setText(!m_isOfPicture ? tr("These values are not of what is run: boxes show what kernels compute on.")
            : m_overlay->values    ? rowsText()
                                   : needText(need));
    m_rows->setVisible(isOpen);
    m_measure->setText(need == OverlayNeed::Comparison ? tr("Compare…") : tr("Measure"));
    m_measure->setVisible(isOpen && m_isOfPicture && !m_overlay->values && need != OverlayNeed::Placement);
    adjustSize();
    Q_EMIT resized();
}

void OverlayLegend::fitInto(int width)
{
    const bool isSentence = m_overlay && (!m_isOfPicture || !m_overlay->values);
    const QMargins around = layout()->contentsMargins();
    setMaximumWidth(width);
    const int room = width - around.left() - around.right() - 2 * frameWidth();
    m_rows->setWordWrap(false);
    m_rows->setMinimumSize(0, 0);
    m_rows->setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX);
    if (isSentence && m_rows->sizeHint().width() > room) {
        m_rows->setWordWrap(true);
        m_rows->setFixedSize(room, m_rows->heightForWidth(room));
    }
    adjustSize();
}

/// The frame of the style is hardly seen on dark ground.
void OverlayLegend::paintEvent(QPaintEvent* event)
{
    QFrame::paintEvent(event);
    QPainter painter(this);
    painter.setPen(themeFor(palette()).frame.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void OverlayLegend::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_overlay)
        describe();
}

} // namespace duo::ui
