// SPDX-License-Identifier: Apache-2.0
#include "views/shell/limits_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace duo::ui {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;
constexpr double kLeastMemory = 0.0625; // GiB, of the engine itself
constexpr double kMostMemory = 100'000; // GiB
constexpr double kMemoryStep = 0.5; // GiB
constexpr int kMemoryDecimals = 4; // a sixteenth
constexpr int kTimeStep = 60; // s

QLabel* aboutLabel(const QString& text, const char* name)
{
    auto* label = new QLabel(text);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    return label;
}

/// Less than the engine itself takes is no limit to run a model in.
void keepUsable(QDoubleSpinBox& memory)
{
    if (memory.value() > 0 && memory.value() < kLeastMemory)
        memory.setValue(kLeastMemory);
}

} // namespace

LimitsDialog::LimitsDialog(
    const EngineLimits& current, const EngineLimits& usual, std::chrono::seconds most, QWidget* parent)
    : QDialog(parent)
    , m_time(new QSpinBox)
    , m_memory(new QDoubleSpinBox)
{
    setObjectName(QStringLiteral("limitsDialog"));
    setWindowTitle(tr("Limits of the engine"));
    m_time->setObjectName(QStringLiteral("sampleTime"));
    m_time->setRange(1, static_cast<int>(most.count()));
    m_time->setSingleStep(kTimeStep);
    m_time->setSuffix(tr(" s"));
    m_memory->setObjectName(QStringLiteral("engineMemory"));
    m_memory->setRange(0, kMostMemory);
    m_memory->setDecimals(kMemoryDecimals);
    m_memory->setSingleStep(kMemoryStep);
    m_memory->setSuffix(tr(" GiB"));
    m_memory->setSpecialValueText(tr("all that the machine has"));
    // Of the box itself: a dialog that ends while one types there is no LimitsDialog any more when the box says so.
    connect(m_memory, &QDoubleSpinBox::editingFinished, m_memory, [memory = m_memory] { keepUsable(*memory); });
    auto* form = new QFormLayout;
    form->addRow(tr("&Time for a sample:"), m_time);
    form->addRow(
        aboutLabel(tr("A run of the engine that takes longer ends with an error: a model may hold a loop that "
                      "never ends. It holds for measuring, comparing, sensitivity, times and checks alike; the "
                      "command line has --sample-time."),
            "aboutSampleTime"));
    form->addRow(tr("&Memory of an engine:"), m_memory);
    form->addRow(aboutLabel(tr("What a process of the engine may map for a model and its values. Beyond it the engine "
                               "gives up with an error, and other programs keep theirs. Values are copied then, which "
                               "takes a little longer; the command line has --engine-memory."),
        "aboutEngineMemory"));
    auto* buttons = new QDialogButtonBox(
        QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this,
        [this, usual] { fill(usual); });
    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(buttons);
    fill(current);
    m_time->setFocus();
}

void LimitsDialog::fill(const EngineLimits& limits)
{
    m_time->setValue(static_cast<int>(limits.sampleTime.count()));
    m_memory->setValue(static_cast<double>(limits.memory) / kGiB);
    keepUsable(*m_memory);
}

EngineLimits LimitsDialog::limits() const
{
    const double memory = m_memory->value() > 0 ? std::max(m_memory->value(), kLeastMemory) : 0;
    return {std::chrono::seconds(m_time->value()), static_cast<std::uint64_t>(std::llround(memory * kGiB))};
}

} // namespace duo::ui
