// SPDX-License-Identifier: Apache-2.0
// A command that was stopped is left, whatever it is at: here it prints to somebody who does not read on.
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace duo::test {
namespace {

/// The program, whose result goes into a pipe that holds little.
class Stuck
{
public:
    explicit Stuck(std::vector<std::string> arguments, const std::string& program = DUO_CLI)
    {
        std::vector<char*> words;
        arguments.insert(arguments.begin(), program);
        for (std::string& word : arguments)
            words.push_back(word.data());
        words.push_back(nullptr);
        EXPECT_EQ(::pipe2(m_pipe, O_CLOEXEC), 0);
        ::fcntl(m_pipe[1], F_SETPIPE_SZ, static_cast<int>(::sysconf(_SC_PAGESIZE)));
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, m_pipe[1], STDOUT_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF); // who runs the tests may ignore it
        sigset_t signals;
        sigemptyset(&signals);
        sigaddset(&signals, SIGINT);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        EXPECT_EQ(posix_spawn(&m_process, program.c_str(), &actions, &attributes, words.data(), environ), 0);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        ::close(m_pipe[1]);
    }
    ~Stuck() { ::close(m_pipe[0]); }
    Stuck(const Stuck&) = delete;
    Stuck& operator=(const Stuck&) = delete;

    /// Until something of its result is there, of which more follows than the pipe holds.
    void waitForResult() const
    {
        int held = 0;
        while (::ioctl(m_pipe[0], FIONREAD, &held) == 0 && held == 0 && !hasEnded())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }

    void send(int signal) const { ::kill(m_process, signal); }

    void readOn() const
    {
        std::array<char, 4096> buffer{};
        while (::read(m_pipe[0], buffer.data(), buffer.size()) > 0) { }
    }

    /// @return its exit code; -1 where it did not end in a minute, and was killed
    int end()
    {
        constexpr int kMostWaits = 6000;
        for (int i = 0; i < kMostWaits && !hasEnded(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        if (!hasEnded())
            ::kill(m_process, SIGKILL);
        int status = 0;
        ::waitpid(m_process, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    [[nodiscard]] bool hasEnded() const
    {
        siginfo_t ended{};
        return ::waitid(P_PID, static_cast<id_t>(m_process), &ended, WEXITED | WNOHANG | WNOWAIT) == 0
            && ended.si_pid == m_process;
    }

    int m_pipe[2] = {-1, -1};
    pid_t m_process = -1;
};

TEST(StoppedCli, LeavesEveryCommandAtOnce)
{
    const std::string model = data("cases/tv_vit_b_16_small.onnx");
    const std::vector<std::vector<std::string>> commands{
        {"plan", model, "--json"}, {"scopes", model, "--json"}, {"find", model, "a", "--json"}};
    for (const auto& command : commands) {
        Stuck run(command);
        run.waitForResult();
        run.send(SIGINT);
        EXPECT_EQ(run.end(), 130) << command.front();
    }
}

/// No zombie either, which nobody may have buried yet.
bool isAlive(const std::string& process)
{
    std::ifstream status("/proc/" + process + "/stat");
    std::string number;
    std::string name;
    std::string state;
    return status >> number >> name >> state && state != "Z";
}

TEST(StoppedCli, LeavesNoEngineBehindThatHangsAsItStarts)
{
    const TemporaryFolder folder;
    std::filesystem::copy_file(DUO_CLI, folder / "duoscope-cli");
    const std::filesystem::path engine = folder / "duoscope-engine";
    const std::string pid = folder / "pid";
    std::ofstream(engine) << "#!/bin/sh\necho $$ >" + pid + ".new && mv " + pid + ".new " + pid + "\nexec sleep 600\n";
    std::filesystem::permissions(engine, std::filesystem::perms::owner_all);
    Stuck run({"quantize", data("cases/a_sibling.onnx"), "--data", "random:2", "--no-cache", "-o", folder / "q.onnx"},
        folder / "duoscope-cli");
    for (int i = 0; i < 3000 && !std::filesystem::exists(pid); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::string process = bytesOf(pid);
    process.erase(process.find_last_not_of('\n') + 1);
    ASSERT_TRUE(isAlive(process)) << process;
    run.send(SIGINT);
    EXPECT_EQ(run.end(), 130);
    for (int i = 0; i < 500 && isAlive(process); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(isAlive(process));
}

TEST(StoppedCli, IsNotStoppedByWhatItIsToIgnore)
{
    ASSERT_NE(std::signal(SIGHUP, SIG_IGN), SIG_ERR); // as nohup does for what it starts
    Stuck run({"plan", data("cases/tv_vit_b_16_small.onnx"), "--json"});
    ASSERT_NE(std::signal(SIGHUP, SIG_DFL), SIG_ERR);
    run.waitForResult();
    run.send(SIGHUP);
    run.readOn();
    EXPECT_EQ(run.end(), 0);
}

} // namespace
} // namespace duo::test
