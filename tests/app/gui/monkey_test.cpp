// SPDX-License-Identifier: Apache-2.0
// Somebody who does anything anywhere, without reading: the window neither crashes nor hangs. DUO_MONKEY_EVENTS=10000
// in the environment takes that many events instead of a thousand, DUO_MONKEY_SEED another sequence; what was done
// stands in the file that DUO_MONKEY_TRAIL names.
#include "tests/app/gui/window_driver.h"

#include <QApplication>
#include <QDesktopServices>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QTextBrowser>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>

#include <array>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <random>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

int numberOf(const char* name, int otherwise)
{
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::atoi(text);
}

/// Of this thread: what a loaded machine does not stretch.
qint64 processorMs()
{
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/// Takes the addresses that a click would give to the desktop.
class NoBrowser
{
public:
    NoBrowser()
    {
        for (const char* scheme : kSchemes)
            QDesktopServices::setUrlHandler(QLatin1String(scheme), &m_taker, "setSource");
    }
    ~NoBrowser()
    {
        for (const char* scheme : kSchemes)
            QDesktopServices::unsetUrlHandler(QLatin1String(scheme));
    }
    NoBrowser(const NoBrowser&) = delete;
    NoBrowser& operator=(const NoBrowser&) = delete;

private:
    static constexpr std::array kSchemes = {"http", "https", "file", "mailto"};
    QTextBrowser m_taker; // never shown
};

class Monkey : public QObject
{
public:
    Monkey(WindowDriver& driver, unsigned seed)
        : m_driver(driver)
        , m_random(seed)
    {
        if (const char* trail = std::getenv("DUO_MONKEY_TRAIL"))
            m_trail.open(trail);
        connect(&m_keeper, &QTimer::timeout, this, &Monkey::leaveLoops);
        m_keeper.start(kKeeperMs);
    }

    /// @return ms of the processor until the window had nothing left to do
    qint64 act(int number)
    {
        m_acting.start();
        const qint64 before = processorMs();
        m_trail << number << ' ';
        doAnything();
        m_trail << std::flush;
        m_isActing = true;
        QCoreApplication::processEvents();
        if (upTo(50) == 0)
            QTest::qWait(100); // jobs come to their end now and then
        m_isActing = false;
        const qint64 taken = processorMs() - before;
        m_trail << ", " << taken << " ms" << std::endl;
        if (!m_driver.window().isVisible())
            m_driver.window().show();
        return taken;
    }

private:
    static constexpr int kKeeperMs = 20;
    static constexpr int kInnerLoopMs = 300; // what takes longer has a loop of its own: a menu, a dialog, a drag

    [[nodiscard]] int upTo(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }
    template <typename List> auto anyOf(const List& list)
    {
        return list[static_cast<decltype(list.size())>(upTo(static_cast<int>(list.size())))];
    }

    void doAnything()
    {
        m_isActing = true;
        const int kind = upTo(100);
        if (kind < 45)
            useMouse();
        else if (kind < 75)
            useKeys();
        else if (kind < 90)
            trigger();
        else if (kind < 94)
            resize();
        else if (kind < 97)
            drop();
        else
            QTest::qWait(upTo(30));
        m_isActing = false;
    }

    /// A window that is open beside the main one comes first now and then.
    QWidget* anyWindow()
    {
        QWidget* top = QApplication::activePopupWidget();
        if (top == nullptr)
            top = QApplication::activeModalWidget();
        if (top == nullptr && upTo(4) == 0)
            top = anyOf(QApplication::topLevelWidgets());
        return top != nullptr && top->isVisible() && isOurs(top) ? top : &m_driver.window();
    }

    /// A dialog for files may do anything to files of whoever runs the tests.
    static bool isOurs(const QWidget* widget) { return qobject_cast<const QFileDialog*>(widget->window()) == nullptr; }

    void useMouse()
    {
        QWidget* window = anyWindow();
        const QPoint place(upTo(std::max(1, window->width())), upTo(std::max(1, window->height())));
        QWidget* widget = window->childAt(place);
        if (widget == nullptr)
            widget = window;
        const QPoint at = widget->mapFrom(window, place);
        static constexpr std::array kModifiers
            = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
        const Qt::KeyboardModifiers modifiers = anyOf(kModifiers);
        const int kind = upTo(10);
        m_trail << "mouse " << kind << " on " << widget->metaObject()->className() << ' '
                << widget->objectName().toStdString() << ' ' << at.x() << ',' << at.y() << std::flush;
        if (kind < 4)
            QTest::mouseClick(widget, Qt::LeftButton, modifiers, at);
        else if (kind == 4)
            QTest::mouseDClick(widget, Qt::LeftButton, modifiers, at);
        else if (kind == 5)
            QTest::mouseClick(widget, anyOf(std::array{Qt::RightButton, Qt::MiddleButton}), modifiers, at);
        else if (kind == 6)
            askForMenu(widget, at);
        else if (kind == 7)
            drag(widget, at);
        else if (kind == 8)
            turnWheel(widget, at, modifiers);
        else
            QTest::mouseMove(widget, at);
    }

    static void askForMenu(QWidget* widget, const QPoint& at)
    {
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &event);
    }

    void drag(QWidget* widget, const QPoint& from)
    {
        const QPointer<QWidget> still(widget);
        QTest::mousePress(widget, Qt::LeftButton, {}, from);
        for (int i = 0; i < 4 && still; ++i) {
            const QPointF to(upTo(still->width() + 1), upTo(still->height() + 1));
            QMouseEvent move(
                QEvent::MouseMove, to, still->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
            QApplication::sendEvent(still, &move);
        }
        if (still)
            QTest::mouseRelease(still, Qt::LeftButton, {}, {upTo(still->width() + 1), upTo(still->height() + 1)});
    }

    void turnWheel(QWidget* widget, const QPoint& at, Qt::KeyboardModifiers modifiers)
    {
        constexpr int kNotch = 120;
        const QPoint turn = upTo(3) == 0 ? QPoint(kNotch * (upTo(9) - 4), 0) : QPoint(0, kNotch * (upTo(9) - 4));
        QWheelEvent event(
            at, widget->mapToGlobal(at), {}, turn, Qt::NoButton, modifiers, Qt::NoScrollPhase, upTo(2) == 0);
        QApplication::sendEvent(widget, &event);
    }

    /// Letters are few and no words: what is typed may be run as a command.
    void useKeys()
    {
        static constexpr std::array kKeys = {Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Up,
            Qt::Key_Down, Qt::Key_Left, Qt::Key_Right, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Home, Qt::Key_End,
            Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Space, Qt::Key_F2, Qt::Key_F3, Qt::Key_F4, Qt::Key_F6,
            Qt::Key_F10, Qt::Key_I, Qt::Key_T, Qt::Key_X, Qt::Key_E, Qt::Key_C, Qt::Key_F, Qt::Key_O, Qt::Key_Q,
            Qt::Key_0, Qt::Key_9, Qt::Key_ParenLeft, Qt::Key_Asterisk, Qt::Key_Period, Qt::Key_Menu};
        static constexpr std::array kModifiers
            = {Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier, Qt::ControlModifier, Qt::AltModifier};
        QWidget* window = anyWindow();
        QWidget* widget = window->focusWidget() != nullptr ? window->focusWidget() : window;
        const Qt::Key key = anyOf(kKeys);
        const Qt::KeyboardModifiers modifiers = anyOf(kModifiers);
        m_trail << "key " << key << ' ' << modifiers.toInt() << " on " << widget->metaObject()->className() << ' '
                << widget->objectName().toStdString() << std::flush;
        QTest::keyClick(widget, key, modifiers);
    }

    void trigger()
    {
        QAction* action = anyOf(m_driver.window().findChildren<QAction*>());
        m_trail << "action " << action->objectName().toStdString() << std::flush;
        action->trigger();
    }

    void resize()
    {
        QWidget* window = anyWindow();
        const QSize size(1 + upTo(1600), 1 + upTo(1000));
        m_trail << "resize " << size.width() << 'x' << size.height() << std::flush;
        window->resize(size);
    }

    void drop()
    {
        static constexpr std::array kNames = {"digits_conv.onnx", "digits_transformer.onnx", "digits_calibration.npz"};
        if (upTo(4) == 0) {
            m_trail << "drop of rubbish" << std::flush;
            m_driver.drop({m_driver.write("rubbish.onnx", std::string(static_cast<std::size_t>(upTo(99)), '\x08'))});
            return;
        }
        const std::filesystem::path file = m_driver.folder() / anyOf(kNames);
        if (!std::filesystem::exists(file))
            m_driver.copySample(file.filename());
        m_trail << "drop of " << file.filename().string() << std::flush;
        m_driver.drop({file});
    }

    /// Menus, questions and drags have loops of their own in which what acted would wait for ever.
    /// Text that is dragged within it ends to be dragged first, by the key that a user has for it: nobody can close a
    /// dialog otherwise while he drags, and Qt goes on with the widget afterwards.
    void leaveDialog(QDialog& dialog)
    {
        const bool mayDrag = m_acting.elapsed() < 2 * kInnerLoopMs;
        if (QWindow* window = dialog.windowHandle(); window && mayDrag)
            QTest::keyClick(window, Qt::Key_Escape);
        else
            dialog.reject();
    }

    void leaveLoops()
    {
        const auto dialogs = m_driver.window().findChildren<QFileDialog*>();
        for (QFileDialog* dialog : dialogs)
            dialog->reject();
        if (!m_isActing || m_acting.elapsed() < kInnerLoopMs)
            return;
        if (QWidget* popup = QApplication::activePopupWidget()) {
            static constexpr std::array kKeys
                = {Qt::Key_Down, Qt::Key_Down, Qt::Key_Right, Qt::Key_Return, Qt::Key_Escape};
            QTest::keyClick(popup, anyOf(kKeys));
        } else if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
            leaveDialog(*dialog);
        } else if (QWindow* window = m_driver.window().windowHandle()) {
            QTest::keyClick(window, Qt::Key_Escape); // ends a drag
        }
    }

    WindowDriver& m_driver;
    std::mt19937 m_random; // its numbers are the same everywhere
    QTimer m_keeper;
    QElapsedTimer m_acting;
    bool m_isActing = false;
    std::ofstream m_trail;
};

TEST(Monkey, NeitherCrashesNorHangsTheWindow)
{
    constexpr int kFew = 1000;
    constexpr qint64 kHangMs = 20'000; // under sanitizers too; who waits for ever is ended by ctest
    const int events = numberOf("DUO_MONKEY_EVENTS", kFew);
    const auto seed = static_cast<unsigned>(numberOf("DUO_MONKEY_SEED", 1));
    std::cout << "monkey: " << events << " events, seed " << seed << std::endl;
    const NoBrowser noBrowser;
    const std::filesystem::path before = std::filesystem::current_path();
    WindowDriver driver;
    std::filesystem::current_path(driver.folder()); // where it may write
    ASSERT_TRUE(driver.open(driver.copySample("digits_conv.onnx")));
    Monkey monkey(driver, seed);
    qint64 longest = 0;
    for (int i = 0; i < events; ++i)
        longest = std::max(longest, monkey.act(i));
    std::cout << "monkey: the longest event took " << longest << " ms of the processor" << std::endl;
    EXPECT_LT(longest, kHangMs);
    // It still is of use.
    EXPECT_TRUE(driver.open(driver.copySample("digits_transformer.onnx", "afterwards.onnx")));
    std::filesystem::current_path(before);
}

} // namespace
} // namespace duo::test
