// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/readings.h"

#include "core/analysis/outputs_apart.h"
#include "core/support/bytes_of.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using Said = std::vector<std::int64_t>;

TEST(Readings, TheStepAtWhichALetterIsSaidChangesNothing)
{
    const ReadLetters reading = readingOf(Said{0, 5, 5, 0, 0, 5, 7, 0}, Said{5, 0, 0, 5, 5, 0, 0, 7}, 0);
    EXPECT_EQ(reading.read, 3);
    EXPECT_EQ(reading.letters, 3);
    EXPECT_EQ(reading.alike, 3);
}

TEST(Readings, OtherMissingAndAddedLettersAreChanges)
{
    EXPECT_EQ(readingOf(Said{1, 0, 2, 0, 3}, Said{1, 0, 4, 0, 3}, 0).alike, 2);
    EXPECT_EQ(readingOf(Said{1, 0, 2, 0, 3}, Said{1, 0, 0, 0, 3}, 0).alike, 2);
    const ReadLetters added = readingOf(Said{1, 0, 2, 0, 0}, Said{1, 0, 2, 0, 3}, 0);
    EXPECT_EQ(added.letters, 3);
    EXPECT_EQ(added.alike, 2);
    EXPECT_EQ(readingOf(Said{0, 0}, Said{0, 0}, 0).letters, 0);
}

/// Distributions over twelve classes, one step after the other.
HostTensor steps(const Said& said)
{
    constexpr std::size_t kClasses = 12;
    std::vector<float> shares(said.size() * kClasses, 0);
    for (std::size_t i = 0; i < said.size(); ++i)
        shares[i * kClasses + static_cast<std::size_t>(said[i])] = 1;
    return {"y", ElementType::Float32, {1, static_cast<std::int64_t>(said.size()), kClasses}, bytesOf(shares)};
}

/// `letters` letters between as many blanks.
Said text(std::int64_t letters, std::int64_t blank)
{
    Said said;
    for (std::int64_t i = 0; i < letters; ++i) {
        said.push_back(blank);
        said.push_back(1 + i % 9);
    }
    return said;
}

TEST(Readings, LettersAreCountedOfARecogniserWhicheverClassIsItsBlank)
{
    for (const std::int64_t blank : {0, 11}) {
        const Said a = text(30, blank);
        Said late = a;
        std::swap(late[0], late[1]); // the first letter comes a step earlier
        const OutputApart apart = apartIn(viewOf(steps(a)), viewOf(steps(late)));
        EXPECT_EQ(apart.predictions.all, 60);
        EXPECT_EQ(apart.predictions.agreeing, 58);
        EXPECT_EQ(apart.answers().kind, AnswerKind::Letter);
        EXPECT_EQ(apart.answers().all, 30);
        EXPECT_EQ(apart.agreement(), 1.0);
    }
}

TEST(Readings, StepsAreCountedWhereNothingShowsARecogniser)
{
    const auto kindOf
        = [](const Said& said) { return apartIn(viewOf(steps(said)), viewOf(steps(said))).answers().kind; };
    EXPECT_EQ(kindOf(text(30, 0)), AnswerKind::Letter);
    EXPECT_EQ(kindOf(text(5, 0)), AnswerKind::Class) << "too few";
    EXPECT_EQ(kindOf(Said(60, 3)), AnswerKind::Class) << "no blank";
    Said held = text(30, 0);
    for (std::size_t i = 0; i < 30; ++i)
        held.insert(held.begin() + 1, 2, held[1]);
    EXPECT_EQ(kindOf(held), AnswerKind::Class) << "states that last are no letters";
}

} // namespace
} // namespace duo
