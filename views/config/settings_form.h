// SPDX-License-Identifier: Apache-2.0
// SettingsForm: every setting of a recipe as a row: its value, what it does, and what another value would change here.
#pragma once

#include "core/pipeline/sensitivity/setting_effects.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>

#include <optional>
#include <string>
#include <vector>

namespace duo::ui {

class SettingsForm : public QScrollArea
{
    Q_OBJECT

public:
    explicit SettingsForm(QWidget* parent = nullptr);

    void setSettings(const QuantizationSettings& settings);
    /// What was told before is of other settings, rules, or another model. @param areComing of what there is now
    void forgetEffects(bool areComing);
    void setEffects(const Setting& setting, const std::vector<SettingEffect>& effects);

Q_SIGNALS:
    /// One change, of a value that the settings can have. @param value as settingText
    void edited(const duo::Setting* setting, const std::optional<std::string>& value);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Row {
        const Setting* setting;
        QComboBox* choices; // null where a number is written
        QLineEdit* number; // null where a choice is made
        QLabel* about;
        std::optional<std::string> value;
        std::vector<SettingEffect> effects;
        QString problem; // with what was written; "": none
    };
    void addRow(const Setting& setting, QWidget& form);
    void showValue(Row& row);
    void describe(Row& row);
    void choose(std::size_t row, const std::optional<std::string>& value);

    QuantizationSettings m_settings;
    std::vector<Row> m_rows; // as the table
    bool m_isWaiting = false; // for effects
};

} // namespace duo::ui
