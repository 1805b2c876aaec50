// SPDX-License-Identifier: Apache-2.0
// duo_mutate_models: runs strange graphs in processes of their own and keeps those that do harm.
#include "tests/fuzz/graph_mutations.h"
#include "tests/fuzz/stages_of_model.h"
#include "tests/support/file_bytes.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr unsigned kSecondsPerRun = 20;

/// What the child is at, where its parent sees it.
struct Shared {
    std::uint64_t round;
    char stage[64];
    char finding[400];
    std::uint64_t findings;
};

struct Task {
    std::uint64_t seed = 0;
    std::uint64_t rounds = 0;
    bool usesEngine = false;
    std::filesystem::path folder;
    std::vector<std::filesystem::path> files;
    std::vector<onnx::ModelProto> models;
};

std::string mutated(const Task& task, std::uint64_t round)
{
    onnx::ModelProto model = task.models[round % task.models.size()];
    std::mt19937_64 random(task.seed * 1'000'003 + round);
    duo::test::mutateInPlace(model, random);
    return model.SerializeAsString();
}

void keep(const Task& task, std::uint64_t round, const std::string& what)
{
    const std::string name = std::to_string(task.seed) + "-" + std::to_string(round) + ".onnx";
    std::ofstream(task.folder / name, std::ios::binary) << mutated(task, round);
    std::printf("%s of %s: %s\n", name.c_str(), task.files[round % task.files.size()].filename().c_str(), what.c_str());
    std::fflush(stdout);
}

void runRounds(const Task& task, Shared& shared)
{
    const std::filesystem::path scratch = task.folder / ("scratch" + std::to_string(::getpid()));
    std::filesystem::create_directories(scratch);
    const auto news
        = [&](const std::string& stage) { std::snprintf(shared.stage, sizeof shared.stage, "%s", stage.c_str()); };
    for (; shared.round < task.rounds; ++shared.round) {
        ::alarm(kSecondsPerRun);
        const auto file = scratch / "strange.onnx";
        std::ofstream(file, std::ios::binary | std::ios::trunc) << mutated(task, shared.round);
        const auto findings
            = task.usesEngine ? duo::test::quantizeModel(file, scratch, news) : duo::test::lookAtModel(file, news);
        for (const std::string& finding : findings) {
            ++shared.findings;
            keep(task, shared.round, finding);
        }
    }
    std::filesystem::remove_all(scratch);
    std::_Exit(0);
}

std::string endOf(int status)
{
    if (!WIFSIGNALED(status))
        return "exit " + std::to_string(WEXITSTATUS(status));
    return WTERMSIG(status) == SIGALRM ? "more than " + std::to_string(kSecondsPerRun) + " s"
                                       : ::strsignal(WTERMSIG(status));
}

int run(const Task& task)
{
    auto& shared = *static_cast<Shared*>(
        ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::map<std::string, int> ends;
    while (shared.round < task.rounds) {
        const pid_t child = ::fork();
        if (child == 0)
            runRounds(task, shared);
        int status = 0;
        ::waitpid(child, &status, 0);
        std::error_code ignored;
        std::filesystem::remove_all(task.folder / ("scratch" + std::to_string(child)), ignored);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            break;
        ++shared.findings;
        ++ends[endOf(status) + " in " + shared.stage];
        keep(task, shared.round, endOf(status) + " in " + shared.stage);
        ++shared.round;
    }
    std::printf("seed %llu: %llu runs, %llu findings\n", static_cast<unsigned long long>(task.seed),
        static_cast<unsigned long long>(task.rounds), static_cast<unsigned long long>(shared.findings));
    return shared.findings == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> given(argv + 1, argv + argc);
    if (given.size() < 4) {
        std::puts("duo_mutate_models SEED ROUNDS FOLDER [--engine] MODEL...\n"
                  "Models that crash, hang, or end in an internal error are kept in FOLDER.");
        return 2;
    }
    Task task{std::stoull(given[0]), std::stoull(given[1]), given[3] == "--engine", given[2], {}, {}};
    std::filesystem::create_directories(task.folder);
    for (std::size_t i = task.usesEngine ? 4 : 3; i < given.size(); ++i) {
        onnx::ModelProto model;
        if (!model.ParseFromString(duo::test::bytesOf(given[i])) || !model.has_graph())
            continue;
        task.files.emplace_back(given[i]);
        task.models.push_back(std::move(model));
    }
    return run(task);
}
