// SPDX-License-Identifier: Apache-2.0
#include "views/rules/proposal_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QRadioButton>

#include <utility>

namespace duo::ui {
namespace {

constexpr int kSide = 10; // px beside the text
constexpr int kEffectIndent = 24; // px; under the text of a choice

} // namespace

ProposalPanel::ProposalPanel(QWidget* parent)
    : QFrame(parent)
    , m_question(new QLabel(this))
    , m_choices(new QVBoxLayout)
    , m_group(new QButtonGroup(this))
    , m_apply(new QPushButton(this))
    , m_target(new QPushButton(tr("&Target"), this))
    , m_cancel(new QPushButton(tr("Cancel"), this))
{
    setObjectName(QStringLiteral("proposalPanel"));
    setAccessibleName(tr("Proposals"));
    setFrameShape(QFrame::StyledPanel);
    m_question->setObjectName(QStringLiteral("proposalQuestion"));
    m_question->setWordWrap(true);
    m_apply->setObjectName(QStringLiteral("proposalApply"));
    m_target->setObjectName(QStringLiteral("proposalTarget"));
    m_cancel->setObjectName(QStringLiteral("proposalCancel"));
    for (QPushButton* button : {m_apply, m_target, m_cancel})
        button->setAutoDefault(true); // Enter presses the one that has the focus
    m_choices->setSpacing(2);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_apply);
    buttons->addWidget(m_target);
    buttons->addWidget(m_cancel);
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kSide, 8, kSide, 8);
    layout->addWidget(m_question);
    layout->addLayout(m_choices);
    layout->addLayout(buttons);
    connect(m_apply, &QPushButton::clicked, this, [this] { accept(false); });
    connect(m_target, &QPushButton::clicked, this, [this] { accept(true); });
    connect(m_cancel, &QPushButton::clicked, this, &ProposalPanel::dismiss);
    connect(m_group, &QButtonGroup::idToggled, this, [this](int, bool isChecked) {
        if (const Proposal* proposal = isChecked ? chosen() : nullptr)
            Q_EMIT previewed(proposal->nodes);
    });
    setBackgroundRole(QPalette::AlternateBase);
    setAutoFillBackground(true);
    hide();
}

void ProposalPanel::offer(Proposals proposals)
{
    m_proposals = std::move(proposals);
    m_question->setText(m_proposals.question);
    showChoices();
    if (!isOffering()) {
        hide();
        Q_EMIT previewed({});
        return;
    }
    const bool hasTarget = m_proposals.choices.front().afterAsTarget.has_value();
    m_apply->setText(hasTarget ? tr("&Ignore") : tr("&Apply"));
    m_target->setVisible(hasTarget);
    show();
    m_group->button(0)->setChecked(true);
    m_group->button(0)->setFocus(Qt::OtherFocusReason);
}

void ProposalPanel::showChoices()
{
    for (QAbstractButton* button : m_group->buttons()) {
        m_group->removeButton(button);
        delete button;
    }
    for (QLabel* effect : std::exchange(m_effects, {}))
        delete effect;
    for (std::size_t i = 0; i < m_proposals.choices.size(); ++i) {
        const Proposal& proposal = m_proposals.choices[i];
        auto* button = new QRadioButton(this);
        button->setToolTip(proposal.title);
        button->setAccessibleName(tr("%1, %2").arg(proposal.title, proposal.effect));
        button->setObjectName(QStringLiteral("proposal%1").arg(i));
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // a long pattern must not widen the window
        m_group->addButton(button, static_cast<int>(i));
        m_choices->addWidget(button);
        auto* effect = new QLabel(proposal.effect, this);
        effect->setObjectName(QStringLiteral("proposalEffect%1").arg(i));
        effect->setWordWrap(true);
        effect->setIndent(kEffectIndent);
        m_choices->addWidget(effect);
        m_effects.push_back(effect);
    }
    showTitles();
}

/// As much of each title as fits; the tool tip has the rest.
void ProposalPanel::showTitles()
{
    const int room = width() - kEffectIndent - 2 * kSide;
    for (QAbstractButton* button : m_group->buttons()) {
        const QString& title = m_proposals.choices[static_cast<std::size_t>(m_group->id(button))].title;
        QString text = fontMetrics().elidedText(title, Qt::ElideMiddle, room);
        button->setText(text.replace(QLatin1Char('&'), QLatin1String("&&")));
    }
}

void ProposalPanel::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    if (isOffering())
        showTitles();
}

const Proposal* ProposalPanel::chosen() const
{
    const int id = m_group->checkedId();
    return id < 0 || id >= static_cast<int>(m_proposals.choices.size())
        ? nullptr
        : &m_proposals.choices[static_cast<std::size_t>(id)];
}

void ProposalPanel::accept(bool asTarget)
{
    const Proposal* proposal = chosen();
    if (proposal == nullptr || (asTarget && !proposal->afterAsTarget))
        return;
    const RuleSet rules = asTarget ? *proposal->afterAsTarget : proposal->after;
    const QString text = asTarget ? proposal->undoTextAsTarget : proposal->undoText;
    dismiss();
    Q_EMIT accepted(rules, text);
}

void ProposalPanel::dismiss()
{
    if (!isOffering())
        return;
    m_proposals = {};
    hide();
    Q_EMIT previewed({});
}

void ProposalPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        accept(false);
    else if (event->key() == Qt::Key_Escape)
        dismiss();
    else
        QFrame::keyPressEvent(event);
}

} // namespace duo::ui
