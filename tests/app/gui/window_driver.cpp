// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/window_driver.h"

#include "app/layout/layout_client.h"
#include "views/trees/scope_tree_model.h"

#include <QApplication>
#include <QCursor>
#include <QDropEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QTimer>

#include <fstream>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

constexpr int kTimeoutMs = 120000; // a loaded machine; nothing waits longer than it must
constexpr int kQuestionMs = 5000;

/// A box that asks something has an event loop of its own, in which a test would wait for ever.
void refuseQuestion()
{
    auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
    if (box == nullptr)
        return;
    ADD_FAILURE() << "unexpected question: " << box->text().toStdString();
    box->reject();
}

} // namespace

WindowDriver::WindowDriver()
    : m_settings(std::make_unique<QSettings>(m_folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat))
{
    restart();
}

void WindowDriver::restart()
{
    if (m_window)
        m_window->close();
    m_window.reset();
    const auto client = std::make_shared<LayoutClient>();
    m_window = std::make_unique<app::MainWindow>(
        *m_settings, [client](const LayoutInput& input) { return client->layout(input); },
        QStringList(QStringLiteral(DUO_SAMPLES "/digits_conv.onnx")));
    QCursor::setPos(
        QGuiApplication::primaryScreen()->geometry().bottomRight()); // points at no button, whose tip is told
    m_window->show();
    m_window->activateWindow();
    (void)QTest::qWaitForWindowActive(m_window.get(), kTimeoutMs);
}

std::filesystem::path WindowDriver::copySample(const std::string& name, const std::string& as) const
{
    const auto target = folder() / (as.empty() ? name : as);
    std::filesystem::copy_file(std::filesystem::path(DUO_SAMPLES) / name, target);
    return target;
}

std::filesystem::path WindowDriver::write(const std::string& name, const std::string& content) const
{
    const auto target = folder() / name;
    std::ofstream(target) << content;
    return target;
}

void WindowDriver::drop(const std::vector<std::filesystem::path>& paths)
{
    QMimeData data;
    QList<QUrl> urls;
    for (const auto& path : paths)
        urls += QUrl::fromLocalFile(QString::fromStdString(path.string()));
    data.setUrls(urls);
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &enter);
    if (!enter.isAccepted())
        return;
    QDropEvent event({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(m_window.get(), &event);
}

bool WindowDriver::waitFor(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, kTimeoutMs);
}

bool WindowDriver::open(const std::filesystem::path& model)
{
    m_window->openModel(QString::fromStdString(model.string()));
    return waitFor([this, &model] {
        const auto snapshot = m_window->session().snapshot();
        return snapshot && snapshot->model->path == model;
    }) && settled();
}

bool WindowDriver::settled()
{
    auto* graph = find<ui::GraphView>("graph");
    return waitFor([this, graph] {
        const auto snapshot = m_window->session().snapshot();
        return snapshot->recipe.rules == m_window->session().rules() && graph->picture()
            && graph->picture()->snapshot == snapshot;
    });
}

bool WindowDriver::answered()
{
    return waitFor([this] { return !find<app::ProposalMaker>("proposalMaker")->isAtWork(); });
}

bool WindowDriver::clickScope(ui::TreeKind kind, const std::string& path)
{
    auto* tree = find<ui::ScopeTreesPanel>("scopeTreesPanel")->tree(kind);
    const auto* model = static_cast<const ui::ScopeTreeModel*>(tree->model());
    const auto& scopes = *m_window->session().snapshot()->scopes;
    const ScopeId scope = ui::treeOf(scopes, kind).find(path);
    if (!scope.valid())
        return false;
    const QModelIndexList rows = model->indexesOf(ui::selectScope(scopes, kind, scope));
    if (rows.isEmpty())
        return false;
    const QModelIndex row = rows.front();
    tree->scrollTo(row);
    QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(row).center());
    return tree->selectionModel()->isSelected(row);
}

bool WindowDriver::clickLink(QLabel* label, const QString& link)
{
    QString hovered;
    const auto listening = QObject::connect(label, &QLabel::linkHovered, [&](const QString& now) { hovered = now; });
    constexpr int kStep = 4; // px, less than a letter
    QPoint found(-1, -1);
    for (int y = kStep; y < label->height() && found.x() < 0; y += kStep) {
        for (int x = 0; x < label->width() && found.x() < 0; x += kStep) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, y), label->mapToGlobal(QPoint(x, y)), Qt::NoButton,
                Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(label, &move);
            if (hovered == link)
                found = {x + 1, y};
        }
    }
    QObject::disconnect(listening);
    if (found.x() < 0)
        return false;
    QTest::mouseClick(label, Qt::LeftButton, {}, found);
    return true;
}

void WindowDriver::answer(
    const char* dialog, QDialogButtonBox::StandardButton button, const std::filesystem::path& path)
{
    if (button == QDialogButtonBox::Save) {
        ASSERT_FALSE(std::filesystem::exists(path)) << "it would be asked whether to replace it: " << path;
    }
    ASSERT_TRUE(waitFor([&] { return find<QFileDialog>(dialog) != nullptr; })) << dialog;
    const QPointer<QFileDialog> shown = find<QFileDialog>(dialog);
    auto* name = shown->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    ASSERT_NE(name, nullptr) << dialog;
    name->setText(QString::fromStdString(path.string())); // typing would open the list of completions
    const QPushButton* accept = shown->findChild<QDialogButtonBox*>()->button(button);
    ASSERT_NE(accept, nullptr) << dialog;
    ASSERT_TRUE(waitFor([&] { return accept->isEnabled(); })) << dialog << " does not take " << path;
    QTimer questions;
    QObject::connect(&questions, &QTimer::timeout, &questions, refuseQuestion);
    questions.start(kQuestionMs);
    QTest::mouseClick(shown->findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return shown.isNull(); })) << dialog << " stays open";
}

void WindowDriver::key(QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    QTest::keyClick(widget, key, modifiers);
}

} // namespace duo::test
