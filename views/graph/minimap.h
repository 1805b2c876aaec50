// SPDX-License-Identifier: Apache-2.0
// Minimap: the whole picture, small, with what of it is in sight. A click or a drag goes there.
#pragma once

#include "views/graph/picture.h"
#include "views/style/theme.h"

#include <QPixmap>
#include <QWidget>

#include <memory>

namespace duo::ui {

class Minimap : public QWidget
{
    Q_OBJECT

public:
    explicit Minimap(QWidget* parent = nullptr);

    void setPicture(std::shared_ptr<const Picture> picture); // null: nothing is shown
    /// What is in sight, px of the picture; hidden where that is all of it.
    void setSeen(const QRectF& seen);

Q_SIGNALS:
    void wanted(const QPointF& point); // px of the picture

protected:
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void draw();
    void ask(const QPointF& at);

    std::shared_ptr<const Picture> m_picture;
    QRectF m_seen;
    QPixmap m_drawn;
    double m_scale = 1; // px here per px of the picture
};

} // namespace duo::ui
