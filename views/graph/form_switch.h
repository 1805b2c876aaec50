// SPDX-License-Identifier: Apache-2.0
// FormSwitch: three segments in a corner of the graph, one for each form of it, and what is told of the one shown.
#pragma once

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>

#include <vector>

namespace duo::ui {

class FormSwitch : public QFrame
{
    Q_OBJECT

public:
    explicit FormSwitch(QWidget* parent = nullptr);
    /// Checkable, one of them at a time; their icon texts are on the segments.
    void setActions(const std::vector<QAction*>& actions);
    void setAbout(const QString& text); // "": nothing is told
    [[nodiscard]] QString about() const { return m_about->text(); }
    /// @param width at most, px: what is told is broken into lines
    void moveTo(const QPoint& topRight, int width); // of the parent

Q_SIGNALS:
    void resized(); // by itself: it is to be moved

private:
    QHBoxLayout* m_segments;
    QLabel* m_about;
};

} // namespace duo::ui
