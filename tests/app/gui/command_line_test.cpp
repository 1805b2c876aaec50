// SPDX-License-Identifier: Apache-2.0
// The window's program as it is called, where there is no display.
#include "core/support/exit_code.h"
#include "core/support/version.h"
#include "tests/support/temporary_folder.h"

#include <QProcess>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// What it printed; its exit code where that is not 0.
std::string printedWithoutDisplay(const char* option)
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QString::fromUtf8(name));
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QStringLiteral(DUO_WINDOW), {QString::fromUtf8(option)});
    if (!program.waitForFinished() || program.exitStatus() != QProcess::NormalExit || program.exitCode() != 0)
        return "exit code " + std::to_string(program.exitCode());
    return program.readAllStandardOutput().toStdString();
}

TEST(CommandLine, HelpAndVersionNeedNoDisplay)
{
    EXPECT_EQ(printedWithoutDisplay("--version"), "duoscope " + std::string(kVersion) + "\n");
    EXPECT_EQ(printedWithoutDisplay("-v"), printedWithoutDisplay("--version"));
    const std::string help = printedWithoutDisplay("--help");
    for (const char* part : {"Usage:", "--checkpoint <file>", "[MODEL]"})
        EXPECT_NE(help.find(part), std::string::npos) << part << " in " << help;
}

TEST(CommandLine, AFileThatCannotBeOpenedIsNotWaitedFor)
{
    const TemporaryFolder folder;
    const auto broken = folder.write("broken.onnx", "no model");
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    for (const auto& file : {folder / "missing.onnx", broken}) {
        QProcess program;
        program.setProcessEnvironment(environment);
        program.start(QStringLiteral(DUO_WINDOW),
            {QStringLiteral("--settings-dir"), QString::fromStdString((folder / "settings").string()),
                QStringLiteral("--quit-after-paint"), QString::fromStdString(file.string())});
        ASSERT_TRUE(program.waitForFinished()) << file;
        EXPECT_EQ(program.exitCode(), kBadInput) << file;
        const std::string error = program.readAllStandardError().toStdString();
        EXPECT_NE(error.find("error: "), std::string::npos) << error;
    }
}

} // namespace
} // namespace duo::test
