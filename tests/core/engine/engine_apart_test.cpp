// SPDX-License-Identifier: Apache-2.0
// The engine is a process of its own: what happens to it happens to nothing else.
#include "core/engine/engine_process.h"
#include "core/engine/open_model.h"
#include "core/engine/run_limit.h"
#include "core/engine/session.h"
#include "core/onnx/reader.h"
#include "core/support/available_memory.h"
#include "core/support/file.h"
#include "core/support/parallel.h"
#include "core/support/sanitized.h"
#include "tests/support/child_processes.h"
#include "tests/support/proto_builder.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::HasSubstr;
using Clock = std::chrono::steady_clock;

const std::filesystem::path kHostile = std::filesystem::path(DUO_TEST_DATA) / "hostile";
const std::filesystem::path kModels = std::filesystem::path(DUO_TEST_DATA) / "models";

std::ptrdiff_t openFiles()
{
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
}

HostTensor feedOf(std::vector<std::int64_t> dims)
{
    std::size_t count = 1;
    for (const std::int64_t dim : dims)
        count *= static_cast<std::size_t>(dim);
    return {"x", ElementType::Float32, std::move(dims), std::vector<std::byte>(count * sizeof(float))};
}

/// A model that makes trouble (tests/support/custom_op_library.cpp).
std::string trouble(int kind, int early)
{
    test::ProtoBuilder network;
    network.input("x", {4}).output("y", {4});
    auto& node = network.node("Trouble", "trouble", {"x"}, {"y"});
    node.set_domain("duo.test");
    test::addInt(node, "kind", kind);
    test::addInt(node, "early", early);
    auto* import = network.model().add_opset_import();
    import->set_domain("duo.test");
    import->set_version(1);
    return network.text();
}

Result<Session> openTrouble(int kind, bool early, std::stop_token stop = {})
{
    const std::string model = trouble(kind, early ? 1 : 0);
    return Session::openBytes(std::as_bytes(std::span(model)),
        {.customOps = {DUO_CUSTOM_OPS}, .crashPlace = "m.onnx", .stop = std::move(stop)});
}

constexpr int kNeverEnds = 0;
constexpr int kLeaves = -1;

TEST(EngineApart, ACrashWhileAModelIsLoadedIsOneLine)
{
    const auto file = MappedFile::open(kHostile / "loop_body_input_is_initializer.onnx");
    ASSERT_TRUE(file);
    const auto known = Session::openBytes((*file)->bytes(), {}); // later versions of ONNX Runtime refuse it
    ASSERT_FALSE(known);
    EXPECT_EQ(known.error().code, ErrorCode::EngineFailed);
    const auto session = openTrouble(SIGSEGV, true);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::EngineEnded);
    EXPECT_EQ(session.error().line(),
        "the engine crashed while it loaded the model: m.onnx: signal SIGSEGV; nothing of yours is lost; another "
        "version of the model or of its exporter may do");
}

TEST(EngineApart, ACrashInARunIsOneLineAndTheNextSessionHasAnotherEngine)
{
    const HostTensor feed = feedOf({4});
    for (const auto& [kind, how] : std::map<int, std::string>{
             {SIGABRT, "signal SIGABRT"}, {SIGSEGV, "signal SIGSEGV"}, {kLeaves, "exit code 3"}}) {
        const auto session = openTrouble(kind, false);
        ASSERT_TRUE(session) << session.error().line();
        for (int again = 0; again < 2; ++again) {
            const auto ran = session->run({&feed, 1}, {});
            ASSERT_FALSE(ran);
            EXPECT_EQ(ran.error().code, ErrorCode::EngineEnded);
            EXPECT_THAT(ran.error().line(),
                HasSubstr("the engine crashed while it ran the model: m.onnx: " + how + "; nothing"));
        }
    }
    EXPECT_TRUE(Session::openFile(kModels / "opset13.onnx", {}));
}

/// What an export is checked by: the file is opened as if it had been written from itself.
Result<Session> checkTrouble(const test::TemporaryFolder& folder, int early)
{
    const auto path = folder.write("m.onnx", trouble(SIGSEGV, early));
    const auto model = readModel(path, {.customOps = {DUO_CUSTOM_OPS}});
    EXPECT_TRUE(model) << model.error().line();
    return openExport(**model, path);
}

TEST(EngineApart, WhatWasWrittenIsCheckedOnceMoreWhereItCrashes)
{
    const test::TemporaryFolder folder;
    const auto made = folder / "made";
    endIdleEngines(); // or they would not see the environment
    ::setenv("DUO_TROUBLE_MADE", made.c_str(), 1);
    const auto session = checkTrouble(folder, 2);
    ::unsetenv("DUO_TROUBLE_MADE");
    EXPECT_TRUE(session) << session.error().line();
    EXPECT_TRUE(std::filesystem::exists(made)) << "it did not crash";
}

TEST(EngineApart, ASecondCrashOfTheCheckIsACrash)
{
    const test::TemporaryFolder folder;
    const auto session = checkTrouble(folder, 1);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::EngineEnded);
    EXPECT_EQ(session.error().line(),
        "the engine crashed while it checked what was written: m.onnx: signal SIGSEGV; nothing of yours is lost; "
        "another version of the model or of its exporter may do");
}

TEST(EngineApart, OneThatIsKilledTakesItsOwnSessionsOnly)
{
    endIdleEngines();
    const auto first = Session::openFile(kModels / "opset13.onnx", {});
    const std::set<pid_t> before = test::childProcesses();
    ASSERT_EQ(before.size(), 1U);
    const auto second = Session::openFile(kModels / "opset13.onnx", {});
    ASSERT_TRUE(first && second);
    ::kill(*before.begin(), SIGKILL);
    HostTensor feed = feedOf({1, 3, 16, 16});
    feed.name = "image";
    EXPECT_THAT(first->run({&feed, 1}, {}).error().line(), HasSubstr("signal SIGKILL"));
    EXPECT_TRUE(second->run({&feed, 1}, {}));
}

TEST(EngineApart, AnIdleOneThatWasKilledIsReplaced)
{
    endIdleEngines();
    EXPECT_TRUE(Session::openFile(kModels / "opset13.onnx", {}));
    for (const pid_t pid : test::childProcesses()) {
        ::kill(pid, SIGKILL);
        siginfo_t end{};
        ::waitid(P_PID, static_cast<id_t>(pid), &end, WEXITED | WNOWAIT); // how it ended is left for the program to ask
    }
    EXPECT_TRUE(Session::openFile(kModels / "opset13.onnx", {}));
}

TEST(EngineApart, AStopEndsWhatNeverEnds)
{
    const HostTensor feed = feedOf({4});
    for (const bool early : {true, false}) {
        std::stop_source stop;
        auto session = early ? Result<Session>(Error{}) : openTrouble(kNeverEnds, false);
        Clock::time_point stopped;
        const std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stopped = Clock::now();
            stop.request_stop();
        });
        const Error error = early ? openTrouble(kNeverEnds, true, stop.get_token()).error()
                                  : session->run({&feed, 1}, {}, {stop.get_token(), {}}).error();
        EXPECT_EQ(error, cancelledError());
        EXPECT_LT(Clock::now() - stopped, std::chrono::milliseconds(200)); // 100 and what a busy machine adds
    }
}

TEST(EngineApart, AModelIsNotLoadedForEver)
{
    limitSampleTime(std::chrono::seconds(1));
    const auto session = openTrouble(kNeverEnds, true);
    limitSampleTime(kSampleTime);
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::EngineOverTime);
    EXPECT_EQ(session.error().line(),
        "the engine loaded the model for longer than 3 s: m.onnx: allow more with --sample-time (in the window "
        "Quantize > "
        "Limits), a third of what loading takes");
    EXPECT_TRUE(Session::openFile(kModels / "opset13.onnx", {}));
}

TEST(EngineApart, ACrashEndsAllRunsOfItsSession)
{
    const auto session = openTrouble(SIGSEGV, false);
    ASSERT_TRUE(session) << session.error().line();
    const HostTensor feed = feedOf({4});
    std::vector<std::string> lines(4);
    const auto status = parallelFor(lines.size(), 4, {}, [&](std::size_t i) -> Status {
        lines[i] = session->run({&feed, 1}, {}).error().line();
        return success();
    });
    ASSERT_TRUE(status);
    EXPECT_THAT(lines, testing::Each(HasSubstr("signal SIGSEGV")));
}

TEST(EngineApart, LeavesNeitherProcessesNorOpenFiles)
{
    endIdleEngines();
    const std::ptrdiff_t before = openFiles();
    for (int i = 0; i < 3; ++i) {
        const auto session = Session::openFile(kModels / "opset13.onnx", {});
        HostTensor feed = feedOf({1, 3, 16, 16});
        feed.name = "image";
        EXPECT_TRUE(session && session->run({&feed, 1}, {}));
        EXPECT_FALSE(openTrouble(SIGABRT, true));
    }
    EXPECT_EQ(test::childProcesses().size(), 1U) << "one waits for work";
    endIdleEngines();
    EXPECT_TRUE(test::childProcesses().empty());
    EXPECT_EQ(openFiles(), before);
}

TEST(EngineApart, EndsWithTheProgram)
{
    endIdleEngines(); // a fork would take over those that wait
    std::array<int, 2> told{};
    ASSERT_EQ(::pipe(told.data()), 0);
    const pid_t program = ::fork();
    if (program == 0) {
        const auto session = Session::openFile(kModels / "opset13.onnx", {});
        const pid_t engine = *test::childProcesses().begin();
        const bool isTold = ::write(told[1], &engine, sizeof engine) == sizeof engine;
        ::raise(isTold ? SIGKILL : SIGABRT);
    }
    pid_t engine = 0;
    ASSERT_EQ(::read(told[0], &engine, sizeof engine), static_cast<ssize_t>(sizeof engine));
    ::waitpid(program, nullptr, 0);
    ::close(told[0]);
    ::close(told[1]);
    const auto isThere = [&] { // an orphan that nobody waits for stays in the table
        std::ifstream status("/proc/" + std::to_string(engine) + "/stat");
        std::string text;
        std::getline(status, text);
        return !text.empty() && text.find(") Z") == std::string::npos;
    };
    for (int i = 0; i < 100 && isThere(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(isThere());
}

/// Makes a value of so many floats of its input, and the largest of them.
SharedBytes expanding(std::int64_t floats)
{
    test::ProtoBuilder network;
    network.input("x", {1}).output("y", {1});
    network.tensor("shape", {1}, onnx::TensorProto::INT64).add_int64_data(floats);
    network.node("Expand", "expand", {"x", "shape"}, {"large"});
    network.tensor("axes", {1}, onnx::TensorProto::INT64).add_int64_data(0);
    network.node("ReduceMax", "most", {"large"}, {"y"});
    return network.bytes();
}

/// Where it has to, the system kills an engine rather than what it works for.
TEST(EngineApart, IsOfferedToTheSystemThatMustKillOne)
{
    const auto session = Session::openBytes(expanding(1).bytes, {});
    ASSERT_TRUE(session) << session.error().line();
    const auto engines = test::childProcesses("duoscope-engine");
    ASSERT_FALSE(engines.empty());
    for (const pid_t engine : engines) {
        int offered = 0;
        std::ifstream("/proc/" + std::to_string(engine) + "/oom_score_adj") >> offered;
        EXPECT_GE(offered, 500);
    }
}

TEST(EngineApart, TakesNoMoreMemoryThanTheSystemHasLeft)
{
    const HostTensor feed = feedOf({1});
    const auto fourTimes = static_cast<std::int64_t>(availableMemory().value());
    const auto session = Session::openBytes(expanding(fourTimes).bytes, {});
    ASSERT_TRUE(session) << session.error().line();
    const auto ran = session->run({&feed, 1}, {});
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::EngineFailed);
    EXPECT_THAT(ran.error().line(), HasSubstr("there is not enough memory: close other programs"));
}

TEST(EngineApart, TakesNoMoreMemoryThanItMay)
{
    if (kIsSanitized)
        GTEST_SKIP() << "the sanitizer itself maps terabytes";
    const HostTensor feed = feedOf({1});
    ASSERT_TRUE(limitEngineMemory("256M"));
    const auto session = Session::openBytes(expanding(std::int64_t{1} << 28).bytes, {}); // 1 GB
    ASSERT_TRUE(session) << session.error().line();
    const auto ran = session->run({&feed, 1}, {});
    allowAllEngineMemory();
    ASSERT_FALSE(ran);
    EXPECT_EQ(ran.error().code, ErrorCode::EngineFailed);
    EXPECT_THAT(ran.error().line(), HasSubstr("allow more with --engine-memory"));
}

TEST(EngineApart, ALimitOfItsMemoryIsASize)
{
    for (const std::string size : {"64M", "1.5G", "1g", "800MB", "800mb", "2GiB", "268435456", "900T"})
        EXPECT_TRUE(limitEngineMemory(size)) << size;
    allowAllEngineMemory();
    for (const std::string size : {"much", "-4G", "4X", "nan", "inf", "4GG", "G", ""}) {
        const Status limited = limitEngineMemory(size);
        ASSERT_FALSE(limited) << size;
        EXPECT_EQ(limited.error().line(),
            "'" + size
                + "' is no size of memory: --engine-memory: give bytes, or a number with K, M, G or T, as 800M or 4G");
    }
    EXPECT_EQ(limitEngineMemory("1M").error().line(),
        "the engine needs more memory than '1M': --engine-memory: give at least 64M");
    EXPECT_EQ(limitEngineMemory("999999999G").error().line(),
        "no machine has as much memory as '999999999G': --engine-memory: give at most 900T, or leave it out");
    EXPECT_FALSE(engineMemory());
}

TEST(EngineApart, ReadsLargeWeightsFromFilesAndFromMemory)
{
    constexpr std::size_t kSide = 256;
    const std::vector<float> weights(kSide * kSide, 0.5F);
    const test::TemporaryFolder folder;
    const std::string lead(100, '-'); // they begin on no page
    const auto path = folder.write(
        "w.bin", lead + std::string(reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float)));
    const auto file = MappedFile::open(path);
    ASSERT_TRUE(file);
    const auto mapped = (*file)->bytes().subspan(lead.size());
    test::ProtoBuilder network;
    network.input("x", {1, kSide}).output("y", {1, kSide});
    network.external("a", {kSide, kSide}, "a.bin");
    network.external("b", {kSide, kSide}, "b.bin");
    network.node("MatMul", "first", {"x", "a"}, {"h"});
    network.node("MatMul", "second", {"h", "b"}, {"y"});
    const auto session = Session::openBytes(network.bytes().bytes,
        {.externalData = {{"a.bin", {*file, mapped}}, {"b.bin", {nullptr, std::as_bytes(std::span(weights))}}}});
    ASSERT_TRUE(session) << session.error().line();
    HostTensor feed = feedOf({1, kSide});
    reinterpret_cast<float*>(feed.bytes.data())[0] = 1;
    const auto results = session->run({&feed, 1}, {});
    ASSERT_TRUE(results) << results.error().line();
    EXPECT_EQ(results->front().floats()[0], 0.5F * 0.5F * kSide);
}

} // namespace
} // namespace duo
