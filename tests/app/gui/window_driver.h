// SPDX-License-Identifier: Apache-2.0
// WindowDriver: the real window with settings and files of its own, driven by keys and clicks.
#pragma once

#include "app/gui/main_window.h"
#include "views/config/config_view.h"
#include "views/properties/properties_view.h"
#include "views/results/results_view.h"
#include "views/results/sensitivity_view.h"
#include "views/rules/rules_view.h"
#include "views/statistics/statistics_view.h"
#include "views/trees/scope_trees_panel.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace duo::test {

class WindowDriver
{
public:
    WindowDriver();
    void restart(); // closes the window and makes another one with the same settings

    [[nodiscard]] app::MainWindow& window() { return *m_window; }
    [[nodiscard]] QSettings& settings() { return *m_settings; }
    [[nodiscard]] std::filesystem::path folder() const { return m_folder.path().toStdString(); }
    /// Into folder(), under another name if one is given.
    std::filesystem::path copySample(const std::string& name, const std::string& as = {}) const;
    std::filesystem::path write(const std::string& name, const std::string& content) const; // into folder()
    void drop(const std::vector<std::filesystem::path>& paths);

    /// Waits for a condition while events are handled.
    static bool waitFor(const std::function<bool()>& condition);
    bool open(const std::filesystem::path& model); // and waits for the picture
    bool settled(); // rules and picture have arrived
    bool answered(); // what a gesture may mean is known

    template <typename T> T* find(const char* name) { return m_window->findChild<T*>(QLatin1String(name)); }
    [[nodiscard]] QAction* action(const char* name) { return find<QAction>(name); }

    /// Clicks on the row of a scope in a tree; its parents are opened.
    bool clickScope(ui::TreeKind tree, const std::string& path);
    /// Looks for a link in a text with the mouse, and clicks it.
    static bool clickLink(QLabel* label, const QString& link);
    /// Waits for a file dialog, types the path into it and clicks on the button. It is gone then, or the test has
    /// failed.
    void answer(const char* dialog, QDialogButtonBox::StandardButton button, const std::filesystem::path& path);
    void key(QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers = {});

private:
    QTemporaryDir m_folder;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<app::MainWindow> m_window;
};

} // namespace duo::test
