// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <sys/wait.h>
#include <unistd.h>

namespace duo::test {
namespace {

std::string quoted(const std::string& text)
{
    std::string result = "'";
    for (const char c : text)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

} // namespace

CliRun runCli(const std::vector<std::string>& arguments)
{
    const auto stem = std::filesystem::temp_directory_path() / ("duoscope-cli-" + std::to_string(::getpid()));
    const std::string out = stem.string() + ".out";
    const std::string err = stem.string() + ".err";
    // A cache of the tests' own, empty at first: what a user measured before must not decide a test.
    const std::string cache = stem.string() + ".cache";
    std::string command = "XDG_CACHE_HOME=" + quoted(cache) + " " + quoted(DUO_CLI);
    for (const std::string& argument : arguments)
        command += " " + quoted(argument);
    command += " >" + quoted(out) + " 2>" + quoted(err) + " </dev/null";
    CliRun run;
    const int status = std::system(command.c_str());
    run.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    run.out = bytesOf(out);
    run.err = bytesOf(err);
    std::filesystem::remove(out);
    std::filesystem::remove(err);
    return run;
}

std::filesystem::path freshFolder(const std::string& name)
{
    const auto folder
        = std::filesystem::temp_directory_path() / ("duoscope-" + name + "-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
}

std::string sample(const std::string& file)
{
    return std::string(DUO_SAMPLES) + "/" + file;
}

std::string data(const std::string& file)
{
    return std::string(DUO_TEST_DATA) + "/" + file;
}

std::string bytesOf(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace duo::test
