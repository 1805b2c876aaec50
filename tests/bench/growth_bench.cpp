// SPDX-License-Identifier: Apache-2.0
// How time grows with the model: each stage at doubling sizes, as ratio to the size before. Linear work doubles; 4
// would be quadratic. Ratios are of medians.
#include "core/onnx/reader.h"
#include "core/pipeline/outline_model.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "core/report/plan_report.h"
#include "core/report/scopes_report.h"
#include "tests/bench/generated_model.h"
#include "tests/bench/rounds.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>

namespace {

using duo::bench::median;

constexpr std::array kSizes{10'000, 20'000, 40'000, 80'000};

/// A model file that goes away with this.
class ModelFile
{
public:
    ModelFile(const std::string& bytes, const std::string& name)
        : path(std::filesystem::temp_directory_path() / name)
    {
        std::ofstream(path, std::ios::binary) << bytes;
    }
    ~ModelFile() { std::filesystem::remove(path); }
    ModelFile(const ModelFile&) = delete;
    ModelFile& operator=(const ModelFile&) = delete;

    const std::filesystem::path path;
};

void print(const char* what, const std::function<std::string(int)>& model,
    const std::function<void(const std::filesystem::path&)>& work)
{
    constexpr int kRounds = 3;
    std::printf("%-44s", what);
    double last = 0;
    for (const int size : kSizes) {
        const ModelFile file(model(size), "duoscope-growth.onnx");
        std::vector<duo::bench::Stage> stages{{what, [&] { work(file.path); }, {}}};
        runRounds(stages, kRounds);
        const double time = median(stages.front().times);
        std::printf(last == 0 ? "  %8.2f ms" : "  x %.2f", last == 0 ? time : time / last);
        last = time;
    }
    std::printf("\n");
}

void writeScopes(const std::filesystem::path& path)
{
    const auto opened = duo::openScopes(path, {}, {});
    if (opened)
        writeScopesJson(*opened->model, *opened->scopes, [](std::string_view) {});
}

void writePlan(const std::filesystem::path& path)
{
    const auto opened = duo::openSnapshot(path);
    if (opened && opened->placement)
        writePlanJson(*opened->model, *opened->placement, {}, [](std::string_view) {});
}

void outlineAll(const std::filesystem::path& path)
{
    (void)duo::outlineFile(path, {}, {.all = true}, false);
}

} // namespace

int main()
{
    std::printf("%d nodes, then twice as many each time\n", kSizes.front());
    print("read the file (floor)", duo::bench::residualChain, [](const auto& path) { (void)duo::readModel(path); });
    print("scopes, named", duo::bench::residualChain, writeScopes);
    print("scopes, guessed from structure", duo::bench::namelessChain, writeScopes);
    print("outline, every module", duo::bench::residualChain, outlineAll);
    print("plan", duo::bench::residualChain, writePlan);
    return 0;
}
