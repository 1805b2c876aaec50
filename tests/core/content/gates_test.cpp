// SPDX-License-Identifier: Apache-2.0
// Weights of recurrent nodes: gates in another order, directions stacked, biases side by side.
#include "tests/core/content/content_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

constexpr std::size_t kHidden = 5;
constexpr std::size_t kInputs = 7;

void append(std::vector<float>& to, const std::vector<float>& from)
{
    to.insert(to.end(), from.begin(), from.end());
}

/// Equal blocks of a key's values in another order.
std::vector<float> reordered(const std::vector<float>& values, const std::vector<std::size_t>& order)
{
    std::vector<float> result;
    const std::size_t block = values.size() / order.size();
    for (const std::size_t from : order) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(from * block);
        result.insert(result.end(), begin, begin + static_cast<std::ptrdiff_t>(block));
    }
    return result;
}

/// A recurrent module of a checkpoint and the node that an exporter makes of it.
class Recurrent
{
public:
    Recurrent(std::string opType, std::vector<std::size_t> order, bool hasZeroBiases)
        : m_opType(std::move(opType))
        , m_order(std::move(order))
        , m_hasZeroBiases(hasZeroBiases)
    {
        m_model.input("x", {3, 1, kInputs});
    }

    Recurrent& layer(const std::string& number, const std::vector<std::string>& suffixes)
    {
        std::vector<float> w;
        std::vector<float> r;
        std::vector<float> b;
        for (const std::string& suffix : suffixes) {
            append(w, key("weight_ih_l" + number + suffix, kInputs));
            append(r, key("weight_hh_l" + number + suffix, kHidden));
            append(b, key("bias_ih_l" + number + suffix, 0));
            append(b, key("bias_hh_l" + number + suffix, 0));
        }
        const auto directions = static_cast<std::int64_t>(suffixes.size());
        const auto rows = static_cast<std::int64_t>(m_order.size() * kHidden);
        m_model.weight("W" + number, {directions, rows, kInputs}, w);
        m_model.weight("R" + number, {directions, rows, kHidden}, r);
        m_model.weight("B" + number, {directions, 2 * rows}, b);
        m_model.node(m_opType, "rnn_" + number, {"x", "W" + number, "R" + number, "B" + number}, {"y" + number});
        m_model.output("y" + number);
        return *this;
    }

    [[nodiscard]] ContentCase found() const { return ContentCase(m_model.build(), m_stored.build()); }

private:
    std::vector<float> key(const std::string& leaf, std::size_t columns)
    {
        const std::size_t rows = m_order.size() * kHidden;
        auto values = randomValues(rows * std::max<std::size_t>(columns, 1), ++m_seed);
        if (columns == 0 && m_hasZeroBiases)
            values.assign(rows, 0);
        std::vector<std::int64_t> dims{static_cast<std::int64_t>(rows)};
        if (columns > 0)
            dims.push_back(static_cast<std::int64_t>(columns));
        m_stored.key("rnn." + leaf, dims, values);
        return reordered(values, m_order);
    }

    std::string m_opType;
    std::vector<std::size_t> m_order;
    bool m_hasZeroBiases;
    unsigned m_seed = 0;
    ModelBuilder m_model;
    CheckpointBuilder m_stored;
};

TEST(Gates, LstmIsPutTogetherFromFourKeys)
{
    const ContentCase found = Recurrent("LSTM", {0, 3, 1, 2}, false).layer("0", {""}).found();
    EXPECT_EQ(found.at("W0"), (Owners{{"rnn.weight_ih_l0"}, "reordered gates", "proof"}));
    EXPECT_EQ(found.match("W0").transform.gates, (std::vector<int>{0, 3, 1, 2}));
    EXPECT_EQ(found.at("R0"), (Owners{{"rnn.weight_hh_l0"}, "reordered gates", "proof"}));
    EXPECT_EQ(found.at("B0"), (Owners{{"rnn.bias_ih_l0", "rnn.bias_hh_l0"}, "reordered gates", "proof"}));
    EXPECT_EQ(found.match("B0").evidence.front(),
        "put together from 'rnn.bias_ih_l0', 'rnn.bias_hh_l0', blocks in the order 0, 3, 1, 2, 40 elements");
}

TEST(Gates, DirectionsOfAGruAreStacked)
{
    const ContentCase found = Recurrent("GRU", {1, 0, 2}, false).layer("0", {"", "_reverse"}).found();
    EXPECT_EQ(found.at("W0"), (Owners{{"rnn.weight_ih_l0", "rnn.weight_ih_l0_reverse"}, "reordered gates", "proof"}));
    EXPECT_EQ(found.at("B0").keys,
        (std::vector<std::string>{
            "rnn.bias_ih_l0", "rnn.bias_hh_l0", "rnn.bias_ih_l0_reverse", "rnn.bias_hh_l0_reverse"}));
}

TEST(Gates, ZeroBiasesGoWithTheWeightsOfTheirNode)
{
    const ContentCase found
        = Recurrent("LSTM", {0, 3, 1, 2}, true).layer("0", {""}).layer("1", {"", "_reverse"}).found();
    EXPECT_EQ(found.at("B0"), (Owners{{"rnn.bias_ih_l0", "rnn.bias_hh_l0"}, "reordered gates", "witnessed"}));
    EXPECT_EQ(found.at("B1"),
        (Owners{{"rnn.bias_ih_l1", "rnn.bias_hh_l1", "rnn.bias_ih_l1_reverse", "rnn.bias_hh_l1_reverse"},
            "reordered gates", "witnessed"}));
}

TEST(Gates, PlainRecurrenceKeepsItsOrder)
{
    const ContentCase found = Recurrent("RNN", {0}, false).layer("0", {"", "_reverse"}).found();
    EXPECT_EQ(found.at("R0"), (Owners{{"rnn.weight_hh_l0", "rnn.weight_hh_l0_reverse"}, "reordered gates", "proof"}));
}

TEST(Gates, AnyOtherOrderIsFoundToo)
{
    const ContentCase found = Recurrent("LSTM", {3, 2, 1, 0}, false).layer("0", {""}).found();
    EXPECT_EQ(found.match("W0").transform.gates, (std::vector<int>{3, 2, 1, 0}));
}

} // namespace
} // namespace duo::test
