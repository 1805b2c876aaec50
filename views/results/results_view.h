// SPDX-License-Identifier: Apache-2.0
// ResultsView: what the last quantization and export did, as text that can be selected and copied, and what to do about
// a verdict as a button above it.
#pragma once

#include "core/pipeline/session_file.h"
#include "core/pipeline/snapshot/compression.h"
#include "views/intent/rule_intent.h"

#include <QTextBrowser>

#include <memory>
#include <vector>

class QPushButton;

namespace duo::ui {

struct Pane;

class ResultsView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit ResultsView(QWidget* parent = nullptr);
    /// @param report null: nothing exported yet; @param isStale the recipe was changed since
    void setReport(std::shared_ptr<const ExportReport> report, bool isStale);
    /// @param compression not exported yet; null: none; @param isStale the recipe was changed since
    void setQuantized(std::shared_ptr<const Compression> compression, bool isStale);
    /// Of earlier runs, below those. @param now what one made now would be of
    void setEarlier(const std::vector<EarlierResult>& results, const ResultOrigin& now);

Q_SIGNALS:
    void rulesIntended(const duo::ui::RuleIntent& intent);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void placeSuggestion();

    QPushButton* m_suggestion; // hidden while there is none

    std::shared_ptr<const ExportReport> m_report;
    std::shared_ptr<const Compression> m_quantized;
    std::vector<EarlierResult> m_earlier;
    ResultOrigin m_now;
    bool m_isReportStale = false;
    bool m_isQuantizedStale = false;
};

/// How it stands in the window.
Pane resultsPane();

} // namespace duo::ui
