// SPDX-License-Identifier: Apache-2.0
#include "views/shell/help_window.h"

#include <QDesktopServices>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPointer>
#include <QScrollBar>
#include <QSplitter>
#include <QStyle>
#include <QTextBlock>
#include <QTextDocument>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace duo::ui {
namespace {

constexpr int kListRoom = 8; // px beside the longest title
constexpr QSize kSize(1040, 760); // px
constexpr qreal kLarger = 1.1; // than text of controls: pages are read, not glanced at

} // namespace

HelpWindow::HelpWindow(const QString& folder, QWidget* parent)
    : QWidget(parent, Qt::Window)
    , m_folder(folder)
    , m_pages(new QListWidget(this))
    , m_text(new QTextBrowser(this))
    , m_back(new QAction(tr("&Back"), this))
    , m_forward(new QAction(tr("&Forward"), this))
    , m_search(new QWidget(this))
    , m_words(new QLineEdit(this))
    , m_count(new QLabel(this))
{
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Help"));
    for (const HelpPage& page : helpPages(m_folder)) {
        auto* row = new QListWidgetItem(page.title, m_pages);
        row->setData(Qt::UserRole, page.file);
    }
    m_pages->setObjectName(QStringLiteral("helpPages"));
    m_pages->setAccessibleName(tr("Pages of the help"));
    m_text->setObjectName(QStringLiteral("helpText"));
    m_text->setAccessibleName(tr("Page of the help"));
    m_text->setOpenLinks(false);
    QFont font = m_text->font();
    font.setPointSizeF(font.pointSizeF() * kLarger);
    m_text->setFont(font);
    makeActions();
    layOut();
    connect(m_text, &QTextBrowser::anchorClicked, this, &HelpWindow::follow);
    connect(m_pages, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* row) {
        if (row && row->data(Qt::UserRole).toString() != m_place.file)
            open({row->data(Qt::UserRole).toString(), {}});
    });
    connect(m_words, &QLineEdit::textChanged, this, &HelpWindow::goToFound);
    resize(kSize);
    endSearch();
    updateActions();
}

void HelpWindow::makeActions()
{
    m_back->setObjectName(QStringLiteral("helpBack"));
    m_back->setShortcuts({Qt::ALT | Qt::Key_Left, Qt::Key_Back});
    m_forward->setObjectName(QStringLiteral("helpForward"));
    m_forward->setShortcuts({Qt::ALT | Qt::Key_Right, Qt::Key_Forward});
    connect(m_back, &QAction::triggered, this, [this] { goAlong(m_before, m_after); });
    connect(m_forward, &QAction::triggered, this, [this] { goAlong(m_after, m_before); });
    auto* find = new QAction(tr("F&ind in the page"), this);
    find->setObjectName(QStringLiteral("helpFind"));
    find->setShortcuts(QKeySequence::keyBindings(QKeySequence::Find));
    connect(find, &QAction::triggered, this, &HelpWindow::startSearch);
    for (QAction* action : {m_back, m_forward, find}) {
        action->setToolTip(
            QStringLiteral("%1 (%2)").arg(action->iconText(), action->shortcut().toString(QKeySequence::NativeText)));
        addAction(action);
    }
}

void HelpWindow::layOut()
{
    auto* bar = new QToolBar(this);
    bar->addActions(actions());
    m_words->setObjectName(QStringLiteral("helpWords"));
    m_words->setPlaceholderText(tr("Words in this page"));
    m_words->setClearButtonEnabled(true);
    m_count->setObjectName(QStringLiteral("helpCount"));
    auto* search = new QHBoxLayout(m_search);
    search->addWidget(m_words, 1);
    search->addWidget(m_count);
    for (const bool isForward : {false, true}) {
        auto* button = new QToolButton(m_search);
        button->setArrowType(isForward ? Qt::DownArrow : Qt::UpArrow);
        button->setToolTip(isForward ? tr("Next (Enter)") : tr("Previous (Shift+Enter)"));
        connect(button, &QToolButton::clicked, this, [this, isForward] { searchOn(isForward); });
        search->addWidget(button);
    }
    auto* page = new QWidget(this);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_text, 1);
    column->addWidget(m_search);
    auto* parts = new QSplitter(this);
    parts->addWidget(m_pages);
    parts->addWidget(page);
    parts->setStretchFactor(1, 1);
    const int list = m_pages->sizeHintForColumn(0) + 2 * m_pages->frameWidth()
        + style()->pixelMetric(QStyle::PM_ScrollBarExtent) + kListRoom;
    parts->setSizes({list, kSize.width() - list}); // no title is cut
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    all->addWidget(bar);
    all->addWidget(parts, 1);
}

bool HelpWindow::open(const HelpPlace& place)
{
    const Step here{m_place, m_text->verticalScrollBar()->value()};
    if (!goTo(place))
        return false;
    if (!here.place.file.isEmpty() && here.place != m_place) {
        m_before.push_back(here);
        m_after.clear();
    }
    updateActions();
    return true;
}

/// At its heading, or at its top.
bool HelpWindow::goTo(const HelpPlace& place)
{
    QFile file(QDir(m_folder).filePath(place.file));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    if (m_place.file != place.file) {
        showPage(QString::fromUtf8(file.readAll()));
        m_text->moveCursor(QTextCursor::Start); // from where the search goes on
        markFound();
    }
    m_place = place;
    if (place.anchor.isEmpty())
        m_text->verticalScrollBar()->setValue(0);
    else
        m_text->scrollToAnchor(place.anchor);
    for (int row = 0; row < m_pages->count(); ++row) {
        if (m_pages->item(row)->data(Qt::UserRole).toString() == place.file)
            m_pages->setCurrentRow(row);
    }
    return true;
}

/// A document of its own, shown when it is whole: one that is shown is laid out anew with every change of a piece of
/// it.
void HelpWindow::showPage(const QString& markdown)
{
    auto* page = new QTextDocument(m_text);
    page->setDefaultFont(m_text->font());
    fillHelpPage(*page, markdown, themeFor(palette()));
    m_text->setExtraSelections({}); // they are in the page that goes
    const QPointer<QTextDocument> before = m_text->document();
    m_text->setDocument(page);
    delete before;
}

void HelpWindow::follow(const QUrl& link)
{
    if (const auto place = placeOf(link, m_place.file))
        open(*place);
    else if (!link.isRelative())
        QDesktopServices::openUrl(link);
}

void HelpWindow::goAlong(std::vector<Step>& from, std::vector<Step>& to)
{
    if (from.empty())
        return;
    const Step step = from.back();
    from.pop_back();
    to.push_back({m_place, m_text->verticalScrollBar()->value()});
    goTo(step.place);
    m_text->verticalScrollBar()->setValue(step.scrolled);
    updateActions();
}

void HelpWindow::updateActions()
{
    m_back->setEnabled(!m_before.empty());
    m_forward->setEnabled(!m_after.empty());
}

void HelpWindow::startSearch()
{
    m_search->show();
    m_words->setFocus();
    m_words->selectAll();
    goToFound();
}

void HelpWindow::endSearch()
{
    m_search->hide();
    m_text->setExtraSelections({});
    m_text->setFocus();
}

/// Every place where the words are; the page stays where it is.
void HelpWindow::markFound()
{
    QList<QTextEdit::ExtraSelection> marks;
    const QString words = m_search->isHidden() ? QString() : m_words->text();
    const Shade& shade = themeFor(palette()).preview;
    if (!words.isEmpty()) {
        const QTextDocument& document = *m_text->document();
        for (QTextCursor at = document.find(words); !at.isNull(); at = document.find(words, at)) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = at;
            mark.format.setBackground(shade.fill);
            mark.format.setForeground(shade.text);
            marks += mark;
        }
    }
    m_found = static_cast<int>(marks.size());
    m_text->setExtraSelections(marks);
    m_count->setText(words.isEmpty() ? QString() : m_found == 0 ? tr("not found") : tr("%1 found").arg(m_found));
}

/// The first from the top of what is seen.
void HelpWindow::goToFound()
{
    markFound();
    if (m_found == 0)
        return;
    m_text->setTextCursor(m_text->cursorForPosition(QPoint(0, 0)));
    searchOn(true);
}

/// Around the page.
void HelpWindow::searchOn(bool isForward)
{
    if (m_found == 0)
        return;
    const auto flags = isForward ? QTextDocument::FindFlags() : QTextDocument::FindFlags(QTextDocument::FindBackward);
    if (m_text->find(m_words->text(), flags))
        return;
    m_text->moveCursor(isForward ? QTextCursor::Start : QTextCursor::End);
    m_text->find(m_words->text(), flags);
}

void HelpWindow::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEnter && !m_search->isHidden())
        searchOn(!(event->modifiers() & Qt::ShiftModifier));
    else if (event->key() == Qt::Key_Escape && !m_search->isHidden())
        endSearch();
    else if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

void HelpWindow::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || m_place.file.isEmpty())
        return;
    const int scrolled = m_text->verticalScrollBar()->value();
    const HelpPlace here = std::exchange(m_place, {});
    goTo(here);
    m_text->verticalScrollBar()->setValue(scrolled);
}

} // namespace duo::ui
