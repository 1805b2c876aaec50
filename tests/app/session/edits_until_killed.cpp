// SPDX-License-Identifier: Apache-2.0
// Edits the session of a model without a pause and says so, until it is killed: what is found then is looked at by
// killed_test.cpp. Usage: duo_edits_until_killed FOLDER MODEL (as-it-comes | without-end | runs)
// A line for each edit: its number, and the milliseconds since the start. "without-end" waits for no delay: the next
// write begins when the one before has ended, so that a kill mostly meets one. "runs" keeps quantizations instead of
// edits, in FOLDER, likewise.
#include "app/session/run_memory.h"
#include "app/session/session_memory.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QElapsedTimer>

#include <iostream>

namespace {

constexpr std::chrono::milliseconds kPause{3};

/// The number in every part of it, so that parts of two would be seen, and enough besides to take a while to write.
duo::KeptSession edited(int number)
{
    constexpr std::size_t kPadding = 300'000; // bytes
    duo::KeptSession session;
    session.recipe.quantization.subsetSize = number;
    session.data.spec = "random:" + std::to_string(number);
    session.view = {{"number", number}, {"padding", std::string(kPadding, 'x')}};
    return session;
}

/// Its number as date and in its state, which is long enough to take a while to write.
void keepRuns(const std::filesystem::path& folder)
{
    constexpr std::size_t kPadding = 300'000; // bytes
    duo::app::RunMemory memory(folder, [](const duo::Status&) {});
    const auto before = memory.runs();
    for (auto number = before.empty() ? 1 : before.front().quantizers + 1;; ++number) {
        duo::KeptRun run;
        run.date = QDateTime::fromSecsSinceEpoch(number, Qt::UTC).toString(Qt::ISODateWithMs).toStdString();
        run.quantizers = number;
        memory.keep(run, [number](const duo::JobContext&) -> duo::Result<std::string> {
            return std::to_string(number) + std::string(kPadding, 'x') + std::to_string(number);
        });
        memory.finish();
        std::cout << number << " 0" << std::endl;
    }
}

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const std::string_view pace = argv[3];
    if (pace == "runs")
        keepRuns(argv[1]);
    duo::app::SessionMemory memory(argv[1], {});
    const auto begun = memory.begin(argv[2]);
    int number = begun.kept ? begun.kept->recipe.quantization.subsetSize.value_or(0) : 0;
    QElapsedTimer since;
    since.start();
    QTimer edits;
    QObject::connect(&edits, &QTimer::timeout, &edits, [&] {
        memory.keep(edited(++number));
        std::cout << number << ' ' << since.elapsed() << std::endl;
        if (pace == "without-end")
            memory.finish();
    });
    edits.start(kPause);
    return QCoreApplication::exec();
}
