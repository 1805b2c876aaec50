// SPDX-License-Identifier: Apache-2.0
#include "views/config/profile_bar.h"

#include "core/quantize/points/profile_rules.h"
#include "views/style/format.h"
#include "views/style/tr.h"

#include <QHBoxLayout>
#include <QSignalBlocker>

namespace duo::ui {
namespace {

constexpr std::array kProfiles{Profile::OrtCpu, Profile::TensorRt, Profile::OpenVino, Profile::Qnn};

QString runtimeOf(Profile profile)
{
    switch (profile) {
    case Profile::OrtCpu:
        return tr("ONNX Runtime on CPUs");
    case Profile::TensorRt:
        return tr("NVIDIA TensorRT");
    case Profile::OpenVino:
        return tr("Intel OpenVINO");
    case Profile::Qnn:
        return tr("Qualcomm QNN");
    }
    return {};
}

QString codesOf(const ProfileRules& rules)
{
    switch (rules.takes.codes) {
    case ActivationCodes::UInt8:
        return QStringLiteral("uint8");
    case ActivationCodes::SignDecides:
        return tr("uint8, int8 where negative");
    case ActivationCodes::Int8:
        return QStringLiteral("int8");
    }
    return {};
}

QString outputsOf(const ProfileRules& rules)
{
    switch (rules.outputs) {
    case OutputQuantizers::Kernels:
        return tr("quantizers also behind operators with int8 kernels");
    case OutputQuantizers::None:
        return tr("quantizers on inputs only");
    case OutputQuantizers::All:
        return tr("quantizers around every operator");
    }
    return {};
}

} // namespace

QString profileSummary(Profile profile)
{
    const ProfileRules& rules = profileRules(profile);
    const QString mode = rules.activations == QuantizationMode::Symmetric ? tr("symmetric") : tr("asymmetric");
    QStringList parts{runtimeOf(profile), tr("%1 activations in %2").arg(mode, codesOf(rules)), outputsOf(rules),
        rules.takes.bias == BiasForm::Int32 ? tr("biases in int32") : tr("biases stay float")};
    if (rules.residual == ResidualRule::SkipOnly)
        parts += tr("additions quantize the skip connection only");
    if (!rules.takes.perChannelProducts)
        parts += tr("weights of products per tensor");
    return parts.join(QStringLiteral("; "));
}

ProfileBar::ProfileBar(QWidget* parent)
    : QWidget(parent)
    , m_profiles(new QComboBox(this))
    , m_summary(new QLabel(this))
{
    setObjectName(QStringLiteral("profileBar"));
    m_profiles->setObjectName(QStringLiteral("profiles"));
    m_profiles->setAccessibleName(tr("Profile: the runtime to quantize for"));
    for (const Profile profile : kProfiles) {
        m_profiles->addItem(toQt(profileText(profile)), static_cast<int>(profile));
        m_profiles->setItemData(m_profiles->count() - 1, profileSummary(profile), Qt::ToolTipRole);
    }
    auto* title = new QLabel(tr("&Profile:"), this);
    title->setBuddy(m_profiles);
    m_summary->setObjectName(QStringLiteral("profileSummary"));
    m_summary->setWordWrap(true);
    m_summary->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(title);
    layout->addWidget(m_profiles);
    layout->addWidget(m_summary, 1);
    setSettings({});
    connect(m_profiles, &QComboBox::currentIndexChanged, this,
        [this] { Q_EMIT profileChosen(static_cast<Profile>(m_profiles->currentData().toInt())); });
}

void ProfileBar::setSettings(const QuantizationSettings& settings)
{
    const QSignalBlocker blocker(m_profiles);
    m_profiles->setCurrentIndex(m_profiles->findData(static_cast<int>(settings.profile)));
    m_summary->setText(profileSummary(settings.profile));
    m_summary->setToolTip(m_summary->text());
}

} // namespace duo::ui
