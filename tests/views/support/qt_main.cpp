// SPDX-License-Identifier: Apache-2.0
// main of test programs that need a QApplication. What the desktop and the user have set up changes nothing in them.
#include <gtest/gtest.h>

#include <QApplication>
#include <QTemporaryDir>

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    if (!qEnvironmentVariableIsSet("XDG_CACHE_HOME")) // fonts are looked up there: slow where it is empty
        qputenv("XDG_CACHE_HOME", qgetenv("HOME") + "/.cache");
    const QTemporaryDir home;
    for (const char* folder : {"HOME", "XDG_CONFIG_HOME"})
        qputenv(folder, home.path().toLocal8Bit());
    QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    testing::InitGoogleTest(&argc, argv);
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    return RUN_ALL_TESTS();
}
