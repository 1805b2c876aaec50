// SPDX-License-Identifier: Apache-2.0
#include "views/results/bounds_dialog.h"

#include "views/style/format.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace duo::ui {
namespace {

constexpr double kUsualSqnr = 30; // dB
constexpr double kUsualAgreement = 99; // percent

QDoubleSpinBox* numberBox(const char* name, double high, int decimals, const QString& unit, double value)
{
    auto* box = new QDoubleSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(0, high);
    box->setDecimals(decimals);
    box->setSuffix(unit);
    box->setValue(value);
    return box;
}

QCheckBox* choiceBox(const char* name, const QString& text, bool isOn)
{
    auto* box = new QCheckBox(text);
    box->setObjectName(QLatin1String(name));
    box->setChecked(isOn);
    return box;
}

} // namespace

BoundsDialog::BoundsDialog(const ExportDemands& current, QWidget* parent)
    : QDialog(parent)
    , m_hasSqnr(choiceBox("hasMinSqnr", tr("&SQNR of every output at least"), current.bounds.minSqnrDb.has_value()))
    , m_sqnr(numberBox("minSqnr", 200, 1, tr(" dB"), current.bounds.minSqnrDb.value_or(kUsualSqnr)))
    , m_hasAgreement(
          choiceBox("hasMinAgreement", tr("&Predictions that stay the same"), current.bounds.minAgreement.has_value()))
    , m_agreement(numberBox("minAgreement", 100, 2, tr(" %"),
          current.bounds.minAgreement ? 100 * *current.bounds.minAgreement : kUsualAgreement))
    , m_labels(new QLineEdit(toQt(current.verdict.labels)))
    , m_metric(new QLineEdit(toQt(current.verdict.metricCommand)))
    , m_drop(numberBox("maxDrop", 100, 2, tr(" %"), 100 * current.verdict.maxDrop))
{
    setObjectName(QStringLiteral("boundsDialog"));
    setWindowTitle(tr("Bounds of the export"));
    m_sqnr->setToolTip(tr("Signal to noise of the quantized model's output against the float model's"));
    m_agreement->setToolTip(
        tr("Of class scores: how often the largest one is the same; of a detector, how often both find the same"));
    m_labels->setObjectName(QStringLiteral("labels"));
    m_labels->setPlaceholderText(tr("those found with the data; an array's name; or none"));
    m_labels->setToolTip(
        tr("Array of the calibration data with the right classes of the first output. Left empty, labels that lie with "
           "the "
           "data show the accuracy and decide of the result, but keep no scope in float; none: without."));
    m_metric->setObjectName(QStringLiteral("metric"));
    m_metric->setPlaceholderText(tr("none; as python3 evaluate.py {model}"));
    m_metric->setToolTip(
        tr("A command of yours, run for both models: the last number it prints counts, higher is better"));
    m_metric->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
    m_drop->setToolTip(tr("Of accuracy in points; of a metric as a share of the float model's"));
    auto* intro = new QLabel(tr("Where an export misses a bound, scopes stay in float, the most sensitive first, until "
                                "it holds. Rules say which; one undo takes them back."));
    intro->setWordWrap(true);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    m_ok = buttons->button(QDialogButtonBox::Ok);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(intro);
    layout->addLayout(makeForm());
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_hasSqnr, &QCheckBox::toggled, this, &BoundsDialog::update);
    connect(m_hasAgreement, &QCheckBox::toggled, this, &BoundsDialog::update);
    connect(m_labels, &QLineEdit::textChanged, this, &BoundsDialog::update);
    connect(m_metric, &QLineEdit::textChanged, this, &BoundsDialog::update);
    m_hasSqnr->setFocus();
    update();
}

QFormLayout* BoundsDialog::makeForm()
{
    auto* form = new QFormLayout;
    form->addRow(m_hasSqnr, m_sqnr);
    form->addRow(m_hasAgreement, m_agreement);
    form->addRow(tr("&Labels in the data:"), m_labels);
    form->addRow(tr("&Metric command:"), m_metric);
    form->addRow(tr("These may &drop by"), m_drop);
    return form;
}

/// A metric without the model's place would judge nothing.
void BoundsDialog::update()
{
    m_sqnr->setEnabled(m_hasSqnr->isChecked());
    m_agreement->setEnabled(m_hasAgreement->isChecked());
    const QString metric = m_metric->text().trimmed();
    m_drop->setEnabled(!metric.isEmpty() || m_labels->text().trimmed() != QLatin1String(kNoLabels));
    const bool isWhole = metric.isEmpty() || metric.contains(QStringLiteral("{model}"));
    m_ok->setEnabled(isWhole);
    m_ok->setToolTip(isWhole ? QString() : tr("Write {model} where the path of the model goes"));
}

ExportDemands BoundsDialog::demands() const
{
    constexpr double kPercent = 100;
    ExportDemands demands;
    if (m_hasSqnr->isChecked())
        demands.bounds.minSqnrDb = m_sqnr->value();
    if (m_hasAgreement->isChecked())
        demands.bounds.minAgreement = m_agreement->value() / kPercent;
    demands.verdict.labels = toStd(m_labels->text().trimmed());
    demands.verdict.metricCommand = toStd(m_metric->text().trimmed());
    demands.verdict.maxDrop = m_drop->value() / kPercent;
    return demands;
}

} // namespace duo::ui
