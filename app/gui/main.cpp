// SPDX-License-Identifier: Apache-2.0
// duoscope: the window.
#include "app/gui/engine_limits.h"
#include "app/gui/main_window.h"
#include "app/gui/messages.h"
#include "app/layout/layout_client.h"
#include "core/engine/engine_process.h"
#include "core/engine/run_limit.h"
#include "core/formats/file_formats.h"
#include "core/support/exit_code.h"
#include "core/support/own_process.h"
#include "core/support/version.h"
#include "views/style/format.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QIcon>
#include <QStandardPaths>
#include <QTimer>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <string_view>

namespace {

/// Sample models of an installed program, else those of the source tree it was built from.
QStringList sampleModels()
{
    const QString installed = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/duoscope/samples");
    for (const QString& folder : {installed, QStringLiteral(DUO_SOURCE_SAMPLES)}) {
        const QFileInfoList files
            = QDir(folder).entryInfoList({QStringLiteral("*.onnx")}, QDir::Files | QDir::Readable, QDir::Name);
        QStringList paths;
        for (const QFileInfo& file : files)
            paths += file.canonicalFilePath();
        if (!paths.isEmpty())
            return paths;
    }
    return {};
}

/// @param folder "": the user's own. Where something else than a file lies in their place, or a link to it, they lie
/// beside: a device would be replaced, and a pipe waited for.
std::unique_ptr<QSettings> openSettings(const QString& folder)
{
    const QDir own(
        QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + QStringLiteral("/duoscope"));
    const QDir place = folder.isEmpty() ? own : QDir(folder);
    const QFileInfo usual(place.filePath(QStringLiteral("duoscope.ini")));
    const bool isOther = usual.exists() && !usual.isFile();
    return std::make_unique<QSettings>(
        isOther ? place.filePath(QStringLiteral("duoscope.1.ini")) : usual.filePath(), QSettings::IniFormat);
}

QString told(const char* text)
{
    return QCoreApplication::translate("main", text);
}

struct CommandLine {
    CommandLine()
    {
        parser.setApplicationDescription(told("Shows a neural network, lets you choose what "
                                              "stays in float, quantizes and exports it."));
        parser.addHelpOption();
        parser.addVersionOption();
        parser.addPositionalArgument(QStringLiteral("model"),
            told("model to open: %1").arg(duo::ui::toQt(duo::modelFormatsText())), QStringLiteral("[MODEL]"));
        parser.addOptions({data, checkpoint, recipe, engineMemory, sampleTime, settingsFolder, quitAfterPaint});
    }

    QCommandLineParser parser;
    const QCommandLineOption data{
        QStringLiteral("data"), told("calibration data: a file, a folder, or random:N"), QStringLiteral("spec")};
    const QCommandLineOption checkpoint{QStringLiteral("checkpoint"),
        told("the model's saved parameters, to be compared with it"), QStringLiteral("file")};
    const QCommandLineOption recipe{
        QStringLiteral("recipe"), told("rules and settings to begin with"), QStringLiteral("file")};
    const QCommandLineOption engineMemory{QStringLiteral("engine-memory"),
        told("most that the inference engine may take, as 800M or 4G"), QStringLiteral("size")};
    const QCommandLineOption sampleTime{QStringLiteral("sample-time"),
        told("seconds that the inference engine may take for one sample"), QStringLiteral("seconds")};
    const QCommandLineOption settingsFolder{
        QStringLiteral("settings-dir"), told("keep settings in this folder"), QStringLiteral("folder")};
    const QCommandLineOption quitAfterPaint{
        QStringLiteral("quit-after-paint"), told("leave as soon as the model, or the empty window, has been painted")};
};

/// Help and version are printed, and the program left, where there is no display too: before it is asked for.
void answerWithoutDisplay(int argc, char** argv)
{
    constexpr std::array<std::string_view, 6> kAsked{"-h", "-?", "--help", "--help-all", "-v", "--version"};
    if (std::none_of(argv + 1, argv + argc, [&](const char* word) { return std::ranges::count(kAsked, word) > 0; }))
        return;
    int count = argc;
    const QCoreApplication application(count, argv);
    CommandLine().parser.process(application);
}

/// As the window keeps it, but for what is named. @return Usage
duo::Status limitEngine(const CommandLine& line, const QSettings& settings)
{
    duo::app::setLimits(duo::app::readLimits(settings));
    if (line.parser.isSet(line.engineMemory))
        DUO_CHECK(duo::limitEngineMemory(duo::ui::toStd(line.parser.value(line.engineMemory))));
    if (!line.parser.isSet(line.sampleTime))
        return duo::success();
    const QString text = line.parser.value(line.sampleTime);
    bool isNumber = false;
    const int seconds = text.toInt(&isNumber);
    if (!isNumber || seconds < 1 || std::chrono::seconds(seconds) > duo::kMostSampleTime)
        return duo::Error{duo::ErrorCode::Usage, "'" + duo::ui::toStd(text) + "' is no time for a sample",
            "--sample-time", "give seconds, from 1 to 1000000"};
    duo::limitSampleTime(std::chrono::seconds(seconds));
    return duo::success();
}

} // namespace

int main(int argc, char** argv)
{
    duo::prepareOwnProcess();
    QCoreApplication::setApplicationName(QStringLiteral("duoscope"));
    QCoreApplication::setApplicationVersion(QLatin1String(duo::kVersion));
    answerWithoutDisplay(argc, argv);
    QApplication application(argc, argv);
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Duoscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("duoscope"));
    CommandLine line;
    const QCommandLineParser& parser = line.parser;
    line.parser.process(application);

    const auto settings = openSettings(parser.value(line.settingsFolder));
    if (const auto limited = limitEngine(line, *settings); !limited) {
        std::cerr << "error: " << limited.error().line() << '\n';
        return duo::kUsage;
    }

    const auto client = std::make_shared<duo::LayoutClient>();
    duo::app::MainWindow window(
        *settings, [client](const duo::LayoutInput& input) { return client->layout(input); }, sampleModels());
    window.session().setStatisticsCache(duo::StatisticsCache::ofUser());
    const duo::app::Companions companions{{duo::ui::toStd(parser.value(line.data)), {}},
        duo::ui::toPath(parser.value(line.checkpoint)), duo::ui::toPath(parser.value(line.recipe))};
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/duoscope.svg"))); // the window brings the resources
    const bool hasModel = !parser.positionalArguments().isEmpty();
    if (parser.isSet(line.quitAfterPaint)) {
        const auto leave = [] { QTimer::singleShot(0, qApp, &QCoreApplication::quit); };
        QObject::connect(&window.session(), &duo::app::Session::failed, &window, [](const duo::Error& error) {
            std::cerr << "error: " << error.line() << '\n'; // no picture will come
            QTimer::singleShot(0, qApp, [code = duo::exitCodeOf(error.code)] { QCoreApplication::exit(code); });
        });
        if (hasModel)
            QObject::connect(&window, &duo::app::MainWindow::pictureShown, &window, [&window, leave] {
                window.repaint();
                leave();
            });
        else
            QTimer::singleShot(0, &window, leave);
    }
    window.showOnScreen();
    if (hasModel)
        window.openModel(QFileInfo(parser.positionalArguments().constFirst()).absoluteFilePath(), companions);
    else
        window.session().setFirstCompanions(companions);
    const int code = QApplication::exec();
    if (const QString text = duo::app::leavingText(window.session());
        !text.isEmpty() && !parser.isSet(line.quitAfterPaint))
        std::cerr << duo::ui::toStd(text) << '\n';
    return code;
}
