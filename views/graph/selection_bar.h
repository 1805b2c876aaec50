// SPDX-License-Identifier: Apache-2.0
// SelectionBar: what can be done with the selection, floating over the graph, one click each.
#pragma once

#include "core/model/model.h"
#include "views/intent/rule_intent.h"

#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QToolButton>

#include <memory>
#include <vector>

namespace duo::ui {

class SelectionBar : public QFrame
{
    Q_OBJECT

public:
    explicit SelectionBar(QWidget* parent = nullptr);
    /// Hidden for an empty selection. `scopes` and `model` are those of the selection; kept until the next call.
    void setSelection(
        const Selection& selection, std::shared_ptr<const Model> model, std::shared_ptr<const Scopes> scopes);
    /// Takes the room it needs, but is at most this wide (px) where that is possible: the verbs go under what is
    /// selected, then stand in rows.
    void fitInto(int width);

Q_SIGNALS:
    void rulesIntended(const duo::ui::RuleIntent& intent);

private:
    void addVerb(RuleIntent::Verb verb, const QString& text, const QString& name, const QString& tip);
    [[nodiscard]] QString textIn(int room) const; // px
    void arrange(int columns); // of verbs; 0: all beside what is selected

    Selection m_selection;
    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Scopes> m_scopes;
    QString m_path; // of the scope that is selected; "": nodes are
    QLabel* m_count;
    std::vector<QToolButton*> m_verbs;
    QGridLayout* m_grid;
};

} // namespace duo::ui
