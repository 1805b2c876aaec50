// SPDX-License-Identifier: Apache-2.0
// PreviewPanel: the first samples, pictures as pictures, with what their numbers are like; or why there are none.
#pragma once

#include "core/calibrate/samples/dataset_preview.h"

#include <QFrame>
#include <QLabel>
#include <QVBoxLayout>

namespace duo::ui {

class PreviewPanel : public QFrame
{
    Q_OBJECT

public:
    explicit PreviewPanel(QWidget* parent = nullptr);
    void showNothing(const QString& text); // "Reading…"
    void showError(const Error& error);
    void showPreview(const DatasetPreview& preview);

private:
    void clear();
    void addInput(const DatasetPreview& preview, std::size_t input);

    QLabel* m_title;
    QVBoxLayout* m_inputs;
};

} // namespace duo::ui
