// SPDX-License-Identifier: Apache-2.0
#include "views/find/find_bar.h"

#include "views/style/format.h"
#include "views/style/theme.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace duo::ui {

FindBar::FindBar(QWidget* parent)
    : QFrame(parent)
    , m_text(new QLineEdit(this))
    , m_pattern(new QToolButton(this))
    , m_summary(new QLabel(this))
    , m_problem(new QLabel(this))
{
    setObjectName(QStringLiteral("findBar"));
    setAutoFillBackground(true);
    m_text->setObjectName(QStringLiteral("findText"));
    m_text->setAccessibleName(tr("Find nodes and scopes"));
    m_text->setPlaceholderText(tr("Find: words, type:Conv, shape:3x3, state:ignored, re:layer\\d"));
    m_text->setToolTip(
        tr("All words must be there: in a name, an operator, a scope, a class, a value or a parameter. \"In quotes\" "
           "the whole of it. With a field: name: type: scope: parameter: shape:1x64x*x* state:quantized. re: begins a "
           "regular expression, - says what must not be there."));
    m_text->setClearButtonEnabled(true);
    m_text->installEventFilter(this);
    m_pattern->setObjectName(QStringLiteral("findPattern"));
    m_pattern->setText(QStringLiteral(".*"));
    m_pattern->setCheckable(true);
    m_pattern->setAutoRaise(true);
    m_pattern->setAccessibleName(tr("Regular expression"));
    m_pattern->setToolTip(tr("What is written is one regular expression"));
    m_summary->setObjectName(QStringLiteral("findSummary"));
    m_problem->setObjectName(QStringLiteral("findProblem"));
    m_problem->setWordWrap(true);
    m_problem->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 4, 6, 4);
    column->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    column->addLayout(row);
    column->addWidget(m_problem);
    row->addWidget(m_text, 1);
    row->addWidget(m_pattern);
    row->addWidget(m_summary);
    m_previous = addButton("findPrevious", QStringLiteral("▲"), tr("Previous (Shift+F3)"));
    m_next = addButton("findNext", QStringLiteral("▼"), tr("Next (F3)"));
    m_all = addButton("findAll", tr("All"), tr("Select all that is found (Alt+Enter)"));
    QToolButton* close = addButton("findClose", QStringLiteral("✕"), tr("End the search (Esc)"));
    for (QToolButton* button : {m_previous, m_next, m_all, close})
        row->addWidget(button);
    connect(m_text, &QLineEdit::textChanged, this, &FindBar::search);
    connect(m_pattern, &QToolButton::toggled, this, &FindBar::search);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(false); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(true); });
    connect(m_all, &QToolButton::clicked, this, &FindBar::chooseAll);
    connect(close, &QToolButton::clicked, this, &FindBar::end);
    connect(&m_finder, &Finder::finished, this, &FindBar::take);
    describe();
    hide();
}

QToolButton* FindBar::addButton(const char* name, const QString& text, const QString& tip)
{
    auto* button = new QToolButton(this);
    button->setObjectName(QLatin1String(name));
    button->setText(text);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    return button;
}

void FindBar::setSnapshot(std::shared_ptr<const Snapshot> snapshot)
{
    if (snapshot == m_snapshot)
        return;
    const bool isOtherModel = !snapshot || !m_snapshot || snapshot->model != m_snapshot->model;
    m_snapshot = std::move(snapshot);
    m_finder.setSnapshot(m_snapshot);
    m_found.reset();
    if (!isOtherModel) {
        if (isVisible())
            search();
        return;
    }
    m_wanted.reset();
    const QSignalBlocker silence(m_text);
    m_text->clear();
    if (isVisible())
        end();
}

void FindBar::setTypes(std::shared_ptr<const ValueTypes> types)
{
    m_finder.setTypes(std::move(types));
    if (isVisible() && (m_asksForShapes || !m_found))
        search();
}

void FindBar::open()
{
    if (!isVisible())
        m_before = window()->focusWidget();
    QFrame::show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
    if (!m_found)
        search();
}

void FindBar::end()
{
    m_finder.stop();
    m_found.reset();
    const bool hadFocus = isAncestorOf(window()->focusWidget());
    hide();
    Q_EMIT shown(nullptr);
    if (hadFocus && m_before)
        m_before->setFocus(Qt::OtherFocusReason);
}

void FindBar::search()
{
    m_found.reset();
    const std::string text = toStd(m_text->text());
    auto query = m_pattern->isChecked() ? SearchQuery::ofPattern(text) : SearchQuery::parse(text);
    if (auto* problem = std::get_if<std::string>(&query)) {
        m_finder.stop();
        Q_EMIT shown(nullptr);
        describe();
        complain(toQt(*problem));
        return;
    }
    m_asksForShapes = std::get<SearchQuery>(query).asksForShapes();
    m_finder.start(std::get<SearchQuery>(std::move(query)));
}

void FindBar::take(const std::shared_ptr<const Found>& found)
{
    m_found = found;
    const auto again = m_wanted ? std::ranges::find(found->things, *m_wanted) : found->things.end();
    m_current = again == found->things.end() ? 0 : static_cast<std::size_t>(again - found->things.begin());
    show();
}

void FindBar::show()
{
    describe();
    Q_EMIT shown(
        count() > 0 ? std::make_shared<const FoundMarks>(FoundMarks{m_found, m_snapshot->scopes, m_current}) : nullptr);
}

std::size_t FindBar::count() const
{
    return m_found ? m_found->things.size() + m_found->gone.size() : 0;
}

const Node* FindBar::gone() const
{
    return count() == 0 || m_current < m_found->things.size()
        ? nullptr
        : &m_snapshot->opened->model->node(m_found->gone[m_current - m_found->things.size()]);
}

void FindBar::step(bool isForward)
{
    if (!isVisible() || count() == 0) {
        open();
        return;
    }
    m_current = (m_current + (isForward ? 1 : count() - 1)) % count();
    choose();
}

void FindBar::choose()
{
    if (count() == 0)
        return;
    if (gone() != nullptr) {
        m_wanted.reset();
        show();
        return;
    }
    m_wanted = m_found->things[m_current];
    show();
    Q_EMIT selected(selectionOf(*m_wanted, *m_snapshot->scopes));
}

void FindBar::chooseAll()
{
    if (!m_found || m_found->things.empty())
        return;
    Q_EMIT selected(selectionOf(*m_found, *m_snapshot->scopes));
    if (!m_found->gone.empty())
        complain(tr("%1 of them went when the model was simplified, and cannot be selected.")
                     .arg(countText(static_cast<std::int64_t>(m_found->gone.size()))));
}

void FindBar::describe()
{
    for (QToolButton* button : {m_previous, m_next})
        button->setEnabled(count() > 0);
    m_all->setEnabled(m_found && !m_found->things.empty());
    m_problem->hide();
    if (!m_found || m_text->text().trimmed().isEmpty()) {
        say({}, false);
        return;
    }
    if (count() == 0)
        say(tr("no match"), true);
    else
        say(tr("%1 of %2")
                .arg(
                    countText(static_cast<std::int64_t>(m_current) + 1), countText(static_cast<std::int64_t>(count()))),
            false);
    if (const Node* node = gone())
        complain(
            tr("%1 (%2) is in the file, and went when the model was simplified. Enter shows it in the graph of the "
               "file (F7).")
                .arg(toQt(node->name), toQt(node->opType)));
    if (m_found->givenUp > 0)
        complain(tr("The pattern was given up on %1 texts: it takes too many steps there.")
                     .arg(countText(m_found->givenUp)));
}

void FindBar::say(const QString& text, bool isWarning)
{
    m_isWarning = isWarning;
    QPalette colors = palette();
    if (isWarning)
        colors.setColor(QPalette::WindowText, themeFor(palette()).bad.ink);
    m_summary->setPalette(colors);
    m_summary->setText(text);
    m_summary->setAccessibleName(text);
    QAccessibleEvent event(m_summary, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&event);
}

void FindBar::complain(const QString& problem)
{
    m_problem->setText(problem);
    m_problem->show();
    QAccessibleEvent event(m_problem, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

/// Keys of the text: the window's own for the same keys must wait.
bool FindBar::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (key->key() != Qt::Key_Escape && !isEnter)
        return QFrame::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::ShortcutOverride)
        return true;
    if (!isEnter) {
        end();
    } else if (key->modifiers().testFlag(Qt::AltModifier)) {
        chooseAll();
    } else {
        choose();
        if (gone() != nullptr)
            Q_EMIT goneRequested();
        else
            Q_EMIT revealRequested();
    }
    return true;
}

void FindBar::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_all)
        say(m_summary->text(), m_isWarning);
}

} // namespace duo::ui
