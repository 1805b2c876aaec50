// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/found_accuracy.h"

#include "core/calibrate/samples/model_input.h"
#include "core/model/tensor.h"

#include <algorithm>
#include <functional>

namespace duo {

FoundAccuracy::FoundAccuracy(const LabelsBeside& labels, const Dataset& dataset, std::int64_t used)
    : m_labels(labels)
{
    if (const Status begun = begin(dataset, used); !begun)
        m_problem = begun.error();
}

Status FoundAccuracy::begin(const Dataset& dataset, std::int64_t used)
{
    DUO_TRY(labels, readLabels(m_labels, dataset));
    const std::int64_t count = labels.dims.front();
    if (dataset.size() < 1 || count % dataset.size() != 0)
        return Error{ErrorCode::BadData,
            "they are " + std::to_string(count) + " for " + std::to_string(dataset.size()) + " samples", {}, {}};
    const std::int64_t kept = count / dataset.size() * std::min(used, dataset.size());
    labels.dims = {kept};
    labels.bytes.resize(static_cast<std::size_t>(packedBytes(labels.type, kept).value_or(0)));
    Tensor tensor;
    tensor.type = labels.type;
    tensor.dims = labels.dims;
    tensor.data = {nullptr, labels.bytes};
    const auto classes = toInts(tensor);
    if (std::ranges::adjacent_find(classes, std::not_equal_to()) == classes.end())
        return Error{ErrorCode::BadData, "they are all of one class", {}, {}};
    DUO_TRY(top1, Top1Count::start(labels, std::min(used, dataset.size())));
    m_count.emplace(std::move(top1));
    return success();
}

void FoundAccuracy::fail(const Error& error)
{
    const std::lock_guard lock(m_mutex);
    if (!m_problem)
        m_problem = error;
}

void FoundAccuracy::add(std::int64_t sample, const TensorView& a, const TensorView& b)
{
    if (!m_count)
        return;
    if (const Status added = m_count->add(sample, a, b); !added)
        fail(added.error());
}

FoundAccuracy::Answer FoundAccuracy::finish() const
{
    std::optional<Error> problem = m_problem;
    if (!problem) {
        const auto top1 = m_count->finish();
        if (top1 && !top1->isChance)
            return {*top1,
                {kLabelsFound,
                    "accuracy is by labels found with the data, " + m_labels.text()
                        + " (\"none\" for labels leaves them out)",
                    {}}};
        problem = top1 ? Error{ErrorCode::BadData, "the float model is right no more often than by chance", {}, {}}
                       : top1.error();
    }
    return {std::nullopt,
        {"labels-unused", "labels found with the data, " + m_labels.text() + ", are not used: " + problem->what, {}}};
}

std::optional<Note> severalLabelsNote(const FoundLabels& found)
{
    if (found.several.empty())
        return std::nullopt;
    std::string all;
    for (const std::string& text : found.several)
        all += (all.empty() ? "" : ", ") + text;
    return Note{"labels-several",
        "several labels lie with the data, and none is used: " + all + "; name the array that is meant", {}};
}

} // namespace duo
