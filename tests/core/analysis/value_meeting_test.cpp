// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/value_meeting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <thread>

namespace duo {
namespace {

using Side = ValueMeeting::Side;

constexpr std::int64_t kValueBytes = 400;

/// Values of 100 floats: B's are by 1 larger than A's, which are the value's number + 1.
class Runs
{
public:
    explicit Runs(std::size_t values)
        : m_values(values)
    {
    }

    /// Both runs compute in these orders until no round is left. @return rounds
    std::size_t meet(
        ValueMeeting& meeting, const std::vector<std::size_t>& orderA, const std::vector<std::size_t>& orderB) const
    {
        std::size_t rounds = 0;
        for (; meeting.startRound(); ++rounds) {
            const std::jthread besides([&] { run(meeting, Side::A, orderA); });
            run(meeting, Side::B, orderB);
        }
        return rounds;
    }

    [[nodiscard]] std::vector<std::size_t> forwards() const
    {
        std::vector<std::size_t> order(m_values);
        std::iota(order.begin(), order.end(), std::size_t{0});
        return order;
    }

    [[nodiscard]] std::vector<std::size_t> backwards() const
    {
        auto order = forwards();
        std::ranges::reverse(order);
        return order;
    }

private:
    static void run(ValueMeeting& meeting, Side side, const std::vector<std::size_t>& order)
    {
        for (const std::size_t value : order) {
            const std::vector<float> floats(100, static_cast<float>(value) + (side == Side::A ? 1.0F : 2.0F));
            const auto bytes = std::as_bytes(std::span(floats));
            const HostTensor tensor{"v", ElementType::Float32, {100}, {bytes.begin(), bytes.end()}};
            meeting.visit(side, value, viewOf(tensor));
        }
        meeting.leave(side);
    }

    std::size_t m_values;
};

void expectAllCompared(const std::vector<PairError>& errors)
{
    for (std::size_t i = 0; i < errors.size(); ++i) {
        EXPECT_TRUE(errors[i].sameShape);
        EXPECT_NEAR(errors[i].error.noise, 100, 1e-6) << i;
        EXPECT_NEAR(errors[i].error.signal, 100.0 * static_cast<double>((i + 1) * (i + 1)), 1e-3) << i;
    }
}

TEST(ValueMeeting, RunsInOneOrderNeedOneRoundHoweverLittleMayWait)
{
    const Runs runs(50);
    for (const std::int64_t most : {std::int64_t{0}, 3 * kValueBytes, 1000 * kValueBytes}) {
        ValueMeeting meeting(50, most, {});
        EXPECT_EQ(runs.meet(meeting, runs.forwards(), runs.forwards()), 1U) << most;
        expectAllCompared(std::move(meeting).errors());
    }
}

TEST(ValueMeeting, RunsInOppositeOrdersPutOffWhatHasNoRoom)
{
    const Runs runs(20);
    ValueMeeting meeting(20, 5 * kValueBytes, {});
    EXPECT_GT(runs.meet(meeting, runs.forwards(), runs.backwards()), 1U);
    expectAllCompared(std::move(meeting).errors());
}

TEST(ValueMeeting, AValueOfOneSideIsNotWaitedForForEver)
{
    const Runs runs(4);
    ValueMeeting meeting(4, kValueBytes, {});
    runs.meet(meeting, {0, 1, 2, 3}, {0, 3});
    const auto errors = std::move(meeting).errors();
    EXPECT_TRUE(errors[0].sameShape);
    EXPECT_FALSE(errors[1].sameShape);
    EXPECT_FALSE(errors[2].sameShape);
    EXPECT_TRUE(errors[3].sameShape);
}

TEST(ValueMeeting, OfNoValuesHasNoRound)
{
    ValueMeeting meeting(0, 1, {});
    EXPECT_FALSE(meeting.startRound());
}

} // namespace
} // namespace duo
