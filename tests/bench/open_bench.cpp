// SPDX-License-Identifier: Apache-2.0
// Opening a generated model of 10,000 nodes, stage by stage, as ratios to a plain protobuf parse of the same bytes.
// Rounds of all stages are interleaved; the ratio is of medians.
#include "core/onnx/reader.h"
#include "core/pipeline/snapshot/snapshot.h"
#include "tests/bench/generated_model.h"
#include "tests/bench/rounds.h"
#include "tests/support/placing.h"

#include <onnx.pb.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

namespace {

using duo::bench::median;
using duo::bench::Stage;

constexpr int kNodes = 10'000;
constexpr int kRounds = 11;

} // namespace

int main()
{
    const std::string bytes = duo::bench::residualChain(kNodes);
    const auto path = std::filesystem::temp_directory_path() / "duoscope-bench-open.onnx";
    std::ofstream(path, std::ios::binary) << bytes;
    const auto model = *duo::readModel(path);
    const duo::Scopes scopes = duo::findScopes(*model);
    const auto snapshot = *duo::openSnapshot(path);

    std::vector<Stage> stages{
        {"plain parse (floor)",
            [&] {
                onnx::ModelProto proto;
                proto.ParseFromString(bytes);
            },
            {}},
        {"read model", [&] { (void)duo::readModel(path); }, {}},
        {"find scopes", [&] { (void)duo::findScopes(*model); }, {}},
        {"place quantizers", [&] { (void)duo::test::placeOnce(*model, *snapshot.hits, snapshot.recipe.quantization); },
            {}},
        {"open: read, scopes, rules, placement", [&] { (void)duo::openSnapshot(path); }, {}},
    };
    runRounds(stages, kRounds);
    const double floor = median(stages.front().times);
    std::printf("%d nodes, %zu bytes, median of %d interleaved rounds\n", kNodes, bytes.size(), kRounds);
    for (const Stage& stage : stages)
        std::printf("%-40s %8.2f ms  %6.2f x\n", stage.name, median(stage.times), median(stage.times) / floor);
    std::filesystem::remove(path);
    return 0;
}
