// SPDX-License-Identifier: Apache-2.0
// Runs of the program are killed at any moment: what was there before is there, or all that is new, and the next run
// clears up. DUO_KILLS=1000 in the environment takes that many kills a test instead of a few.
#include "tests/app/cli/run_cli.h"
#include "tests/support/failing_disk.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

int killsWanted()
{
    constexpr int kFew = 12;
    const char* wanted = std::getenv("DUO_KILLS");
    return wanted == nullptr ? kFew : std::atoi(wanted);
}

/// The program, running; with a cache and a folder for temporary files of its own.
class Running
{
public:
    Running(const std::filesystem::path& folder, std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(),
            {"env", "XDG_CACHE_HOME=" + (folder / "cache").string(), "TMPDIR=" + (folder / "tmp").string(), DUO_CLI});
        std::vector<char*> words;
        for (std::string& word : arguments)
            words.push_back(word.data());
        words.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        for (const int output : {STDOUT_FILENO, STDERR_FILENO})
            posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
        EXPECT_EQ(posix_spawnp(&m_process, "env", &actions, nullptr, words.data(), environ), 0);
        posix_spawn_file_actions_destroy(&actions);
    }

    void kill() const { ::kill(m_process, SIGKILL); }

    /// @return the exit code, or -1 after a kill
    int wait() const
    {
        int status = 0;
        ::waitpid(m_process, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    pid_t m_process = -1;
};

class KilledCli : public testing::Test
{
protected:
    KilledCli() { std::filesystem::create_directories(m_folder / "tmp"); }

    /// What `arguments` writes, and how long that takes.
    void runWhole(const std::vector<std::string>& arguments)
    {
        const auto before = std::chrono::steady_clock::now();
        ASSERT_EQ(Running(m_folder.path(), arguments).wait(), 0);
        m_length = std::chrono::steady_clock::now() - before;
        m_new = found();
    }

    void runAndKill(const std::vector<std::string>& arguments)
    {
        const Running run(m_folder.path(), arguments);
        std::this_thread::sleep_for(Milliseconds(m_random() % 1000 * m_length / 950)); // now and then it comes too late
        run.kill();
        if (run.wait() == -1)
            ++m_killed;
        else
            m_length = m_length * 9 / 10; // the machine may have been busier when it was measured
    }

    void putOld()
    {
        m_old.clear();
        std::filesystem::remove_all(m_folder / "out");
        std::filesystem::create_directories(m_folder / "out");
        for (const auto& [name, bytes] : m_new) {
            m_old[name] = bytes == kFolder ? kFolder : "old " + name;
            if (bytes == kFolder)
                std::filesystem::create_directory(m_folder / "out" / name);
            else
                m_folder.write("out/" + name, m_old[name]);
        }
    }

    /// All old or all new; what is hidden is cleared up by the next run.
    void expectOldOrNew() const
    {
        const FolderContent now = found();
        EXPECT_TRUE(now == m_old || now == m_new);
    }

    /// What is not hidden; of files that tell how long a run took, that they are new.
    [[nodiscard]] FolderContent found() const
    {
        FolderContent shown;
        for (const auto& [name, bytes] : contentOf(m_folder / "out")) {
            const bool isNewTime = m_timed.contains(name) && !bytes.starts_with("old ");
            if (name.find(".duoscope-") == std::string::npos)
                shown.emplace(name, isNewTime ? "new" : bytes);
        }
        return shown;
    }

    /// A run that is left alone gives what it would have given, and leaves nothing of those before it.
    void expectNoLitterAfter(const std::vector<std::string>& arguments) const
    {
        EXPECT_EQ(Running(m_folder.path(), arguments).wait(), 0);
        EXPECT_EQ(found(), m_new);
        EXPECT_EQ(contentOf(m_folder / "out").size(), m_new.size());
        EXPECT_EQ(contentOf(m_folder / "tmp"), FolderContent());
        for (const auto& [name, bytes] : contentOf(m_folder / "cache"))
            EXPECT_EQ(name.find(".duoscope-"), std::string::npos) << name;
    }

    /// @param next a run that writes nothing, but puts back what is left half in place: many files take a moment
    void expectWholeAfterKillsOf(const std::vector<std::string>& arguments, const std::vector<std::string>& next = {})
    {
        std::filesystem::create_directories(m_folder / "out");
        runWhole(arguments);
        for (int i = 0; i < killsWanted() && !HasFailure(); ++i) {
            putOld();
            runAndKill(arguments);
            if (!next.empty())
                EXPECT_NE(Running(m_folder.path(), next).wait(), 0);
            expectOldOrNew();
        }
        EXPECT_GT(m_killed, killsWanted() / 2);
        expectNoLitterAfter(arguments);
        RecordProperty("killed", m_killed);
    }

    [[nodiscard]] std::string out(const std::string& name) const { return (m_folder / "out").string() + "/" + name; }

    TemporaryFolder m_folder;
    static constexpr const char* kFolder = "/"; // in place of bytes
    std::set<std::string> m_timed;
    FolderContent m_old;
    FolderContent m_new;
    Milliseconds m_length{};
    std::mt19937 m_random{20261123};
    int m_killed = 0;
};

TEST_F(KilledCli, QuantizeLeavesModelAndStateOldOrNew)
{
    expectWholeAfterKillsOf({"quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"),
        "--no-cache", "-o", out("m.onnx")});
}

TEST_F(KilledCli, QuantizeLeavesModelDataAndStateOldOrNew)
{
    const std::string recipe = writeRecipe(
        m_folder / "r.recipe.json", {.rules = R"({"action": "ignore", "kind": "type", "value": "Conv"})"});
    expectWholeAfterKillsOf({"quantize", data("models/external/external.onnx"), "--data", "random:4", "--recipe",
        recipe, "--no-cache", "-o", out("m.onnx")});
    EXPECT_EQ(m_new.size(), 3U);
}

TEST_F(KilledCli, DeploymentsAreOldOrNew)
{
    m_timed = {"checks.json", "report.html"};
    const std::vector<std::string> deploy{"quantize", sample("digits_conv.onnx"), "--data",
        sample("digits_calibration.npz"), "--no-cache", "--deploy", (m_folder / "out").string()};
    std::vector<std::string> fails = deploy;
    fails.insert(fails.end(), {"--metric", "false {model}"});
    expectWholeAfterKillsOf(deploy, fails);
    EXPECT_EQ(m_new.at("sample"), kFolder);
}

TEST_F(KilledCli, StatisticsAreOldOrNew)
{
    expectWholeAfterKillsOf({"statistics", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "-o",
        out("digits.statistics")});
}

TEST_F(KilledCli, WhatIsRememberedIsRightWhereTwoMeasureAndOneIsKilled)
{
    std::filesystem::create_directories(m_folder / "out");
    const auto call = [this](const std::string& name) {
        return std::vector<std::string>{
            "quantize", sample("digits_conv.onnx"), "--data", sample("digits_calibration.npz"), "-o", out(name)};
    };
    runWhole(call("m.onnx"));
    for (int i = 0; i < killsWanted() && !HasFailure(); ++i) {
        if (i % 4 == 0) // the others find what those before them have left
            std::filesystem::remove_all(m_folder / "cache");
        const Running other(m_folder.path(), call("m.onnx"));
        runAndKill(call("killed.onnx"));
        EXPECT_EQ(other.wait(), 0);
        EXPECT_EQ(bytesOf(out("m.onnx")), m_new["m.onnx"]);
        EXPECT_EQ(bytesOf(out("m.state.json")), m_new["m.state.json"]);
    }
    RecordProperty("killed", m_killed);
}

} // namespace
} // namespace duo::test
