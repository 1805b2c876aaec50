// SPDX-License-Identifier: Apache-2.0
// SelectionBar: what can be done with the selection, floating over the graph, one click each.
#pragma once

#include "core/model/model.h"
#include "views/intent/rule_intent.h"

#include <QFrame>
#include <QLabel>

#include <memory>

namespace duo::ui {

class SelectionBar : public QFrame
{
    Q_OBJECT

public:
    explicit SelectionBar(QWidget* parent = nullptr);
    /// Hidden for an empty selection. `scopes` and `model` are those of the selection; kept until the next call.
    void setSelection(
        const Selection& selection, std::shared_ptr<const Model> model, std::shared_ptr<const Scopes> scopes);

Q_SIGNALS:
    void rulesIntended(const duo::ui::RuleIntent& intent);

private:
    void addVerb(RuleIntent::Verb verb, const QString& text, const QString& name, const QString& tip);

    Selection m_selection;
    std::shared_ptr<const Model> m_model;
    std::shared_ptr<const Scopes> m_scopes;
    QLabel* m_count;
};

} // namespace duo::ui
