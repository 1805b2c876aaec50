// SPDX-License-Identifier: Apache-2.0
#include "views/style/reason_style.h"

#include "views/style/tr.h"

namespace duo::ui {
namespace {

struct ReasonText {
    const char* mark;
    const char* label;
    const char* meaning;
};

constexpr const char* kRules = "✎";
constexpr const char* kData = "▶";
constexpr const char* kGraph = "↔";
constexpr const char* kModel = "◇";
constexpr const char* kRuntime = "⚙";

ReasonText textOf(ReasonKind kind)
{
    switch (kind) {
    case ReasonKind::Inputs:
        return {kData, "inputs", "What it reads is quantized."};
    case ReasonKind::Weights:
        return {kData, "weights", "Only its weights are quantized."};
    case ReasonKind::Movement:
        return {kData, "moves data", "It moves quantized data without computing on it."};
    case ReasonKind::Group:
        return {kGraph, "group", "It is computed together with another node."};
    case ReasonKind::Table:
        return {kData, "table", "The table it looks things up in is quantized."};
    case ReasonKind::FileQuantizer:
        return {kModel, "in the file", "The file quantizes it already."};
    case ReasonKind::Rule:
        return {kRules, "rule", "An ignore rule catches it: edit the rule to change it."};
    case ReasonKind::NoTarget:
        return {kRules, "no target", "There are target rules, and none catches it."};
    case ReasonKind::Pattern:
        return {kModel, "pattern", "It belongs to a group of operators that stays in float."};
    case ReasonKind::ModelType:
        return {kModel, "model type", "Its operator stays in float in models of this type."};
    case ReasonKind::PostProcessing:
        return {kModel, "post-processing", "It lies behind a TopK or NonMaxSuppression."};
    case ReasonKind::FrontEnd:
        return {kModel, "front end", "It belongs to a fixed transform in front of the network."};
    case ReasonKind::Range:
        return {kModel, "range", "Its values have no range that codes can hold."};
    case ReasonKind::Operator:
        return {kRuntime, "operator", "Its operator computes in float."};
    case ReasonKind::Profile:
        return {kRuntime, "runtime", "The runtime has no int8 kernel for it here, or would gain nothing."};
    case ReasonKind::Type:
        return {kModel, "type", "Its values are not 32-bit floats."};
    case ReasonKind::Constant:
        return {kModel, "constant", "It does not depend on any input."};
    case ReasonKind::Shape:
        return {kModel, "shape", "It computes a shape, not values."};
    case ReasonKind::Body:
        return {kModel, "body", "It is inside a control-flow body."};
    case ReasonKind::Call:
        return {kModel, "call", "It is a call of a local function, or inside one."};
    case ReasonKind::Neighbour:
        return {kGraph, "neighbours", "Nothing around it wants quantized data."};
    }
    return {"", "", ""};
}

} // namespace

QString reasonKindMark(ReasonKind kind)
{
    return QString::fromUtf8(textOf(kind).mark);
}

QString reasonKindLabel(ReasonKind kind)
{
    return tr(textOf(kind).label);
}

QString reasonKindMeaning(ReasonKind kind)
{
    return tr(textOf(kind).meaning);
}

} // namespace duo::ui
