// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/run_cli.h"
#include "tests/support/file_bytes.h"
#include "tests/support/temporary_folder.h"

#include <cstdlib>
#include <fstream>

#include <sys/wait.h>

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

CliRun runCli(const std::vector<std::string>& arguments, const Surroundings& surroundings)
{
    static const TemporaryFolder folder;
    const std::string out = folder / "out";
    const std::string err = folder / "err";
    // A cache of the tests' own, empty at first: what a user measured before must not decide a test.
    const std::string cache = folder / "cache";
    std::string command = surroundings.folder.empty() ? "" : "cd " + quoted(surroundings.folder) + " && ";
    if (!surroundings.before.empty())
        command += surroundings.before + " && ";
    command += "env XDG_CACHE_HOME=" + quoted(cache);
    for (const std::string& variable : surroundings.environment)
        command += " " + quoted(variable);
    command += " " + quoted(DUO_CLI);
    for (const std::string& argument : arguments)
        command += " " + quoted(argument);
    command += " >" + quoted(out) + " 2>" + quoted(err) + " </dev/null " + surroundings.streams;
    CliRun run;
    const int status = std::system(command.c_str());
    run.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    run.out = bytesOf(out);
    run.err = bytesOf(err);
    return run;
}

std::string writeRecipe(const std::filesystem::path& file, const RecipeText& recipe)
{
    std::ofstream(file) << R"({"format": "duoscope-recipe", "version": 1, "rules": [)" << recipe.rules
                        << R"(], "quantization": {)" << recipe.settings << "}}";
    return file.string();
}

std::string sample(const std::string& file)
{
    return std::string(DUO_SAMPLES) + "/" + file;
}

std::string data(const std::string& file)
{
    return std::string(DUO_TEST_DATA) + "/" + file;
}

} // namespace duo::test
