// SPDX-License-Identifier: Apache-2.0
#include "views/find/palette_view.h"

#include "views/style/format.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QVBoxLayout>

#include <algorithm>

namespace duo::ui {
namespace {

constexpr int kMargin = 6; // px
constexpr int kTop = 48; // px below the upper end of the window
constexpr int kWidest = 760; // px
constexpr int kRows = 14; // seen at once
constexpr int kMostAbout = 320; // px of what is said beside a name
constexpr int kCellMargins = 12; // px

/// Columns beside the names as wide as what stands in them.
void fitColumns(QTreeView& list)
{
    const QAbstractItemModel& model = *list.model();
    for (const int column : {PaletteModel::AboutColumn, PaletteModel::KindColumn}) {
        int width = 0;
        for (int row = 0; row < model.rowCount(); ++row)
            width = std::max(width, list.fontMetrics().horizontalAdvance(model.index(row, column).data().toString()));
        list.setColumnWidth(column, std::min(width, kMostAbout) + kCellMargins);
    }
}

} // namespace

PaletteView::PaletteView(QWidget* parent)
    : QFrame(parent)
    , m_model(new PaletteModel(this))
    , m_line(new QLineEdit(this))
    , m_list(new QTreeView(this))
    , m_legend(new QLabel(this))
{
    setObjectName(QStringLiteral("palette"));
    setAutoFillBackground(true);
    setFrameStyle(QFrame::StyledPanel | QFrame::Raised);
    m_line->setObjectName(QStringLiteral("paletteLine"));
    m_line->setAccessibleName(tr("Go to or run"));
    m_line->setPlaceholderText(tr("A command, scope, operator, rule or node"));
    m_line->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setModel(m_model);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAllColumnsShowFocus(true);
    m_list->setTextElideMode(Qt::ElideLeft); // names begin alike
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setHeaderHidden(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(PaletteModel::NameColumn, QHeaderView::Stretch);
    m_legend->setObjectName(QStringLiteral("paletteLegend"));
    m_legend->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    column->addWidget(m_line);
    column->addWidget(m_list, 1);
    column->addWidget(m_legend);
    connect(m_line, &QLineEdit::textChanged, this, &PaletteView::find);
    connect(m_list, &QTreeView::clicked, this, &PaletteView::accept);
    parent->installEventFilter(this);
    hide();
}

void PaletteView::setSnapshot(const std::shared_ptr<const Snapshot>& snapshot)
{
    if (m_model->setSnapshot(snapshot) && isVisible())
        close(true);
}

void PaletteView::setRules(const RuleSet& rules)
{
    if (m_model->setRules(rules) && isVisible())
        close(true);
}

void PaletteView::open(const std::vector<PaletteCommand>& commands)
{
    if (!isVisible())
        m_before = QApplication::focusWidget();
    m_model->setCommands(commands);
    m_line->clear();
    find();
    place();
    show();
    raise();
    m_line->setFocus(Qt::ShortcutFocusReason);
}

void PaletteView::find()
{
    m_model->find(m_line->text());
    fitColumns(*m_list);
    m_list->setCurrentIndex(m_model->index(0, 0));
    const auto shown = static_cast<std::size_t>(m_model->rowCount());
    const QString prefixes = tr("> commands   @ scopes   # operators   : rules   / nodes");
    if (shown == 0)
        m_legend->setText(tr("Nothing has such a name.   %1").arg(prefixes));
    else if (m_model->found() > shown)
        m_legend->setText(tr("The first %1 of %2.   %3")
                              .arg(countText(static_cast<std::int64_t>(shown)),
                                  countText(static_cast<std::int64_t>(m_model->found())), prefixes));
    else
        m_legend->setText(prefixes);
}

/// It is closed before anything happens, so that what happens may take the focus.
void PaletteView::accept()
{
    const int row = m_list->currentIndex().row();
    if (row < 0)
        return;
    const PaletteItem item = m_model->itemAt(row);
    close(true);
    if (m_model->isGone(item))
        return;
    if (QAction* action = m_model->actionOf(item)) {
        if (action->isEnabled())
            action->trigger();
        else
            Q_EMIT refused(tr("%1 cannot be done now").arg(m_model->index(row, 0).data().toString()));
    } else if (item.kind == PaletteKind::Rule) {
        Q_EMIT ruleRequested(static_cast<int>(item.index));
    } else {
        Q_EMIT selected(m_model->selectionOf(item));
    }
}

void PaletteView::close(bool givesFocusBack)
{
    hide();
    if (givesFocusBack && m_before)
        m_before->setFocus(Qt::OtherFocusReason);
    m_before = nullptr;
}

void PaletteView::place()
{
    const QSize room = parentWidget()->size();
    const int row = std::max(m_list->sizeHintForRow(0), fontMetrics().height());
    const int besides = m_line->sizeHint().height() + m_legend->sizeHint().height() + 4 * kMargin + 4;
    const int width = std::min(kWidest, room.width() - 2 * kMargin);
    const int height = std::min(kRows * row + besides, room.height() - kTop - kMargin);
    setGeometry((room.width() - width) / 2, kTop, width, height);
}

bool PaletteView::handleKey(int key)
{
    switch (key) {
    case Qt::Key_Escape:
        close(true);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        accept();
        return true;
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_PageUp:
    case Qt::Key_PageDown: {
        const int page = std::max(1, m_list->viewport()->height() / std::max(1, m_list->sizeHintForRow(0)));
        const int step = key == Qt::Key_Up ? -1 : key == Qt::Key_Down ? 1 : key == Qt::Key_PageUp ? -page : page;
        const int row = std::clamp(m_list->currentIndex().row() + step, 0, std::max(0, m_model->rowCount() - 1));
        m_list->setCurrentIndex(m_model->index(row, 0));
        return true;
    }
    default:
        return false;
    }
}

bool PaletteView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return QFrame::eventFilter(watched, event);
    }
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) { // it stops no job from here
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent*>(event)->key()))
        return true;
    if (event->type() == QEvent::FocusOut && isVisible()
        && static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason
        && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason)
        close(false);
    return QFrame::eventFilter(watched, event);
}

} // namespace duo::ui
