// SPDX-License-Identifier: Apache-2.0
#include "app/gui/pane_room.h"

#include <QEvent>
#include <QMouseEvent>
#include <QStatusBar>
#include <QTabBar>

#include <algorithm>
#include <array>
#include <utility>

namespace duo::app {
namespace {

constexpr int kLeastBehind = 1; // px; the pane in front alone says how small all may get
constexpr std::array kSides{Qt::LeftDockWidgetArea, Qt::RightDockWidgetArea};

QString heightsKey()
{
    return QStringLiteral("window/heights");
}

QString heightKey(const QDockWidget& dock)
{
    return heightsKey() + QLatin1Char('/') + dock.objectName();
}

} // namespace

PaneRoom::PaneRoom(QMainWindow& window, QSettings& settings)
    : QObject(&window)
    , m_window(window)
    , m_settings(settings)
{
    m_later.setSingleShot(true);
    m_later.setInterval(0);
    connect(&m_later, &QTimer::timeout, this, &PaneRoom::fit);
    m_window.installEventFilter(this);
}

void PaneRoom::add(QDockWidget* dock)
{
    m_rows.push_back({dock});
    dock->widget()->setMinimumHeight(kLeastBehind);
    dock->installEventFilter(this);
    connect(dock, &QDockWidget::visibilityChanged, this, [this, dock](bool isInFront) {
        const auto row = std::ranges::find(m_rows, dock, &Row::dock);
        row->isInFront = isInFront;
        dock->widget()->setMinimumHeight(isInFront ? 0 : kLeastBehind);
        fitSoon();
    });
    connect(dock, &QDockWidget::dockLocationChanged, this, &PaneRoom::fitSoon);
}

void PaneRoom::forgetChosen()
{
    m_settings.remove(heightsKey());
    fitSoon();
}

void PaneRoom::takeWidths()
{
    m_takesWidths = true;
    fitSoon();
}

void PaneRoom::fitSoon()
{
    m_later.start();
}

bool PaneRoom::isBelow(const Row& row) const
{
    return row.isInFront && !row.dock->isFloating() && m_window.dockWidgetArea(row.dock) == Qt::BottomDockWidgetArea;
}

int PaneRoom::shared() const
{
    const QWidget* head = m_window.menuWidget();
    return m_window.height() - (head ? head->height() : 0) - m_window.statusBar()->height();
}

int PaneRoom::wantedHeight(const QDockWidget& dock) const
{
    const int chosen = m_settings.value(heightKey(dock)).toInt();
    const int most = shared() * kMostPercent / 100;
    return chosen > 0 ? chosen : std::clamp(dock.sizeHint().height(), 1, std::max(1, most));
}

QDockWidget* PaneRoom::besideGraph(Qt::DockWidgetArea side) const
{
    const auto found = std::ranges::find_if(m_rows, [&](const Row& row) {
        return row.isInFront && !row.dock->isFloating() && m_window.dockWidgetArea(row.dock) == side;
    });
    return found == m_rows.end() ? nullptr : found->dock;
}

PaneRoom::Widths PaneRoom::widths() const
{
    Widths widths;
    for (const auto side : kSides) {
        if (const QDockWidget* dock = besideGraph(side))
            widths.insert(side, dock->width());
    }
    return widths;
}

void PaneRoom::fit()
{
    if (QWidget* head = m_window.menuWidget()) { // it comes after the panes
        head->installEventFilter(this); // once, however often
        m_head = head;
    }
    if (!m_pressed.isEmpty() || !m_pressedWidths.isEmpty()) // the user is about it
        return;
    fitWidths();
    fitHeight();
}

/// A window that grows gives all to the graph by itself, also what it took from its sides when it shrank. Where there
/// is no room for what is wanted, each gives some.
void PaneRoom::fitWidths()
{
    const bool wasResized = std::exchange(m_wasResized, false);
    if (std::exchange(m_takesWidths, false)) {
        m_widths = widths();
        return;
    }
    if (!wasResized)
        return;
    QList<QDockWidget*> docks;
    QList<int> wanted;
    for (const auto side : kSides) {
        QDockWidget* dock = besideGraph(side);
        if (!dock || !m_widths.contains(side))
            continue;
        docks += dock;
        wanted += m_widths.value(side);
    }
    if (!docks.isEmpty())
        m_window.resizeDocks(docks, wanted, Qt::Horizontal);
}

void PaneRoom::fitHeight()
{
    int most = 0;
    QDockWidget* tallest = nullptr;
    for (const Row& row : m_rows) {
        if (!isBelow(row))
            continue;
        if (const int wanted = wantedHeight(*row.dock); wanted > most) {
            most = wanted;
            tallest = row.dock;
        }
    }
    if (!tallest || tallest->height() == most)
        return;
    int tabs = 0; // their bar counts as a part of the pane
    for (const QTabBar* bar : m_window.findChildren<QTabBar*>(Qt::FindDirectChildrenOnly)) {
        if (bar->isVisible() && !m_window.tabifiedDockWidgets(tallest).isEmpty())
            tabs = bar->height();
    }
    m_window.resizeDocks({tallest}, {most + tabs}, Qt::Vertical);
}

/// The window itself is pressed on between its panes only; presses that a pane did not want come to it as well, their
/// releases need not.
void PaneRoom::notePressed()
{
    for (const Row& row : m_rows) {
        if (isBelow(row))
            m_pressed.insert(row.dock->objectName(), row.dock->height());
    }
    m_pressedWidths = widths();
}

void PaneRoom::noteReleased()
{
    for (const Row& row : m_rows) {
        const auto before = m_pressed.constFind(row.dock->objectName());
        if (before != m_pressed.cend() && *before != row.dock->height())
            m_settings.setValue(heightKey(*row.dock), row.dock->height());
    }
    m_pressed.clear();
    if (const Widths before = std::exchange(m_pressedWidths, {}); before != widths())
        m_takesWidths = true;
    fitSoon();
}

bool PaneRoom::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_window) {
        if (event->type() == QEvent::MouseButtonPress
            && !m_window.childAt(static_cast<QMouseEvent*>(event)->position().toPoint()))
            notePressed();
        else if (event->type() == QEvent::MouseButtonRelease)
            QTimer::singleShot(0, this, &PaneRoom::noteReleased); // once the window has ended the drag
        else if (event->type() == QEvent::Resize) {
            m_wasResized = true;
            fitSoon();
        }
    } else if (watched == m_head) {
        if (event->type() == QEvent::Resize) // messages come and go in it
            fitSoon();
    } else if (event->type() == QEvent::LayoutRequest) {
        fitSoon();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace duo::app
