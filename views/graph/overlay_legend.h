// SPDX-License-Identifier: Apache-2.0
// OverlayLegend: what the colours of the graph mean, in a corner of it; or what to do to have them.
#pragma once

#include "views/intent/shown_overlay.h"

#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

#include <memory>

namespace duo::ui {

class OverlayLegend : public QFrame
{
    Q_OBJECT

public:
    explicit OverlayLegend(QWidget* parent = nullptr);
    /// Null hides it. @param isOfPicture false: its values are not of what is drawn, and it says so
    void setOverlay(std::shared_ptr<const ShownOverlay> overlay, bool isOfPicture);
    /// Takes the room it needs: a sentence goes on in the next line where it were wider than that (px).
    void fitInto(int width);
    [[nodiscard]] QString text() const { return m_rows->text(); } // rich text

Q_SIGNALS:
    void measureRequested(duo::OverlayKind kind);
    void resized(); // by itself: it is to be placed

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();
    [[nodiscard]] QString rowsText() const;

    std::shared_ptr<const ShownOverlay> m_overlay;
    bool m_isOfPicture = true;
    QToolButton* m_title; // folds the rest
    QLabel* m_rows;
    QPushButton* m_measure;
};

} // namespace duo::ui
