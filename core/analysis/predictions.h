// SPDX-License-Identifier: Apache-2.0
// Predictions: how often two models give the same answer, where an output holds some: classes, letters, detections.
#pragma once

#include "core/analysis/readings.h"
#include "core/engine/session.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>

namespace duo {

/// What is counted.
enum class AnswerKind : std::uint8_t {
    Class, // rows, by their largest element; elements of whole numbers
    Letter, // that a recogniser reads (readings.h)
    Detection, // that a detector reports (detections.h)
    ChosenNumber, // elements that hang on a choice (chosen_numbers.h)
};

struct Predictions {
    std::int64_t all = 0; // answers
    std::int64_t agreeing = 0;
    std::map<double, std::int64_t> said = {}; // how often A says each, of the first 64 different ones
    bool areKnown = false; // A's values or its name tell that these are class scores; else only the shape fits them
    AnswerKind kind = AnswerKind::Class;
    std::array<ReadLetters, 2> readings
        = {}; // if these are steps of a recogniser: with the first or the last class as the blank
};

/// Adds the counts, and what is said and read.
void addInPlace(Predictions& all, const Predictions& next);
/// Letters instead of steps, where A's answers are those of a recogniser; else as they are.
Predictions asRead(const Predictions& predictions);
/// Rows or elements that are not what A says most often: a constant answer is wrong in so many. Of other answers all.
std::int64_t uncommon(const Predictions& predictions);

/// Rows along the last axis of float tensors of one shape. Known to be class scores: rows that are all probability
/// distributions, or logarithms of such, and [N, C] or [N, T, C] where the tensor's name says logits. Others may be:
/// of [N, C] with C >= 2, unless the rows have length 1 in the Euclidean norm, as embeddings do. They agree where B's
/// largest element is A's too, or one that is as large to within a hundredth of the row's spread. Nothing where A is
/// neither.
std::optional<Predictions> predictionsOf(const TensorView& a, const TensorView& b);

/// Elements of tensors of whole numbers or truth values, and how many are equal. Nothing for types without numeric
/// elements here (strings, below 8 bits).
std::optional<Predictions> equalElements(const TensorView& a, const TensorView& b);

} // namespace duo
