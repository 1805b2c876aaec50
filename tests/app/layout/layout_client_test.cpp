// SPDX-License-Identifier: Apache-2.0
#include "app/layout/layout_client.h"

#include "core/graph/layout_composer.h"
#include "tests/core/graph/degenerate_graphs.h"
#include "tests/support/child_processes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <csignal>
#include <fstream>
#include <random>
#include <thread>

#include <sys/stat.h>

namespace duo {
namespace {

using std::chrono::milliseconds;
using testing::IsEmpty;
using testing::SizeIs;

/// Busy machines are slow: tests that expect an answer wait for it.
constexpr std::chrono::minutes kPatient{2};

LayoutClient patientClient()
{
    return LayoutClient(DUO_LAYOUT_HELPER, kPatient);
}

TEST(LayoutClient, DotLaysOutEveryDegenerateGraph)
{
    LayoutClient client = patientClient();
    for (const auto& [name, input] : test::degenerateGraphs()) {
        const auto result = client.layout(input);
        ASSERT_TRUE(result) << name << ": " << result.error().line();
        EXPECT_EQ(result->engine, "dot");
        EXPECT_EQ(test::problemOf(input, *result), "") << name;
    }
}

TEST(LayoutClient, DotLeadsEdgesDownwardsAndKeepsPinsAtTheBorders)
{
    LayoutInput input = test::graphOf(5, {{0, 2}, {2, 3}, {0, 3}, {3, 1}, {2, 4}});
    input.pins = {Pin::Top, Pin::Bottom, Pin::Free, Pin::Free, Pin::Bottom};
    LayoutClient client = patientClient();
    const auto result = client.layout(input);
    ASSERT_TRUE(result);
    EXPECT_LT(result->centers[0].y, result->centers[2].y);
    EXPECT_LT(result->centers[2].y, result->centers[3].y);
    EXPECT_LT(result->centers[3].y, result->centers[1].y);
    EXPECT_EQ(result->centers[1].y, result->centers[4].y);
}

TEST(LayoutClient, TwoHelpersGiveTheSameLayout)
{
    LayoutClient one = patientClient();
    LayoutClient other = patientClient();
    for (const auto& [name, input] : test::degenerateGraphs()) {
        const auto first = one.layout(input);
        const auto second = other.layout(input);
        ASSERT_TRUE(first && second) << name;
        EXPECT_EQ(*first, *second) << name;
    }
}

TEST(LayoutClient, OneHelperStaysWarm)
{
    LayoutClient client = patientClient();
    EXPECT_THAT(test::childProcesses(), IsEmpty());
    ASSERT_TRUE(client.layout(test::chainOf(3)));
    const auto helpers = test::childProcesses();
    EXPECT_THAT(helpers, SizeIs(1));
    ASSERT_TRUE(client.layout(test::chainOf(4)));
    EXPECT_EQ(test::childProcesses(), helpers);
}

TEST(LayoutClient, AHelperKilledBetweenRequestsIsReplaced)
{
    LayoutClient client = patientClient();
    for (int round = 0; round < 20; ++round) {
        const auto result = client.layout(test::chainOf(5));
        ASSERT_TRUE(result) << round;
        const auto helpers = test::childProcesses();
        ASSERT_THAT(helpers, SizeIs(1)) << round;
        kill(*helpers.begin(), SIGKILL);
    }
}

TEST(LayoutClient, AHelperKilledAtAnyTimeLosesNoRequest)
{
    const LayoutInput input = test::denseOf(12);
    std::mt19937 random(3);
    for (int round = 0; round < 12; ++round) {
        LayoutClient client = patientClient();
        ASSERT_TRUE(client.layout(test::chainOf(2)));
        const auto helpers = test::childProcesses();
        ASSERT_THAT(helpers, SizeIs(1)) << round;
        const pid_t victim = *helpers.begin();
        const auto delay = std::chrono::microseconds(random() % 3000);
        std::jthread killer([&] {
            const auto start = std::chrono::steady_clock::now();
            while (std::chrono::steady_clock::now() - start < delay) { }
            kill(victim, SIGKILL);
        });
        EXPECT_TRUE(client.layout(input)) << round;
    }
}

/// A program that never answers.
std::filesystem::path deafHelper()
{
    const auto path = std::filesystem::path(testing::TempDir()) / "deaf_helper";
    std::ofstream(path) << "#!/bin/sh\nexec sleep 600\n";
    chmod(path.c_str(), 0755);
    return path;
}

TEST(LayoutClient, ARequestThatTakesTooLongEndsAtItsDeadline)
{
    LayoutClient client(deafHelper(), milliseconds(50));
    const auto result = client.layout(test::chainOf(3));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().line(), "the layout helper took too long");
    EXPECT_THAT(test::childProcesses(), IsEmpty());
}

TEST(LayoutClient, AStopEndsTheRequest)
{
    LayoutClient client(deafHelper(), kPatient);
    std::stop_source source;
    std::jthread stopper([&] { source.request_stop(); });
    const auto result = client.layout(test::chainOf(3), source.get_token());
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Cancelled);
}

TEST(LayoutClient, ProgramsThatAreNoHelperAreErrors)
{
    LayoutClient ends("/bin/true", kPatient);
    EXPECT_EQ(ends.layout(test::chainOf(3)).error().line(),
        "the layout helper ended: try again, and install Duoscope again where that does not help");
    LayoutClient missing("/nowhere/duoscope-layout", kPatient);
    EXPECT_EQ(missing.layout(test::chainOf(3)).error().line(),
        "the layout helper cannot start: No such file or directory: /nowhere/duoscope-layout");
    LayoutClient none(std::filesystem::path{});
    EXPECT_EQ(
        none.layout(test::chainOf(3)).error().line(), "duoscope-layout was not found: install it beside this program");
}

TEST(LayoutClient, WithoutAHelperTheComposerStillHasAPicture)
{
    LayoutClient client("/bin/true", kPatient);
    LayoutComposer composer([&](const LayoutInput& input) { return client.layout(input); });
    ViewGraph view;
    view.boxes.resize(3);
    view.edges = {{0, 1, {}, 1, {}}, {1, 2, {}, 1, {}}};
    const auto picture = composer.compose(view, [](const ViewBox&) { return Size{100, 28}; });
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->engine, "layered");
}

TEST(LayoutClient, AHelperStandsBesideTheProgram)
{
    EXPECT_EQ(findLayoutHelper(), std::filesystem::path(DUO_LAYOUT_HELPER));
}

TEST(LayoutClient, ACommaLocaleChangesNothing)
{
    LayoutClient client = patientClient();
    const auto input = test::denseOf(4);
    const auto expected = client.layout(input);
    ASSERT_TRUE(expected);
    const char* comma = nullptr;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"})
        comma = comma == nullptr ? std::setlocale(LC_ALL, name) : comma;
    if (comma == nullptr)
        GTEST_SKIP() << "no locale with a decimal comma is installed";
    setenv("LC_ALL", comma, 1);
    LayoutClient german = patientClient();
    const auto result = german.layout(input);
    std::setlocale(LC_ALL, "C");
    unsetenv("LC_ALL");
    ASSERT_TRUE(result);
    EXPECT_EQ(*result, *expected);
}

} // namespace
} // namespace duo
