// SPDX-License-Identifier: Apache-2.0
// Placing quantizers on a generated model of 10,000 nodes, as ratios to reading the file. Rounds are interleaved;
// ratios are of medians. Usage: duo_bench_plan [FILE to keep the model in]
#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "tests/bench/generated_model.h"
#include "tests/bench/rounds.h"
#include "tests/support/placing.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

int main(int count, char** arguments)
{
    using duo::bench::median;
    constexpr int kNodes = 10'000;
    constexpr int kRounds = 15;
    const bool isKept = count > 1;
    const std::filesystem::path path
        = isKept ? std::filesystem::path(arguments[1]) : std::filesystem::temp_directory_path() / "duoscope-plan.onnx";
    std::ofstream(path, std::ios::binary) << duo::bench::residualChain(kNodes);
    const auto opened = duo::openSnapshot(path);
    if (!opened || !opened->hits)
        return 1;
    const auto like = [&](bool nncf) {
        duo::QuantizationSettings settings;
        settings.nncfCompatible = nncf;
        (void)duo::test::placeOnce(*opened->model, *opened->hits, settings);
    };
    std::vector<duo::bench::Stage> stages{
        {"read the file (floor)", [&] { (void)duo::readModel(path); }, {}},
        {"place, profile ort-cpu", [&] { like(false); }, {}},
        {"place, as NNCF", [&] { like(true); }, {}},
        {"all that plan does: read, scopes, place", [&] { (void)duo::openSnapshot(path); }, {}},
    };
    runRounds(stages, kRounds);
    const double floor = median(stages.front().times);
    std::printf("%d nodes, median of %d interleaved rounds\n", kNodes, kRounds);
    for (const auto& stage : stages)
        std::printf("%-44s %8.2f ms  %6.2f x\n", stage.name, median(stage.times), median(stage.times) / floor);
    if (!isKept)
        std::filesystem::remove(path);
    return 0;
}
