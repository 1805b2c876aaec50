// SPDX-License-Identifier: Apache-2.0
// MarkBar: what marks come to, counted as one marks, and what can be done with them.
#pragma once

#include "views/intent/mark_intent.h"
#include "views/intent/shown_marks.h"

#include <QLabel>
#include <QToolButton>
#include <QWidget>

namespace duo::ui {

class MarkBar : public QWidget
{
    Q_OBJECT

public:
    explicit MarkBar(QWidget* parent = nullptr);

    /// Seen while somebody marks.
    void setMarks(const ShownMarks& marks);
    [[nodiscard]] QString text() const { return m_counts->text(); }

Q_SIGNALS:
    void intended(const duo::ui::MarkIntent& intent);

private:
    QLabel* m_counts;
    QToolButton* m_more;
};

} // namespace duo::ui
