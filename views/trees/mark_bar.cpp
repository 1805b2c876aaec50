// SPDX-License-Identifier: Apache-2.0
#include "views/trees/mark_bar.h"

#include "core/report/annotate_report.h"
#include "views/style/format.h"

#include <QHBoxLayout>
#include <QMenu>

namespace duo::ui {
namespace {

/// What marks nothing, else what all marks come to.
QString textOf(const MarkedModules& modules)
{
    for (std::size_t i = 0; i < modules.marks.size(); ++i) {
        if (const auto problem = markProblemText(modules.marks[i], modules.marked.marks[i]); !problem.empty())
            return toQt(problem);
    }
    if (modules.marks.empty())
        return MarkBar::tr("Click on the box before a module to mark it and all below.");
    return MarkBar::tr("Marked: %1").arg(toQt(markCountsText(modules.marked.counts)));
}

} // namespace

MarkBar::MarkBar(QWidget* parent)
    : QWidget(parent)
    , m_counts(new QLabel(this))
    , m_more(new QToolButton(this))
{
    setObjectName(QStringLiteral("markBar"));
    m_counts->setObjectName(QStringLiteral("markCounts"));
    m_counts->setWordWrap(true);
    m_counts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_more->setObjectName(QStringLiteral("markMenuButton"));
    m_more->setText(tr("Marks"));
    m_more->setToolTip(tr("Make rules of marks and marks of rules, set what marks say, and take them to PyTorch"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(m_more);
    addMarkActions(*menu, [this](const MarkIntent& intent) { Q_EMIT intended(intent); });
    m_more->setMenu(menu);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_counts, 1);
    row->addWidget(m_more, 0, Qt::AlignTop);
    hide();
}

void MarkBar::setMarks(const ShownMarks& marks)
{
    setVisible(marks.isMarking);
    m_counts->setText(marks.modules ? textOf(*marks.modules) : QString());
    m_counts->setToolTip(marks.modules ? toQt(evidenceText(*marks.modules->tree)) : QString());
}

} // namespace duo::ui
