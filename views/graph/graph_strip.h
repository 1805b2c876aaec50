// SPDX-License-Identifier: Apache-2.0
// GraphStrip: the strip above the graph: the path to what is in sight, the form the graph has, and what is told of it.
#pragma once

#include "views/graph/breadcrumb.h"

#include <QAction>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>

#include <vector>

namespace duo::ui {

class GraphStrip : public QFrame
{
    Q_OBJECT

public:
    explicit GraphStrip(QWidget* parent = nullptr);
    [[nodiscard]] Breadcrumb* path() const { return m_path; }
    /// Px of width that the path may take.
    [[nodiscard]] int roomOfPath() const;
    /// Checkable, one of them at a time; their icon texts are on the segments.
    void setActions(const std::vector<QAction*>& actions);
    void setAbout(const QString& text); // "": nothing is told
    [[nodiscard]] QString about() const { return m_about->text(); }
    /// Takes the width, and the height that it needs then. @return that height, px
    int takeWidth(int width);

Q_SIGNALS:
    void changed(); // it may need another height

protected:
    bool event(QEvent* event) override;

private:
    QHBoxLayout* m_row;
    Breadcrumb* m_path;
    QFrame* m_segments;
    QLabel* m_about;
};

} // namespace duo::ui
