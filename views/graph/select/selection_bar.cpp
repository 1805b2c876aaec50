// SPDX-License-Identifier: Apache-2.0
#include "views/graph/select/selection_bar.h"

#include "views/style/format.h"
#include "views/style/scope_text.h"

#include <QHBoxLayout>
#include <QToolButton>

#include <utility>

namespace duo::ui {
namespace {

constexpr int kNameLetters = 28; // of what is selected

} // namespace

SelectionBar::SelectionBar(QWidget* parent)
    : QFrame(parent)
    , m_count(new QLabel(this))
{
    setObjectName(QStringLiteral("selectionBar"));
    setAccessibleName(tr("What to do with the selection"));
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Window);
    setAutoFillBackground(true);
    setCursor(Qt::ArrowCursor);
    m_count->setObjectName(QStringLiteral("selectionCount"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 3, 4, 3);
    layout->setSpacing(2);
    layout->addWidget(m_count);
    using Verb = RuleIntent::Verb;
    addVerb(Verb::Ignore, tr("Ignore"), QStringLiteral("barIgnore"), tr("Keep it in float (I)"));
    addVerb(Verb::Target, tr("Target"), QStringLiteral("barTarget"), tr("Quantize it and other targets only (T)"));
    addVerb(Verb::AsSubgraph, tr("As subgraph…"), QStringLiteral("barSubgraph"),
        tr("One rule for it and everything between its ends; shown before it is made"));
    addVerb(Verb::MakePattern, tr("Make pattern…"), QStringLiteral("barPattern"),
        tr("One rule for names like these; shown before it is made"));
    hide();
}

void SelectionBar::addVerb(RuleIntent::Verb verb, const QString& text, const QString& name, const QString& tip)
{
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus); // the keys of the graph go on working; each verb has a key or is in the menu
    layout()->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, verb] {
        const bool isAboutSubjects = verb == RuleIntent::Verb::Ignore || verb == RuleIntent::Verb::Target;
        Q_EMIT rulesIntended(
            {verb, isAboutSubjects ? subjectsOf(m_selection, *m_model, *m_scopes) : std::vector<RuleSubject>()});
    });
}

void SelectionBar::setSelection(
    const Selection& selection, std::shared_ptr<const Model> model, std::shared_ptr<const Scopes> scopes)
{
    m_selection = selection;
    m_model = std::move(model);
    m_scopes = std::move(scopes);
    // The picture may still be of other scopes than the selection.
    const bool isKnown = m_scopes
        && (!m_selection.scope
            || m_selection.scope->scope.index < treeOf(*m_scopes, m_selection.scope->tree).scopes.size());
    const bool isShown = m_model && isKnown && !m_selection.nodes.empty();
    setVisible(isShown);
    if (!isShown)
        return;
    QString text = nodesText(static_cast<std::int64_t>(m_selection.nodes.size()));
    if (m_selection.scope) {
        const QString path
            = scopeLabel(treeOf(*m_scopes, m_selection.scope->tree).scope(m_selection.scope->scope).path);
        text = QStringLiteral("%1: %2").arg(
            path.size() > kNameLetters ? QStringLiteral("…") + path.right(kNameLetters - 1) : path, text);
    }
    m_count->setText(text);
    adjustSize();
}

} // namespace duo::ui
