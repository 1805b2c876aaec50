// SPDX-License-Identifier: Apache-2.0
// ProfileBar: the runtime a model is quantized for, and what that choice means, in a line.
#pragma once

#include "core/quantize/points/settings.h"

#include <QComboBox>
#include <QLabel>
#include <QWidget>

namespace duo::ui {

/// What a profile decides: types of activations, biases, where quantizers go. From its rules (profile_rules.h).
QString profileSummary(Profile profile);

class ProfileBar : public QWidget
{
    Q_OBJECT

public:
    explicit ProfileBar(QWidget* parent = nullptr);
    void setSettings(const QuantizationSettings& settings);

Q_SIGNALS:
    void profileChosen(duo::Profile profile); // by the user, another one

private:
    QComboBox* m_profiles;
    QLabel* m_summary;
};

} // namespace duo::ui
