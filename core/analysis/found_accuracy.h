// SPDX-License-Identifier: Apache-2.0
// FoundAccuracy: top-1 accuracy by labels that were found with the data. Labels that do not fit are told, and fail
// nothing: nobody asked for them.
#pragma once

#include "core/analysis/top1.h"
#include "core/calibrate/samples/labels_beside.h"

#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace duo {

inline constexpr const char* kLabelsFound = "labels-found"; // kind of the note on labels that are used

class FoundAccuracy
{
public:
    /// @param used samples that predictions are given of: the first of the dataset
    FoundAccuracy(const LabelsBeside& labels, const Dataset& dataset, std::int64_t used);
    FoundAccuracy(const FoundAccuracy&) = delete;
    FoundAccuracy& operator=(const FoundAccuracy&) = delete;

    /// As Top1Count::add, from several threads.
    void add(std::int64_t sample, const TensorView& a, const TensorView& b);

    /// No prediction can tell anything any more.
    [[nodiscard]] bool hasFailed() const { return !m_count; }

    struct Answer {
        std::optional<Top1> top1; // nothing: the labels tell nothing
        Note note; // which labels they are, and where that is so, why they tell nothing
    };
    [[nodiscard]] Answer finish() const;

private:
    Status begin(const Dataset& dataset, std::int64_t used);
    void fail(const Error& error);

    LabelsBeside m_labels;
    std::optional<Top1Count> m_count;
    std::mutex m_mutex;
    std::optional<Error> m_problem;
};

/// A word for each of FoundLabels where it is not known which are meant; nothing otherwise.
std::optional<Note> severalLabelsNote(const FoundLabels& found);

} // namespace duo
