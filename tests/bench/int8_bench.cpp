// SPDX-License-Identifier: Apache-2.0
// A network in float against the same network exported for ort-cpu, in one process, runs interleaved, one thread; the
// ratio of lower quartiles. Usage: duo_bench_int8 [MODEL.onnx...]; without models ResNet-18 and MobileNetV2.
#include "core/engine/session.h"
#include "core/pipeline/calibration/calibrate.h"
#include "core/pipeline/export.h"
#include "core/pipeline/snapshot/compression.h"
#include "tests/bench/rounds.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

namespace {

using duo::bench::Stage;

constexpr int kRounds = 40;

double lowerQuartile(std::vector<double> values)
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 4);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Exports the network, prints what its checks say. @return the file, empty if it failed
std::filesystem::path exported(const std::filesystem::path& file, std::vector<duo::HostTensor>& feeds)
{
    const auto opened = duo::openSnapshot(file);
    if (!opened)
        return {};
    const auto data = duo::openDataset("random:2:1", *opened->model);
    if (!data)
        return {};
    feeds = *(*data)->sample(0);
    const auto compression = duo::calibrate(*opened, **data, 1, {});
    if (!compression)
        return {};
    const auto target = std::filesystem::temp_directory_path() / ("duoscope-bench-" + file.filename().string());
    const auto report = duo::exportModel(*opened, *compression, nullptr, target, 1, {});
    if (!report)
        return {};
    std::printf("%s: %s\n", file.stem().c_str(), report->checks.back().message.c_str());
    return target;
}

bool compare(const std::filesystem::path& file)
{
    std::vector<duo::HostTensor> feeds;
    const auto target = exported(file, feeds);
    const auto before = duo::Session::openFile(file, {});
    const auto after = duo::Session::openFile(target, {});
    if (!before || !after) {
        std::printf("%s: cannot be run\n", file.c_str());
        return false;
    }
    std::vector<Stage> stages{
        {"float", [&] { (void)before->run(feeds, {}); }, {}},
        {"int8", [&] { (void)after->run(feeds, {}); }, {}},
    };
    duo::bench::runRounds(stages, kRounds);
    const double floor = lowerQuartile(stages[0].times);
    const double int8 = lowerQuartile(stages[1].times);
    std::printf("  float %8.2f ms   int8 %8.2f ms   %5.2f x faster\n", floor, int8, floor / int8);
    std::filesystem::remove(target);
    std::filesystem::remove(duo::statePathFor(target));
    return true;
}

} // namespace

int main(int count, char** arguments)
{
    std::vector<std::filesystem::path> files(arguments + 1, arguments + count);
    if (files.empty()) {
        const std::filesystem::path folder(DUO_FILLED_MODELS);
        files = {folder / "resnet18.onnx", folder / "mobilenet_v2.onnx"};
    }
    return std::all_of(files.begin(), files.end(), compare) ? 0 : 1;
}
