// SPDX-License-Identifier: Apache-2.0
// How long the window is deaf: the longest event of its thread (processor time, so that a loaded machine counts for
// nothing) while a rule is added, undone and a filter typed, with generated models of 10,000 and 50,000 nodes. Beside
// it the event that took longest and all of them together. Needs a display (or QT_QPA_PLATFORM=offscreen).
#include "app/gui/main_window.h"

#include "tests/bench/generated_model.h"
#include "views/graph/graph_view.h"

#include <QApplication>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

namespace {

constexpr int kTimeoutMs = 600'000;

double threadMs()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

/// Times every event that is not part of another one.
class TimedApplication : public QApplication
{
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override
    {
        if (m_depth > 0 || !m_isTiming)
            return QApplication::notify(receiver, event);
        const std::string name = std::string(receiver->metaObject()->className()) + ", event "
            + std::to_string(static_cast<int>(event->type()));
        ++m_depth;
        const double start = threadMs();
        const bool done = QApplication::notify(receiver, event);
        const double took = threadMs() - start;
        --m_depth;
        m_all += took;
        if (took > m_longest) {
            m_longest = took;
            m_where = name;
        }
        return done;
    }

    /// What `work` and what follows it until `isDone` cost. `work` is one event itself.
    void time(const char* name, const std::function<void()>& work, const std::function<bool()>& isDone)
    {
        m_longest = m_all = 0;
        m_isTiming = true;
        bool hasBegun = false;
        QTimer::singleShot(0, this, [&] {
            work();
            hasBegun = true;
        });
        const bool ended = QTest::qWaitFor([&] { return hasBegun && isDone(); }, kTimeoutMs);
        QTest::qWait(500); // what comes after it
        m_isTiming = false;
        std::printf("  %-22s longest event %7.1f ms (%s), all %7.1f ms%s\n", name, m_longest, m_where.c_str(), m_all,
            ended ? "" : ", not done");
        std::fflush(stdout);
    }

private:
    int m_depth = 0;
    bool m_isTiming = false;
    double m_longest = 0;
    double m_all = 0;
    std::string m_where;
};

void measure(TimedApplication& application, int nodes)
{
    const QTemporaryDir folder;
    const std::filesystem::path model = std::filesystem::path(folder.path().toStdString()) / "generated.onnx";
    std::ofstream(model, std::ios::binary) << duo::bench::residualChain(nodes);
    QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    duo::app::MainWindow window(settings, {}, {});
    window.show();
    auto& session = window.session();
    const auto* graph = window.findChild<duo::ui::GraphView*>(QStringLiteral("graph"));
    const auto isSettled = [&] {
        const auto snapshot = session.snapshot();
        return snapshot && snapshot->recipe == session.recipe() && graph->picture()
            && graph->picture()->snapshot == snapshot && session.types();
    };
    std::printf("%d nodes\n", nodes);
    application.time(
        "open", [&] { window.openModel(QString::fromStdString(model.string())); }, isSettled);
    duo::RuleSet one;
    one.rules.emplace_back().kind = duo::RuleKind::ExecutionScope;
    one.rules.back().value = "layer1";
    application.time(
        "add a rule", [&] { session.editRules(one, QStringLiteral("add")); }, isSettled);
    application.time(
        "undo it", [&] { session.undoStack()->undo(); }, isSettled);
    duo::RuleSet all = one;
    all.rules.back().kind = duo::RuleKind::Type;
    all.rules.back().value = "Conv";
    application.time(
        "ignore all Conv", [&] { session.editRules(all, QStringLiteral("add")); }, isSettled);
    application.time(
        "undo it", [&] { session.undoStack()->undo(); }, isSettled);
    auto* filter = window.findChild<QLineEdit*>(QStringLiteral("scopeFilter"));
    application.time(
        "type a filter", [&] { filter->setText(QStringLiteral("conv1")); }, [] { return true; });
    application.time(
        "filter, rule", [&] { session.editRules(all, QStringLiteral("add")); }, isSettled);
    application.time(
        "clear the filter", [&] { filter->clear(); }, [] { return true; });
    auto* tree = window.findChild<QAbstractItemView*>(QStringLiteral("executionTree"));
    application.time(
        "select the root", [&] { tree->setCurrentIndex(tree->model()->index(0, 0)); }, [] { return true; });
    application.time(
        "undo, root selected", [&] { session.undoStack()->undo(); }, isSettled);
}

} // namespace

int main(int argc, char** argv)
{
    TimedApplication application(argc, argv);
    for (const int nodes : {10'000, 50'000})
        measure(application, nodes);
    return 0;
}
