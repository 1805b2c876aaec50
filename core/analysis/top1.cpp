// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/top1.h"

#include "core/analysis/signal_error.h"
#include "core/model/tensor.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

namespace duo {
namespace {

Result<std::vector<std::int64_t>> classesIn(const TensorView& tensor)
{
    const std::vector<double> elements = toDoubles(tensor);
    if (!isFloating(tensor.type) && !elements.empty())
        return std::vector<std::int64_t>(elements.begin(), elements.end());
    const auto classes = static_cast<std::size_t>(tensor.dims.empty() ? 0 : tensor.dims.back());
    if (classes == 0 || elements.empty())
        return Error{ErrorCode::BadData, "labels need an output with one number per class", tensor.name,
            "leave --labels out, or compare models whose first output has classes along its last axis"};
    std::vector<std::int64_t> largest;
    for (std::size_t row = 0; row + classes <= elements.size(); row += classes) {
        const auto first = elements.begin() + static_cast<std::ptrdiff_t>(row);
        largest.push_back(std::max_element(first, first + static_cast<std::ptrdiff_t>(classes)) - first);
    }
    return largest;
}

/// Whether `right` of the answers may be right by accident: no more than two standard deviations above what is to be
/// expected of answers with these frequencies that do not look at the sample. All right is never an accident.
bool isByChance(const std::vector<std::int64_t>& answers, std::span<const std::int64_t> labels, std::int64_t right)
{
    const auto all = static_cast<double>(answers.size());
    std::map<std::int64_t, double> ofLabels;
    for (const std::int64_t label : labels.first(answers.size()))
        ofLabels[label] += 1 / all;
    double expected = 0;
    for (const std::int64_t answer : answers) {
        const auto found = ofLabels.find(answer);
        expected += found == ofLabels.end() ? 0 : found->second / all;
    }
    const double share = static_cast<double>(right) / all;
    return share < 1 && share <= expected + 2 * std::sqrt(expected * (1 - expected) / all);
}

} // namespace

Result<Top1Count> Top1Count::start(const HostTensor& labels, std::int64_t samples)
{
    Tensor tensor;
    tensor.type = labels.type;
    tensor.dims = labels.dims;
    tensor.data = {nullptr, labels.bytes};
    Top1Count count;
    count.m_name = labels.name;
    count.m_labels = toInts(tensor);
    count.m_bySample.resize(static_cast<std::size_t>(samples));
    if (count.m_labels.empty())
        return Error{ErrorCode::BadData, "labels are not integers", labels.name,
            "give class numbers as an integer array with one entry per prediction"};
    return count;
}

Status Top1Count::add(std::int64_t sample, const TensorView& a, const TensorView& b)
{
    DUO_TRY(ofA, classesIn(a));
    DUO_TRY(ofB, classesIn(b));
    if (ofA.size() != ofB.size())
        return Error{ErrorCode::BadData, "the models give different numbers of predictions", a.name,
            std::to_string(ofA.size()) + " and " + std::to_string(ofB.size())};
    m_bySample[static_cast<std::size_t>(sample)] = {std::move(ofA), std::move(ofB)};
    if (sample == 0 && isFloating(a.type))
        m_classes = a.dims.back();
    return success();
}

Result<Top1> Top1Count::finish() const
{
    std::size_t predictions = 0;
    std::size_t perSample = 1;
    for (const Classes& classes : m_bySample) {
        predictions += classes.a.size();
        perSample = std::max(perSample, classes.a.size());
    }
    if (predictions == 0 || m_labels.size() < predictions || m_labels.size() - predictions >= perSample)
        return Error{ErrorCode::BadData, "labels do not fit the predictions", m_name,
            std::to_string(m_labels.size()) + " labels for " + std::to_string(predictions) + " predictions"};
    std::int64_t known = 0; // labels that a prediction may be
    for (std::size_t i = 0; i < predictions; ++i)
        known += m_labels[i] >= 0 && m_labels[i] < m_classes ? 1 : 0;
    if (m_classes > 0 && known == 0)
        return Error{ErrorCode::BadData, "no label is one of the model's classes", m_name,
            "classes are counted from 0 to " + std::to_string(m_classes - 1)};
    std::int64_t rightA = 0;
    std::int64_t rightB = 0;
    std::int64_t same = 0;
    std::vector<std::int64_t> answers; // of A
    auto label = m_labels.begin();
    for (const Classes& classes : m_bySample) {
        for (std::size_t i = 0; i < classes.a.size(); ++i, ++label) {
            rightA += classes.a[i] == *label ? 1 : 0;
            rightB += classes.b[i] == *label ? 1 : 0;
            same += classes.a[i] == classes.b[i] ? 1 : 0;
            answers.push_back(classes.a[i]);
        }
    }
    const auto all = static_cast<double>(predictions);
    return Top1{static_cast<double>(rightA) / all, static_cast<double>(rightB) / all, static_cast<double>(same) / all,
        isByChance(answers, m_labels, rightA), static_cast<std::int64_t>(predictions),
        static_cast<std::int64_t>(m_labels.size() - predictions)};
}

} // namespace duo
