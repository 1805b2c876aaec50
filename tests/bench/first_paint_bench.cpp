// SPDX-License-Identifier: Apache-2.0
// Start to first paint of the window, with the sample and with a generated model of 10,000 nodes, each as a ratio to an
// empty Qt window. Whole processes, rounds interleaved, medians. Needs a display (or QT_QPA_PLATFORM=offscreen).
#include "tests/bench/generated_model.h"
#include "tests/bench/rounds.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using duo::bench::median;

constexpr int kRounds = 7;

struct Program {
    const char* name;
    std::string command;
    std::vector<double> times;
};

double secondsOf(const std::string& command)
{
    const auto start = std::chrono::steady_clock::now();
    if (std::system(command.c_str()) != 0)
        std::printf("failed: %s\n", command.c_str());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main()
{
    const auto folder = std::filesystem::temp_directory_path() / "duoscope-bench-paint";
    std::filesystem::create_directories(folder);
    const auto big = folder / "generated.onnx";
    std::ofstream(big, std::ios::binary) << duo::bench::residualChain(10'000);
    const std::string window
        = std::string(DUO_WINDOW) + " --settings-dir " + (folder / "settings").string() + " --quit-after-paint ";
    std::vector<Program> programs{{"empty Qt window (floor)", DUO_EMPTY_WINDOW, {}},
        {"duoscope, sample shown", window + DUO_SAMPLES + "/digits_conv.onnx", {}},
        {"duoscope, 10,000 nodes shown", window + big.string(), {}}};
    for (int round = 0; round < kRounds; ++round) {
        for (Program& program : programs)
            program.times.push_back(secondsOf(program.command));
    }
    const double floor = median(programs.front().times);
    for (const Program& program : programs)
        std::printf("%-32s %7.3f s  %6.2f x\n", program.name, median(program.times), median(program.times) / floor);
    std::filesystem::remove_all(folder);
    return 0;
}
