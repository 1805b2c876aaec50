// SPDX-License-Identifier: Apache-2.0
// LimitsDialog: how long the inference engine may run a sample, and how much memory it may take.
#pragma once

#include <QDialog>
#include <QDoubleSpinBox>
#include <QSpinBox>

#include <chrono>
#include <cstdint>

namespace duo::ui {

/// Of every engine, whatever it runs for.
struct EngineLimits {
    std::chrono::seconds sampleTime = {};
    std::uint64_t memory = 0; // bytes; 0: all that the machine has
    bool operator==(const EngineLimits&) const = default;
};

class LimitsDialog : public QDialog
{
    Q_OBJECT

public:
    /// @param usual what a button brings back; @param most the longest time that can be chosen
    LimitsDialog(
        const EngineLimits& current, const EngineLimits& usual, std::chrono::seconds most, QWidget* parent = nullptr);
    [[nodiscard]] EngineLimits limits() const;

private:
    void fill(const EngineLimits& limits);

    QSpinBox* m_time; // s
    QDoubleSpinBox* m_memory; // GiB
};

} // namespace duo::ui
