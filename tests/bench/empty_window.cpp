// SPDX-License-Identifier: Apache-2.0
// The floor of start-up: a Qt program that shows an empty window of the same size and ends after its first paint.
#include <QApplication>
#include <QPaintEvent>
#include <QTimer>
#include <QWidget>

namespace {

class EmptyWindow : public QWidget
{
protected:
    void paintEvent(QPaintEvent* event) override
    {
        QWidget::paintEvent(event);
        QTimer::singleShot(0, qApp, &QCoreApplication::quit);
    }
};

} // namespace

int main(int argc, char** argv)
{
    const QApplication app(argc, argv);
    EmptyWindow window;
    window.resize(1400, 900);
    window.show();
    return QApplication::exec();
}
