// SPDX-License-Identifier: Apache-2.0
// ProposalPanel: offers proposals beside the views that show their effect, and says which one was taken.
#pragma once

#include "views/rules/proposal.h"

#include <QButtonGroup>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <vector>

namespace duo::ui {

class ProposalPanel : public QFrame
{
    Q_OBJECT

public:
    explicit ProposalPanel(QWidget* parent = nullptr);

    /// Shows them with the first one chosen and takes the focus.
    void offer(Proposals proposals);
    void dismiss(); // nothing if nothing is offered
    [[nodiscard]] bool isOffering() const { return !m_proposals.choices.empty(); }
    [[nodiscard]] const Proposals& proposals() const { return m_proposals; }

Q_SIGNALS:
    void previewed(const std::vector<duo::NodeId>& nodes); // of the choice; none: nothing is offered any more
    void accepted(const duo::RuleSet& rules, const QString& undoText);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showChoices();
    void showTitles();
    void accept(bool asTarget);
    [[nodiscard]] const Proposal* chosen() const;

    Proposals m_proposals;
    QLabel* m_question;
    QVBoxLayout* m_choices;
    QButtonGroup* m_group;
    std::vector<QLabel*> m_effects; // under each choice
    QPushButton* m_apply;
    QPushButton* m_target;
    QPushButton* m_cancel;
};

} // namespace duo::ui
