// SPDX-License-Identifier: Apache-2.0
// Edits the session of a model without a pause and says so, until it is killed: what is found then is looked at by
// killed_test.cpp. Usage: duo_edits_until_killed FOLDER MODEL (as-it-comes | without-end)
// A line for each edit: its number, and the milliseconds since the start. "without-end" waits for no delay: the next
// write begins when the one before has ended, so that a kill mostly meets one.
#include "app/session/session_memory.h"

#include <QCoreApplication>
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

} // namespace

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    const std::string_view pace = argv[3];
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
