// SPDX-License-Identifier: Apache-2.0
#include "views/shell/status_strip.h"

#include "core/model/held_tensors.h"
#include "core/support/phrases.h"
#include "views/style/format.h"
#include "views/style/state_style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kProgressWidth = 200;
constexpr std::int64_t kSteps = 1000; // of the bar: counts may exceed int

/// A line that gives way: what does not fit ends in "…" and is whole in the tool tip. Long messages must neither widen
/// the window nor push what stands beside them out of it.
class YieldingLabel : public QLabel
{
public:
    using QLabel::QLabel;

    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }

protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ToolTip)
            setToolTip(isCut() ? text() : QString());
        return QLabel::event(event);
    }

    void paintEvent(QPaintEvent* event) override
    {
        if (!isCut()) {
            QLabel::paintEvent(event);
            return;
        }
        QPainter painter(this);
        style()->drawItemText(&painter, contentsRect(), Qt::AlignLeft | Qt::AlignVCenter, palette(), isEnabled(),
            fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()), foregroundRole());
    }

private:
    [[nodiscard]] bool isCut() const { return fontMetrics().horizontalAdvance(text()) > contentsRect().width(); }
};

} // namespace

QString countsText(const Snapshot& snapshot)
{
    const std::size_t nodes = snapshot.model->nodes.size();
    const std::size_t inFile = snapshot.opened ? snapshot.opened->model->nodes.size() : nodes;
    QStringList parts = {nodesText(static_cast<std::int64_t>(nodes))};
    if (inFile != nodes)
        parts.first() += QStringLiteral(" (%1 in the file)").arg(countText(static_cast<std::int64_t>(inFile)));
    if (!snapshot.placement)
        return parts.first();
    StateCounts counts;
    std::int64_t constants = 0; // no scope has them, and nothing becomes of them
    for (std::size_t i = 0; i < nodes; ++i) {
        if (isConstantNode(snapshot.model->nodes[i]))
            ++constants;
        else
            counts.add(snapshot.placement->decisions[i]);
    }
    parts += QStringLiteral("%1 quantized").arg(countText(counts.quantized));
    if (counts.ofFile > 0 && counts.ofFile < counts.quantized)
        parts.last() += QStringLiteral(" (%1 in the file)").arg(countText(counts.ofFile));
    if (counts.fused > 0)
        parts += QStringLiteral("%1 fused").arg(countText(counts.fused));
    const auto& rules = snapshot.recipe.rules.rules;
    const auto enabled = std::count_if(rules.begin(), rules.end(), [](const Rule& rule) { return rule.enabled; });
    QString ignored = QStringLiteral("%1 ignored").arg(countText(counts.ignored));
    if (enabled > 0)
        ignored += enabled == 1 ? QStringLiteral(" (1 rule)") : QStringLiteral(" (%1 rules)").arg(enabled);
    parts += ignored;
    if (counts.quantizers > 0)
        parts += counts.quantizers == 1 ? QStringLiteral("1 quantizer node")
                                        : QStringLiteral("%1 quantizer nodes").arg(countText(counts.quantizers));
    parts += QStringLiteral("%1 float").arg(countText(counts.total - counts.quantized - counts.fused - counts.ignored));
    if (constants > 0)
        parts += toQt(counted(static_cast<std::size_t>(constants), "constant", "constants"));
    return parts.join(QStringLiteral("  |  "));
}

StatusStrip::StatusStrip(QWidget* parent)
    : QWidget(parent)
    , m_counts(new YieldingLabel(this))
    , m_outcome(new YieldingLabel(this))
    , m_job(new YieldingLabel(this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QToolButton(this))
{
    setObjectName(QStringLiteral("statusStrip"));
    m_counts->setObjectName(QStringLiteral("statusCounts"));
    m_counts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_outcome->setObjectName(QStringLiteral("statusOutcome"));
    m_outcome->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_outcome->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // gives way before the counts do
    m_outcome->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setAccessibleName(tr("Progress of the running job"));
    m_progress->setFixedWidth(kProgressWidth);
    m_progress->setMaximumHeight(fontMetrics().height() + 2);
    m_stop->setObjectName(QStringLiteral("statusStop"));
    m_stop->setText(tr("Stop"));
    m_stop->setToolTip(tr("Stop the running job (Esc)"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 0, 6, 0);
    layout->addWidget(m_counts);
    layout->addWidget(m_outcome, 1);
    layout->addWidget(m_job);
    layout->addWidget(m_progress);
    layout->addWidget(m_stop);
    connect(m_stop, &QToolButton::clicked, this, &StatusStrip::stopRequested);
    setRunning({});
}

/// To count takes a pass over all nodes.
void StatusStrip::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot, bool isStale)
{
    if (std::exchange(m_snapshot, snapshot) != snapshot || !snapshot)
        m_countsText = snapshot ? countsText(*snapshot) : tr("No model");
    m_isStale = isStale;
    showText();
}

void StatusStrip::setOutcome(const QString& outcome)
{
    m_outcome->setText(outcome);
}

void StatusStrip::setMessage(const QString& message)
{
    m_message = message;
    showText();
}

void StatusStrip::showText()
{
    const QString stale = m_isStale ? tr("  |  rules changed since the last quantization") : QString();
    m_counts->setText(m_message.isEmpty() ? m_countsText + stale : m_message);
}

void StatusStrip::setRunning(const QString& what)
{
    const bool runs = !what.isEmpty();
    m_rate = {};
    m_job->setText(what);
    m_progress->setRange(0, 0);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_job, m_progress, m_stop})
        widget->setVisible(runs);
}

void StatusStrip::setProgress(const Progress& progress)
{
    m_rate.note(progress, ProgressRate::Clock::now());
    QString stage = toQt(progress.stage);
    if (!stage.isEmpty())
        stage[0] = stage[0].toUpper();
    if (progress.total <= 0) {
        m_progress->setRange(0, 0);
        m_job->setText(stage);
        return;
    }
    m_progress->setRange(0, static_cast<int>(kSteps));
    m_progress->setValue(static_cast<int>(
        static_cast<double>(kSteps) * static_cast<double>(progress.done) / static_cast<double>(progress.total)));
    QString text = QStringLiteral("%1 %2/%3").arg(stage, countText(progress.done), countText(progress.total));
    if (const QString speed = toQt(m_rate.text()); !speed.isEmpty())
        text += QStringLiteral(", ") + speed;
    m_job->setText(text);
}

} // namespace duo::ui
