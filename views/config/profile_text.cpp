// SPDX-License-Identifier: Apache-2.0
#include "views/config/profile_text.h"

#include "core/quantize/points/profile_rules.h"
#include "views/style/tr.h"

#include <QStringList>

namespace duo::ui {
namespace {

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

QString codesOf(const Target& target)
{
    switch (target.codes) {
    case ActivationCodes::UInt8:
        return QStringLiteral("uint8");
    case ActivationCodes::SignDecides:
        return tr("uint8, int8 where negative");
    case ActivationCodes::Int8:
        return QStringLiteral("int8");
    }
    return {};
}

QString outputsOf(const Target& target)
{
    if (target.quantizesEveryTensor)
        return tr("quantizers around every operator");
    return target.placesForOrtCpu ? tr("quantizers also behind operators with int8 kernels")
                                  : tr("quantizers on inputs only");
}

} // namespace

QString targetSummary(const QuantizationSettings& settings)
{
    const Target target = targetOf(settings);
    const QString mode = target.activations == QuantizationMode::Symmetric ? tr("symmetric") : tr("asymmetric");
    QStringList parts{runtimeOf(settings.profile), tr("%1 activations in %2").arg(mode, codesOf(target)),
        outputsOf(target), target.bias == BiasForm::Int32 ? tr("biases in int32") : tr("biases stay float")};
    if (target.addsSkipsOnly)
        parts += tr("additions quantize the skip connection only");
    if (!target.perChannelProducts)
        parts += tr("weights of products per tensor");
    return parts.join(QStringLiteral("; "));
}

} // namespace duo::ui
