// SPDX-License-Identifier: Apache-2.0
#include "app/gui/arrangements.h"

#include "views/intent/pane.h"

#include <QInputDialog>
#include <QLayout>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace duo::app {
namespace {

constexpr int kLayoutVersion = 4; // of saved places
constexpr std::size_t kMostKeys = 9; // Ctrl+Alt+1 to 9

struct Placed {
    QLatin1String dock;
    Qt::DockWidgetArea area;
};

constexpr auto kLeft = Qt::LeftDockWidgetArea;
constexpr auto kRight = Qt::RightDockWidgetArea;
constexpr auto kBelow = Qt::BottomDockWidgetArea;

/// Of panes in one area the first stands in front, the others are tabs behind it; those not named are hidden. Where
/// none is named all panes stand where they say themselves.
struct BuiltIn {
    const char* name;
    const char* tip;
    int leftPercent; // of the window's width
    int rightPercent;
    std::vector<Placed> panes;
};

const std::array<BuiltIn, 4>& builtIns()
{
    static const std::array<BuiltIn, 4> all{
        BuiltIn{QT_TRANSLATE_NOOP("duo::app::Arrangements", "Explore"),
            QT_TRANSLATE_NOOP("duo::app::Arrangements", "Arrange panes to look around: trees, graph and properties"),
            46, 19, {}},
        BuiltIn{QT_TRANSLATE_NOOP("duo::app::Arrangements", "Scopes"),
            QT_TRANSLATE_NOOP("duo::app::Arrangements", "Arrange panes to choose scopes: wide trees, rules and why"),
            60, 22, {{ui::kScopesDock, kLeft}, {ui::kPropertiesDock, kRight}, {ui::kRulesDock, kBelow}}},
        BuiltIn{QT_TRANSLATE_NOOP("duo::app::Arrangements", "Compare"),
            QT_TRANSLATE_NOOP(
                "duo::app::Arrangements", "Arrange panes to see the error: sensitivity, statistics and results"),
            46, 24,
            {{ui::kSensitivityDock, kLeft}, {ui::kScopesDock, kLeft}, {ui::kResultsDock, kRight},
                {ui::kPropertiesDock, kRight}, {ui::kStatisticsDock, kBelow}, {ui::kParameterDock, kBelow},
                {ui::kRulesDock, kBelow}}},
        BuiltIn{QT_TRANSLATE_NOOP("duo::app::Arrangements", "Export"),
            QT_TRANSLATE_NOOP("duo::app::Arrangements", "Arrange panes to export: settings, rules and results"), 50, 26,
            {{ui::kConfigDock, kLeft}, {ui::kScopesDock, kLeft}, {ui::kResultsDock, kRight},
                {ui::kPropertiesDock, kRight}, {ui::kRulesDock, kBelow}}},
    };
    return all;
}

QString docksKey()
{
    return QStringLiteral("window/docks");
}

QString namesKey()
{
    return QStringLiteral("arrangements/names");
}

/// By its place in the list: a name may hold what a key may not.
QString stateKey(qsizetype index)
{
    return QStringLiteral("arrangements/%1").arg(index);
}

} // namespace

void setIfChanged(QSettings& settings, const QString& key, const QByteArray& value)
{
    if (settings.value(key).toByteArray() != value)
        settings.setValue(key, value);
}

Arrangements::Arrangements(QMainWindow& window, const std::vector<QDockWidget*>& docks, QSettings& settings)
    : QObject(&window)
    , m_window(window)
    , m_docks(docks)
    , m_settings(settings)
    , m_room(window, settings)
{
    for (QDockWidget* dock : m_docks) {
        m_room.add(dock);
        m_home.emplace_back(dock, m_window.dockWidgetArea(dock));
    }
}

QDockWidget* Arrangements::dock(const QString& name) const
{
    const auto found = std::ranges::find(m_docks, name, &QObject::objectName);
    if (found == m_docks.end())
        qFatal("no pane has the dock %s", qUtf8Printable(name));
    return *found;
}

void Arrangements::arrange(std::size_t builtIn)
{
    const BuiltIn& wanted = builtIns()[builtIn];
    for (QDockWidget* dock : m_docks) {
        dock->setFloating(false);
        dock->hide();
    }
    std::map<Qt::DockWidgetArea, QDockWidget*> first;
    std::map<Qt::DockWidgetArea, QDockWidget*> last;
    std::vector<std::pair<QDockWidget*, Qt::DockWidgetArea>> places
        = wanted.panes.empty() ? m_home : decltype(m_home)();
    for (const Placed& placed : wanted.panes)
        places.emplace_back(dock(placed.dock), placed.area);
    for (const auto& [pane, area] : places) {
        m_window.addDockWidget(area, pane);
        if (QDockWidget* before = std::exchange(last[area], pane))
            m_window.tabifyDockWidget(before, pane);
        pane->show();
        first.try_emplace(area, pane);
    }
    for (const auto& [area, pane] : first)
        pane->raise();
    const int width = m_window.width();
    QList<QDockWidget*> sides;
    QList<int> widths;
    for (const auto& [area, percent] : {std::pair(kLeft, wanted.leftPercent), {kRight, wanted.rightPercent}}) {
        if (const auto side = first.find(area); side != first.end()) {
            sides += side->second;
            widths += width * percent / 100;
        }
    }
    m_window.resizeDocks(sides, widths, Qt::Horizontal);
    m_room.forgetChosen();
    m_room.takeWidths();
}

void Arrangements::restore()
{
    arrange(0);
    if (const QByteArray saved = m_settings.value(docksKey()).toByteArray(); !saved.isEmpty())
        m_window.restoreState(saved, kLayoutVersion);
    m_window.layout()->activate();
    m_room.takeWidths();
    m_room.fit();
    m_window.layout()->activate();
}

void Arrangements::save()
{
    setIfChanged(m_settings, docksKey(), m_window.saveState(kLayoutVersion));
}

bool Arrangements::use(const QString& name)
{
    for (std::size_t i = 0; i < builtIns().size(); ++i) {
        if (tr(builtIns()[i].name) != name)
            continue;
        arrange(i);
        return true;
    }
    const qsizetype index = own().indexOf(name);
    if (index < 0)
        return false;
    m_room.forgetChosen();
    m_room.takeWidths();
    return m_window.restoreState(m_settings.value(stateKey(index)).toByteArray(), kLayoutVersion);
}

QStringList Arrangements::own() const
{
    return m_settings.value(namesKey()).toStringList();
}

bool Arrangements::keep(const QString& name)
{
    const bool isTaken
        = std::ranges::any_of(builtIns(), [&](const BuiltIn& builtIn) { return tr(builtIn.name) == name; });
    if (name.isEmpty() || isTaken)
        return false;
    QStringList names = own();
    if (!names.contains(name))
        names += name;
    m_settings.setValue(namesKey(), names);
    m_settings.setValue(stateKey(names.indexOf(name)), m_window.saveState(kLayoutVersion));
    refreshOwn();
    return true;
}

void Arrangements::forget(const QString& name)
{
    QStringList names = own();
    const qsizetype index = names.indexOf(name);
    if (index < 0)
        return;
    names.removeAt(index);
    for (qsizetype i = index; i < names.size(); ++i)
        m_settings.setValue(stateKey(i), m_settings.value(stateKey(i + 1)));
    m_settings.remove(stateKey(names.size()));
    m_settings.setValue(namesKey(), names);
    refreshOwn();
}

void Arrangements::setEnabled(bool isEnabled)
{
    for (const auto& actions : {m_builtIn, m_own}) {
        for (QAction* action : actions)
            action->setEnabled(isEnabled);
    }
    m_keep->setEnabled(isEnabled);
}

QAction* Arrangements::makeAction(const QString& name, const QString& tip)
{
    QString text = name;
    auto* action = new QAction(text.replace(QLatin1Char('&'), QLatin1String("&&")), &m_window);
    action->setObjectName(QStringLiteral("arrangement:") + name);
    action->setStatusTip(tip);
    if (const std::size_t index = m_builtIn.size() + m_own.size(); index < kMostKeys)
        action->setShortcut(Qt::CTRL | Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(index)));
    connect(action, &QAction::triggered, this, [this, name] {
        if (use(name))
            Q_EMIT said(tr("Arrangement %1").arg(name));
    });
    m_window.addAction(action);
    return action;
}

void Arrangements::fillMenu(QMenu& menu)
{
    m_menu = &menu;
    for (const BuiltIn& builtIn : builtIns()) {
        m_builtIn.push_back(makeAction(tr(builtIn.name), tr(builtIn.tip)));
        menu.addAction(m_builtIn.back());
    }
    menu.addSeparator();
    m_keep = menu.addAction(tr("&Keep this arrangement…"));
    m_keep->setObjectName(QStringLiteral("actionKeepArrangement"));
    m_keep->setStatusTip(tr("Give a name to how panes stand now, to come back to it"));
    connect(m_keep, &QAction::triggered, this, &Arrangements::askName);
    m_forgetMenu = menu.addMenu(tr("&Forget"));
    m_forgetMenu->setObjectName(QStringLiteral("menuForgetArrangement"));
    refreshOwn();
}

void Arrangements::refreshOwn()
{
    if (!m_menu)
        return;
    for (QAction* action : m_own)
        action->deleteLater();
    m_own.clear();
    m_forgetMenu->clear();
    const bool isEnabled = m_keep->isEnabled();
    for (const QString& name : own()) {
        m_own.push_back(makeAction(name, tr("Arrange panes as they were kept")));
        m_own.back()->setEnabled(isEnabled);
        m_menu->insertAction(m_keep, m_own.back());
        QAction* forgetting = m_forgetMenu->addAction(m_own.back()->text());
        forgetting->setStatusTip(tr("Forget this arrangement; panes stay where they are"));
        connect(forgetting, &QAction::triggered, this, [this, name] { forget(name); });
    }
    m_forgetMenu->setEnabled(!m_own.empty());
}

void Arrangements::askName()
{
    auto* dialog = new QInputDialog(&m_window);
    dialog->setObjectName(QStringLiteral("arrangementDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keep this arrangement"));
    dialog->setLabelText(tr("Name; one of the same name is replaced"));
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
        const QString name = text.trimmed();
        Q_EMIT said(keep(name)   ? tr("Kept as %1").arg(name)
                : name.isEmpty() ? tr("An arrangement needs a name; nothing was kept")
                                 : tr("%1 is built in; take another name").arg(name));
    });
    dialog->open();
}

void Arrangements::fillPlaces(QMenu& menu)
{
    const std::array<std::pair<QString, Qt::DockWidgetArea>, 4> places{{{tr("&Left"), kLeft}, {tr("&Right"), kRight},
        {tr("&Below"), kBelow}, {tr("In a &window of its own"), Qt::NoDockWidgetArea}}};
    for (QDockWidget* pane : m_docks) {
        QMenu* one = menu.addMenu(pane->windowTitle());
        one->setObjectName(QStringLiteral("place:") + pane->objectName());
        for (const auto& [text, area] : places) {
            QAction* action = one->addAction(text);
            action->setStatusTip(tr("Move the pane there, in front of those that stand there"));
            connect(action, &QAction::triggered, pane, [this, pane, to = area] { putPane(pane, to); });
        }
        pane->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(pane, &QWidget::customContextMenuRequested, one,
            [one, pane](const QPoint& place) { one->popup(pane->mapToGlobal(place)); });
    }
}

void Arrangements::putPane(QDockWidget* pane, Qt::DockWidgetArea area)
{
    pane->setFloating(area == Qt::NoDockWidgetArea);
    pane->show();
    if (area == Qt::NoDockWidgetArea)
        return;
    QDockWidget* there = nullptr;
    for (QDockWidget* other : m_docks) {
        if (other != pane && !other->isHidden() && !other->isFloating() && m_window.dockWidgetArea(other) == area)
            there = other;
    }
    m_window.addDockWidget(area, pane);
    if (there)
        m_window.tabifyDockWidget(there, pane);
    pane->raise();
    m_room.takeWidths();
}

} // namespace duo::app
