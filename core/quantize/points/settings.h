// SPDX-License-Identifier: Apache-2.0
// QuantizationSettings: the `quantization` part of a recipe, with NNCF's parameter names.
#pragma once

#include "core/model/range_estimator.h"
#include "core/quantize/points/quantizer_setup.h"
#include "core/rules/rule.h"
#include "core/support/enum_text.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

enum class Profile { OrtCpu, TensorRt, OpenVino, Qnn };
inline constexpr auto kProfileTexts = enumTexts<Profile::Qnn>({"ort-cpu", "tensorrt", "openvino", "qnn"});
enum class Preset { Performance, Mixed };
enum class TargetDevice { Any, Cpu, Gpu, Npu, CpuSpr };
enum class ModelType { None, Transformer };
enum class OverflowFix { Disable, Enable, FirstLayer };

/// A range estimator for the activations of the nodes a rule catches.
struct EstimatorRule {
    Rule rule;
    RangeEstimatorParameters activations;
    bool operator==(const EstimatorRule&) const = default;
};

/// What makes up for quantization, by NNCF's parameters.
struct CorrectionSettings {
    std::optional<bool> disableBiasCorrection; // unset: NNCF's false
    std::optional<bool> fastBiasCorrection; // unset: NNCF's true
    std::optional<double> biasThreshold; // bias_correction_params.threshold; unset: 2, not fast: 1000
    std::optional<double>
        smoothQuantMatMul; // smooth_quant_alphas; unset: kTransformerAlpha in NNCF's transformers, else -1
    std::optional<double> smoothQuantConvolution; // unset: -1
    bool crossLayerEqualization = false; // cross_layer_equalization, not NNCF's
    bool operator==(const CorrectionSettings&) const = default;
};

struct QuantizationSettings {
    Profile profile = Profile::OrtCpu;
    bool nncfCompatible = false;
    std::optional<Preset> preset; // unset: the profile's own
    TargetDevice targetDevice = TargetDevice::Any;
    std::optional<ModelType> modelType; // unset: what the model tells (chosenSettings), else none
    std::optional<OverflowFix> overflowFix; // unset: the profile's own
    std::optional<int> subsetSize; // samples used for calibration; unset: 300
    bool stopWhenConverged = false; // stop_when_converged, not NNCF's: fewer samples where more change no scale
    bool quantizeOutputs = false;
    PrecisionOverride activations; // activations_quantization_params
    PrecisionOverride weights; // weights_quantization_params
    std::optional<RangeEstimatorParameters> activationsRangeEstimator; // unset fields: the default's
    std::vector<EstimatorRule> rangeEstimatorRules; // for some nodes; the last one that catches a node wins
    bool powerOfTwoScales = false; // every scale a power of two, the next larger one
    CorrectionSettings corrections;
    std::string unknownKeys; // JSON object text of keys we do not know, kept on saving
    bool operator==(const QuantizationSettings&) const = default;
};

/// SmoothQuant's alpha of products in transformers: NNCF's.
inline constexpr double kTransformerAlpha = 0.95;

bool correctsBiases(const QuantizationSettings& settings);
bool correctsBiasesFast(const QuantizationSettings& settings); // in closed form, not by running the quantized model
double biasThreshold(const QuantizationSettings& settings); // largest share of the bias a shift may be
double smoothQuantMatMul(const QuantizationSettings& settings); // alpha; negative: off
double smoothQuantConvolution(const QuantizationSettings& settings);

std::string_view profileText(Profile profile); // "ort-cpu"
std::optional<Profile> profileFromText(std::string_view text);

} // namespace duo
