// SPDX-License-Identifier: Apache-2.0
#include "views/graph/selection_bar.h"

#include "views/style/format.h"
#include "views/style/scope_text.h"

#include <utility>

namespace duo::ui {
namespace {

constexpr int kNameLetters = 28; // of what is selected

} // namespace

SelectionBar::SelectionBar(QWidget* parent)
    : QFrame(parent)
    , m_count(new QLabel(this))
    , m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("selectionBar"));
    setAccessibleName(tr("What to do with the selection"));
    setFrameShape(QFrame::StyledPanel);
    setBackgroundRole(QPalette::Window);
    setAutoFillBackground(true);
    setCursor(Qt::ArrowCursor);
    m_count->setObjectName(QStringLiteral("selectionCount"));
    m_grid->setContentsMargins(8, 3, 4, 3);
    m_grid->setSpacing(2);
    using Verb = RuleIntent::Verb;
    addVerb(Verb::Ignore, tr("Ignore"), QStringLiteral("barIgnore"), tr("Keep it in float (I)"));
    addVerb(Verb::Target, tr("Target"), QStringLiteral("barTarget"), tr("Quantize it and other targets only (T)"));
    addVerb(Verb::AsSubgraph, tr("As subgraph…"), QStringLiteral("barSubgraph"),
        tr("One rule for it and everything between its ends; shown before it is made"));
    addVerb(Verb::MakePattern, tr("Make pattern…"), QStringLiteral("barPattern"),
        tr("One rule for names like these; shown before it is made"));
    arrange(0);
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
    m_verbs.push_back(button);
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
    m_path.clear();
    if (m_selection.scope) {
        m_path = scopeLabel(treeOf(*m_scopes, m_selection.scope->tree).scope(m_selection.scope->scope).path);
        if (m_path.size() > kNameLetters)
            m_path = QStringLiteral("…") + m_path.right(kNameLetters - 1);
    }
    m_count->setToolTip(textIn(QWIDGETSIZE_MAX));
    fitInto(QWIDGETSIZE_MAX);
}

/// How many there are is never cut, what they are of loses its middle.
QString SelectionBar::textIn(int room) const
{
    const QString nodes = nodesText(static_cast<std::int64_t>(m_selection.nodes.size()));
    const QString between = QStringLiteral(": ");
    const QString path
        = fontMetrics().elidedText(m_path, Qt::ElideMiddle, room - fontMetrics().horizontalAdvance(between + nodes));
    return path.isEmpty() || path == QStringLiteral("…") ? nodes : path + between + nodes;
}

void SelectionBar::arrange(int columns)
{
    m_grid->addWidget(m_count, 0, 0, 1, columns == 0 ? 1 : columns);
    for (int i = 0; i < static_cast<int>(m_verbs.size()); ++i)
        m_grid->addWidget(m_verbs[static_cast<std::size_t>(i)], columns == 0 ? 0 : 1 + i / columns,
            columns == 0 ? i + 1 : i % columns);
}

void SelectionBar::fitInto(int width)
{
    for (const int columns : {0, static_cast<int>(m_verbs.size()), 2, 1}) {
        arrange(columns);
        m_count->setText(textIn(QWIDGETSIZE_MAX));
        if (columns > 0) { // the verbs make the width, the text fits into it
            m_count->setText({});
            const QMargins around = m_grid->contentsMargins();
            const int room = m_grid->sizeHint().width() - around.left() - around.right();
            m_count->setText(textIn(room));
        }
        if (m_grid->sizeHint().width() + 2 * frameWidth() <= width)
            break;
    }
    adjustSize();
}

} // namespace duo::ui
