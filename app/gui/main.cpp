// SPDX-License-Identifier: Apache-2.0
// duoscope: the window.
#include "app/gui/main_window.h"
#include "app/layout/layout_client.h"
#include "core/formats/file_formats.h"
#include "core/support/version.h"
#include "views/style/format.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QFileInfo>
#include <QIcon>
#include <QTimer>

#include <memory>

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

std::unique_ptr<QSettings> openSettings(const QString& folder)
{
    if (folder.isEmpty())
        return std::make_unique<QSettings>(
            QSettings::IniFormat, QSettings::UserScope, QStringLiteral("duoscope"), QStringLiteral("duoscope"));
    return std::make_unique<QSettings>(QDir(folder).filePath(QStringLiteral("duoscope.ini")), QSettings::IniFormat);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("duoscope"));
    QCoreApplication::setApplicationVersion(QLatin1String(duo::kVersion));
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Duoscope"));
    QGuiApplication::setDesktopFileName(QStringLiteral("duoscope"));

    QCommandLineParser parser;
    parser.setApplicationDescription(QCoreApplication::translate("main",
        "Shows a neural network, lets you choose what "
        "stays in float, quantizes and exports it."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("model"),
        QCoreApplication::translate("main", "model to open: %1").arg(duo::ui::toQt(duo::modelFormatsText())),
        QStringLiteral("[MODEL]"));
    const QCommandLineOption data(QStringLiteral("data"),
        QCoreApplication::translate("main", "calibration data: a file, a folder, or random:N"), QStringLiteral("spec"));
    const QCommandLineOption checkpoint(QStringLiteral("checkpoint"),
        QCoreApplication::translate("main", "the model's saved parameters, to be compared with it"),
        QStringLiteral("file"));
    const QCommandLineOption recipe(QStringLiteral("recipe"),
        QCoreApplication::translate("main", "rules and settings to begin with"), QStringLiteral("file"));
    const QCommandLineOption settingsFolder(QStringLiteral("settings-dir"),
        QCoreApplication::translate("main", "keep settings in this folder"), QStringLiteral("folder"));
    const QCommandLineOption quitAfterPaint(QStringLiteral("quit-after-paint"),
        QCoreApplication::translate("main", "leave as soon as the model, or the empty window, has been painted"));
    parser.addOptions({data, checkpoint, recipe, settingsFolder, quitAfterPaint});
    parser.process(application);

    const auto settings = openSettings(parser.value(settingsFolder));
    const auto client = std::make_shared<duo::LayoutClient>();
    duo::app::MainWindow window(
        *settings, [client](const duo::LayoutInput& input) { return client->layout(input); }, sampleModels());
    window.session().setStatisticsCache(duo::StatisticsCache::ofUser());
    const duo::app::Companions companions{{duo::ui::toStd(parser.value(data)), {}},
        duo::ui::toPath(parser.value(checkpoint)), duo::ui::toPath(parser.value(recipe))};
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/duoscope.svg"))); // the window brings the resources
    const bool hasModel = !parser.positionalArguments().isEmpty();
    if (parser.isSet(quitAfterPaint)) {
        const auto leave = [] { QTimer::singleShot(0, qApp, &QCoreApplication::quit); };
        if (hasModel)
            QObject::connect(&window, &duo::app::MainWindow::pictureShown, &window, [&window, leave] {
                window.repaint();
                leave();
            });
        else
            QTimer::singleShot(0, &window, leave);
    }
    window.show();
    if (hasModel)
        window.openModel(QFileInfo(parser.positionalArguments().constFirst()).absoluteFilePath(), companions);
    else
        window.session().setFirstCompanions(companions);
    return QApplication::exec();
}
