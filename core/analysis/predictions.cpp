// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/predictions.h"

#include "core/analysis/signal_error.h"
#include "core/model/tensor.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace duo {
namespace {

constexpr double kTie = 0.01; // of a row's spread
constexpr double kSumError = 0.01; // of a distribution's sum

bool isDistribution(std::span<const double> row)
{
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    return std::ranges::all_of(row, [](double share) { return share >= 0; }) && std::abs(sum - 1) < kSumError;
}

bool isLogDistribution(std::span<const double> row)
{
    double sum = 0;
    for (const double share : row)
        sum += share <= 0 ? std::exp(share) : 2;
    return std::abs(sum - 1) < kSumError;
}

/// As embeddings are normalized; a distribution that is all in one class is one.
bool isNormalized(std::span<const double> row)
{
    const double squares = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
    return std::abs(squares - 1) < kSumError && !isDistribution(row);
}

void countInPlace(Predictions& predictions, double said, std::int64_t times)
{
    constexpr std::size_t kMostSaid = 64;
    const auto known = predictions.said.find(said);
    if (known != predictions.said.end())
        known->second += times;
    else if (predictions.said.size() < kMostSaid)
        predictions.said.emplace(said, times);
}

bool sayTheSame(std::span<const double> a, std::span<const double> b)
{
    const auto [low, high] = std::ranges::minmax_element(a);
    const auto chosen = std::ranges::max_element(b) - b.begin();
    if (a[static_cast<std::size_t>(chosen)] == *high)
        return true; // infinite ones too
    return a[static_cast<std::size_t>(chosen)] >= *high - kTie * (*high - *low);
}

/// The rows of a tensor as doubles, some at a time: an output may be large.
class Rows
{
public:
    Rows(const TensorView& tensor, std::size_t classes)
        : m_tensor(tensor)
        , m_classes(classes)
        , m_rowBytes(classes * static_cast<std::size_t>(elementBits(tensor.type)) / 8)
        , m_atOnce(std::max<std::size_t>(1, kAtOnce / classes))
    {
    }

    [[nodiscard]] std::size_t size() const { return m_rowBytes == 0 ? 0 : m_tensor.bytes.size() / m_rowBytes; }

    /// Rows are asked for in order; the view dies with the next call. @return nothing for a type without numbers here
    std::span<const double> operator[](std::size_t row)
    {
        if (row % m_atOnce == 0) {
            const std::size_t count = std::min(m_atOnce, size() - row);
            m_block = toDoubles({{}, m_tensor.type, {static_cast<std::int64_t>(count * m_classes)},
                m_tensor.bytes.subspan(row * m_rowBytes, count * m_rowBytes)});
        }
        const std::size_t first = row % m_atOnce * m_classes;
        return first + m_classes <= m_block.size() ? std::span<const double>(m_block).subspan(first, m_classes)
                                                   : std::span<const double>();
    }

private:
    static constexpr std::size_t kAtOnce = 8192; // elements
    const TensorView& m_tensor;
    std::size_t m_classes;
    std::size_t m_rowBytes;
    std::size_t m_atOnce; // rows
    std::vector<double> m_block;
};

/// What both models say at each step of [N, T, C], of letters and a blank.
class Steps
{
public:
    explicit Steps(const std::vector<std::int64_t>& dims)
        : m_length(dims.size() == 3 && dims[1] > 1 && dims[2] >= kFewest ? static_cast<std::size_t>(dims[1]) : 0)
        , m_last(dims.back() - 1)
    {
    }

    void add(std::int64_t saidByA, std::int64_t saidByB)
    {
        if (m_length == 0)
            return;
        m_saidByA.push_back(saidByA);
        m_saidByB.push_back(saidByB);
    }

    void readInPlace(Predictions& predictions) const
    {
        const std::span<const std::int64_t> a = m_saidByA;
        const std::span<const std::int64_t> b = m_saidByB;
        for (std::size_t first = 0; m_length > 0 && first + m_length <= a.size(); first += m_length) {
            const auto of = [&](std::int64_t blank) {
                return readingOf(a.subspan(first, m_length), b.subspan(first, m_length), blank);
            };
            predictions.readings[0].add(of(0));
            predictions.readings[1].add(of(m_last));
        }
    }

private:
    static constexpr std::int64_t kFewest = 10; // classes: digits have as many
    std::size_t m_length; // 0: no such steps
    std::int64_t m_last;
    std::vector<std::int64_t> m_saidByA;
    std::vector<std::int64_t> m_saidByB;
};

} // namespace

void addInPlace(Predictions& all, const Predictions& next)
{
    if (next.kind != AnswerKind::Class)
        all.kind = next.kind;
    if (next.all > 0)
        all.areKnown = next.areKnown && (all.areKnown || all.all == 0);
    all.all += next.all;
    all.agreeing += next.agreeing;
    for (std::size_t i = 0; i < all.readings.size(); ++i)
        all.readings[i].add(next.readings[i]);
    for (const auto& [said, times] : next.said)
        countInPlace(all, said, times);
}

Predictions asRead(const Predictions& predictions)
{
    if (predictions.kind != AnswerKind::Class || !predictions.areKnown)
        return predictions;
    for (const ReadLetters& reading : predictions.readings) {
        if (reading.isOfRecogniser())
            return {.all = reading.letters, .agreeing = reading.alike, .areKnown = true, .kind = AnswerKind::Letter};
    }
    return predictions;
}

std::int64_t uncommon(const Predictions& predictions)
{
    if (predictions.kind != AnswerKind::Class)
        return predictions.all;
    std::int64_t most = 0;
    for (const auto& [said, times] : predictions.said)
        most = std::max(most, times);
    return predictions.all - most;
}

std::optional<Predictions> predictionsOf(const TensorView& a, const TensorView& b)
{
    if (!isFloating(a.type) || a.dims != b.dims || a.dims.size() < 2 || a.dims.back() < 2)
        return std::nullopt;
    const auto classes = static_cast<std::size_t>(a.dims.back());
    Rows rowsA(a, classes);
    Rows rowsB(b, classes);
    if (rowsA.size() == 0 || rowsA.size() != rowsB.size())
        return std::nullopt;
    // of more axes, as in segmentation, the last one is none of classes
    const bool isNamedScores = a.name.find("logits") != std::string::npos && a.dims.size() <= 3;
    bool areDistributions = true;
    bool areLogarithms = true;
    Predictions predictions;
    Steps steps(a.dims);
    for (std::size_t row = 0; row < rowsA.size(); ++row) {
        const std::span<const double> rowA = rowsA[row];
        const std::span<const double> rowB = rowsB[row];
        if (rowA.empty() || rowB.empty())
            return std::nullopt;
        areDistributions = areDistributions && isDistribution(rowA);
        areLogarithms = areLogarithms && isLogDistribution(rowA);
        predictions.areKnown = isNamedScores || areDistributions || areLogarithms;
        if (!predictions.areKnown && (a.dims.size() > 2 || isNormalized(rowA)))
            return std::nullopt;
        ++predictions.all;
        const std::int64_t said = std::ranges::max_element(rowA) - rowA.begin();
        const bool isSame = sayTheSame(rowA, rowB);
        countInPlace(predictions, static_cast<double>(said), 1);
        predictions.agreeing += isSame ? 1 : 0;
        steps.add(said, isSame ? said : std::ranges::max_element(rowB) - rowB.begin());
    }
    steps.readInPlace(predictions);
    return predictions;
}

std::optional<Predictions> equalElements(const TensorView& a, const TensorView& b)
{
    const std::vector<double> ofA = toDoubles(a);
    const std::vector<double> ofB = toDoubles(b);
    if (ofA.size() != ofB.size() || (ofA.empty() && !a.bytes.empty()))
        return std::nullopt;
    Predictions equal;
    equal.all = static_cast<std::int64_t>(ofA.size());
    for (std::size_t i = 0; i < ofA.size(); ++i) {
        equal.agreeing += ofA[i] == ofB[i] ? 1 : 0;
        countInPlace(equal, ofA[i], 1);
    }
    return equal;
}

} // namespace duo
