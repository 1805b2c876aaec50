// SPDX-License-Identifier: Apache-2.0
// StatusStrip: the status bar's content: what the rules do to the model, and the job that runs with its Stop button.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"
#include "core/support/progress_rate.h"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QWidget>

#include <memory>

namespace duo::ui {

class StatusStrip : public QWidget
{
    Q_OBJECT

public:
    explicit StatusStrip(QWidget* parent = nullptr);
    /// Null clears the counts. `isStale`: the rules changed since the last quantization.
    void setSnapshot(const std::shared_ptr<const Snapshot>& snapshot, bool isStale);
    /// What the model comes to, beside the counts; "": not known.
    void setOutcome(const QString& outcome);
    /// Shown in place of the counts until it is empty: what a menu entry does, what a key did.
    void setMessage(const QString& message);
    void setRunning(const QString& what); // empty: nothing runs
    void setProgress(const Progress& progress);

Q_SIGNALS:
    void stopRequested();

private:
    void showText();

    std::shared_ptr<const Snapshot> m_snapshot; // that the counts are of
    QString m_countsText;
    bool m_isStale = false;
    QString m_message;
    ProgressRate m_rate;
    QLabel* m_counts;
    QLabel* m_outcome;
    QLabel* m_job;
    QProgressBar* m_progress;
    QToolButton* m_stop;
};

/// "412 nodes | 318 quantized | 61 ignored (3 rules) | 33 float".
QString countsText(const Snapshot& snapshot);

} // namespace duo::ui
