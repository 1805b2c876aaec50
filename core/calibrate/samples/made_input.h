// SPDX-License-Identifier: Apache-2.0
// MadeInput: what an input is fed with where nobody gives data for it, and how large it is.
#pragma once

#include "core/calibrate/samples/model_input.h"
#include "core/calibrate/samples/random_fill.h"

#include <map>

namespace duo {

using Sizes = std::map<std::string, std::int64_t>; // of dimensions, by dimName

/// Its symbol; "x[1]" for axis 1 of input x where it has none.
std::string dimName(const ModelInput& input, std::size_t axis);

/// A size as a sum: "past_sequence_length + 1".
struct SizeSum {
    std::int64_t fixed = 0;
    std::vector<std::string> names = {}; // of dimensions

    [[nodiscard]] std::int64_t at(const Sizes& sizes) const; // unknown names count 1
};

/// Random: floats standard normal, integers uniform. Lengths: of the sequence they describe. ImageSize: height, width.
enum class Filling { Random, Zeros, Ones, Positions, Lengths, Constant, ImageSize };

struct MadeInput {
    std::string name;
    ElementType type = ElementType::Undefined;
    std::vector<SizeSum> dims;
    Filling filling = Filling::Random;
    bool isState = false; // what the model gave for the sample before (h, past_key_values), zero at first
    std::optional<std::int64_t> rows = {}; // of the smallest table that integers are looked up in, where that is known
    SizeSum amount = {}; // Lengths: each; Positions: the first
    std::int64_t constant = 0; // Constant
    std::vector<SizeSum> image = {}; // ImageSize

    [[nodiscard]] std::vector<std::int64_t> dimsAt(const Sizes& sizes) const;
    [[nodiscard]] HostTensor tensor(const Sizes& sizes, const std::array<std::uint64_t, 3>& key) const;
};

/// How each input is filled; by names, types and what reads it. Same order as `inputs`; one of unknown rank is
/// taken for a scalar.
std::vector<MadeInput> madeInputs(const Model& model, const std::vector<ModelInput>& inputs);

/// Outputs that look like the next value of an input, by the input's name: {"h": "hn"}. Each output at most once.
std::map<std::string, std::string> nextStates(const Model& model, const std::vector<ModelInput>& inputs);

} // namespace duo
