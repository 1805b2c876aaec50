// SPDX-License-Identifier: Apache-2.0
// FoundQuantizers: what a model that somebody quantized says of it, in whatever form its tool writes.
#pragma once

#include "core/model/model.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace duo {

enum class QuantizerForm {
    Pair, // QuantizeLinear, and DequantizeLinear behind it
    Codes, // DequantizeLinear of a constant
    Operator, // scales among the inputs of an operator on codes (QLinearConv)
    Dynamic, // the range of each run (DynamicQuantizeLinear)
    Packed, // blocks of few bits inside a product (MatMulNBits)
};

std::string_view quantizerFormText(QuantizerForm form); // "pair"

struct FoundQuantizer {
    QuantizerForm form = QuantizerForm::Pair;
    NodeId node{}; // that holds its scales
    ValueId value{}; // what it approximates, as floats where the file has them, else as codes
    std::string tensor{}; // the name it has, or had before its tool renamed it
    bool isWeight = false; // the value is a constant
    bool isBias = false; // a constant whose scale follows from data and weight
    ElementType codes = ElementType::Undefined; // Undefined: the file does not say
    int bits = 0; // of a code; below those of `codes` where several share a byte
    std::vector<float> scale{}; // [1], [C] or one per block; empty where every run makes it anew
    std::vector<std::int64_t> zeroPoint{}; // as many
    std::optional<std::int64_t> axis{}; // of several scales, as the file says it: negative ones count from the end
    std::int64_t block = 0; // elements along the axis that share a scale; 0: no blocks
    std::vector<std::int64_t> blockDims{}; // of blocks, what their scales lie in: the tensor's, its axis in blocks
    bool isSmoothed = false; // of a value that SmoothQuant multiplied, or a weight that it divided: the float model has
                             // other numbers there
};

/// Names that nodes had which read what it gives, sorted, quantizers and barriers left out for who reads them; of a
/// weight in an operator the operator's. Empty for other operators on codes.
std::vector<std::string> readersOf(const Model& model, const FoundQuantizer& quantizer);

/// "uint8"; "4 bits" where several codes share a byte.
std::string codesText(const FoundQuantizer& quantizer);

/// A node on codes that this program cannot tell the quantizers of.
struct NotRecovered {
    NodeId node;
    std::string why;
};

struct FoundQuantizers {
    std::vector<FoundQuantizer> quantizers; // in topological order of their nodes
    std::vector<NotRecovered> notRecovered;
};

/// Weights whose codes a tool turned over by negative scales (ONNX Runtime, in blocks) with positive ones and the zero
/// points that then stand for the same numbers; only of types whose codes can all be turned.
FoundQuantizers withTurnedScales(FoundQuantizers found);

/// Of weights, as all forms want their scales: 1 for the 0 of a channel that is all zero, and positive where tools turn
/// codes over. NNCF does with int8 around zero, which has a code more at one end then: isTurnedOver().
FoundQuantizers withPositiveScales(FoundQuantizers found);
bool isTurnedOver(const FoundQuantizer& asFound);
/// Above zero and finite.
bool hasPositiveScales(const FoundQuantizer& quantizer);

/// "conv.weight" of "conv.weight_quantized", of "conv.weight_quantized_1" and of "conv.weight_DequantizeLinear_Output";
/// other names as they are.
std::string nameBeforeCodes(std::string_view name);

/// What exports of this program put where ONNX Runtime must not join quantizers over a node in float: it gives what it
/// reads.
bool isFloatBarrier(const Node& node);
bool isQuantizerOrBarrier(const Node& node); // what quantizing a model puts between its nodes
ValueId behindFloatBarriers(const Model& model, ValueId value);

/// Where a quantizer gave its own name to what it gives back and another one to what it reads ("x" and "x_float"), as
/// exports of this program do: the name that the value had. Otherwise nothing.
std::optional<std::string> nameBeforePair(const Model& model, const Node& quantizer);

/// Whether there is any node that makes codes, reads codes or computes on them. O(nodes).
bool holdsCodes(const Model& model);

/// Of the main graph, bodies and calls. O(nodes + scales).
FoundQuantizers findQuantizers(const Model& model);

} // namespace duo
