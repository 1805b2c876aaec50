// SPDX-License-Identifier: Apache-2.0
// Every fuzz target takes its seeds, what is kept of it, and changes of both. packaging/fuzz does this for long, led by
// coverage; this is the short run that needs no Clang.
#include "tests/fuzz/fuzz_corpus.h"
#include "tests/fuzz/fuzz_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace duo {

namespace test {

void PrintTo(const FuzzTarget& target, std::ostream* out) // the name of its tests
{
    *out << target.name;
}

} // namespace test

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kTimePerTarget = std::chrono::seconds(2);
constexpr std::uint64_t kMostChanges = 20'000; // of a target

std::size_t below(std::size_t end, std::mt19937_64& random)
{
    return end == 0 ? 0 : random() % end;
}

/// One to four changes: a byte, a bit, a piece left out, doubled, or taken from another input, a word of the target.
std::string changed(const std::vector<std::string>& inputs, const test::FuzzTarget& target, std::mt19937_64& random)
{
    std::string input = inputs[below(inputs.size(), random)];
    for (std::size_t count = 1 + below(4, random); count > 0; --count) {
        const std::size_t at = below(input.size(), random);
        const std::size_t length = 1 + below(16, random);
        const std::string& other = inputs[below(inputs.size(), random)];
        const std::size_t from = below(other.size(), random);
        switch (below(7, random)) {
        case 0:
            if (!input.empty())
                input[at] = static_cast<char>(random());
            break;
        case 1:
            if (!input.empty())
                input[at] = static_cast<char>(input[at] ^ (1 << below(8, random)));
            break;
        case 2:
            input.erase(at, length);
            break;
        case 3:
            input.insert(at, input.substr(at, length));
            break;
        case 4:
            input.insert(at, other.substr(from, length));
            break;
        case 5:
            input = input.substr(0, at) + other.substr(from);
            break;
        default:
            input.insert(at, target.words[below(target.words.size(), random)]);
        }
    }
    return input.substr(0, target.mostBytes);
}

/// "" or what was found.
std::string findingOf(const test::FuzzTarget& target, const std::string& input)
{
    try {
        target.run(input);
    } catch (const std::exception& thrown) {
        return thrown.what();
    }
    return {};
}

class FuzzTargets : public testing::TestWithParam<test::FuzzTarget>
{
};

TEST_P(FuzzTargets, TakeWhatIsKept)
{
    std::size_t number = 0;
    for (const std::string& input : test::inputsOf(GetParam()))
        EXPECT_EQ(findingOf(GetParam(), input), "") << "input " << number++;
}

TEST_P(FuzzTargets, TakeChangesOfIt)
{
    const test::FuzzTarget& target = GetParam();
    const std::vector<std::string> inputs = test::inputsOf(target);
    ASSERT_FALSE(inputs.empty());
    const auto end = Clock::now() + kTimePerTarget;
    for (std::uint64_t seed = 0; seed < kMostChanges && Clock::now() < end; ++seed) {
        std::mt19937_64 random(seed);
        const std::string input = target.mutated != nullptr ? target.mutated(inputs[below(inputs.size(), random)], seed)
                                                            : changed(inputs, target, random);
        ASSERT_EQ(findingOf(target, input), "") << "change " << seed << ":\n" << testing::PrintToString(input);
    }
}

std::string nameOf(const testing::TestParamInfo<test::FuzzTarget>& info)
{
    std::string name(info.param.name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Texts, FuzzTargets, testing::ValuesIn(test::textTargets()), nameOf);
INSTANTIATE_TEST_SUITE_P(States, FuzzTargets, testing::ValuesIn(test::stateTargets()), nameOf);
INSTANTIATE_TEST_SUITE_P(Archives, FuzzTargets, testing::ValuesIn(test::archiveTargets()), nameOf);
INSTANTIATE_TEST_SUITE_P(Models, FuzzTargets, testing::ValuesIn(test::modelTargets()), nameOf);
INSTANTIATE_TEST_SUITE_P(Protocols, FuzzTargets, testing::ValuesIn(test::protocolTargets()), nameOf);

} // namespace
} // namespace duo
