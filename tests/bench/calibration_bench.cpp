// SPDX-License-Identifier: Apache-2.0
// Calibration as a ratio to plain inference of the same samples with the same session settings (one thread in a run,
// all optimizations), interleaved sample by sample in one process; 25th percentile of the paired ratios.
// Usage: duo_bench_calibration MODEL.onnx [SAMPLES [NAME=SIZE ...]]
// prints: inference, extremes and histogram, all statistics, values fetched instead of measured inside; and the memory
// each adds at its peak.
#include "core/calibrate/measure/tensor_measure.h"
#include "core/calibrate/recorder.h"
#include "core/engine/open_model.h"
#include "core/engine/tap_domain.h"
#include "core/onnx/reader.h"
#include "core/quantize/profiles/measurable_values.h"
#include "tests/bench/rounds.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace duo;
using bench::milliseconds;

double quartile(std::vector<double> values)
{
    std::ranges::sort(values);
    return values[values.size() / 4];
}

void stopOn(const Status& status)
{
    if (status)
        return;
    std::fprintf(stderr, "error: %s\n", status.error().line().c_str());
    std::exit(1);
}

template <typename T> T valueOf(Result<T> result)
{
    if (!result) {
        std::fprintf(stderr, "error: %s\n", result.error().line().c_str());
        std::exit(1);
    }
    return *std::move(result);
}

/// Float values a single pass over memory reads, for comparison with the meter.
void benchMeter()
{
    constexpr std::size_t kCount = std::size_t{1} << 20;
    std::mt19937 random(1);
    std::vector<float> values;
    for (std::size_t i = 0; i < kCount; ++i)
        values.push_back(std::max(0.0F, static_cast<float>(static_cast<std::int32_t>(random())) / 1e9F));
    const std::vector<std::int64_t> dims{1, 64, 128, 128};
    const auto time = [&](MeasureKinds kinds, bool channels) {
        TensorMeter meter(kinds);
        std::vector<double> times;
        for (int round = 0; round < 20; ++round)
            times.push_back(milliseconds(
                [&] { meter.measure(values, dims, channels ? std::optional<std::int64_t>(1) : std::nullopt); }));
        return quartile(times);
    };
    std::vector<double> plain;
    for (int round = 0; round < 20; ++round)
        plain.push_back(milliseconds([&] {
            LaneTotals totals;
            totals.addRun(values.data(), values.size());
            volatile float most = totals.max[0];
            (void)most;
        }));
    const double floor = quartile(plain);
    const double extremes = time({false, false, false}, false);
    std::printf("meter: min/max pass %.3f ns/value; with histogram %.2f x (%.3f ns/value); all %.2f x\n",
        floor * 1e6 / kCount, extremes / floor, extremes * 1e6 / kCount, time({}, true) / floor);
}

struct Bench {
    const Model& model;
    const Session& plain;
    const Session& tapped; // nothing is measured
    const Session& fetched;
    const std::vector<std::string>& names;
    const MeasurableValues& measurable;
    std::shared_ptr<const Dataset> data;

    void infer(std::span<const HostTensor> feeds) const
    {
        stopOn(plain.runVisiting(feeds, {}, [](std::size_t, const TensorView&) { return success(); }));
    }

    void fetch(std::span<const HostTensor> feeds, std::int64_t sample, Recorder& recorder, TensorMeter& meter) const
    {
        stopOn(fetched.runVisiting(feeds, names, [&](std::size_t i, const TensorView& view) {
            recorder.add(i, sample, view.floats(), view.dims, meter);
            return success();
        }));
    }
};

Session openMeasuring(const Model& model, const Measurement& wanted)
{
    return valueOf(openMeasuringModel(model, wanted.values, writeTapMeasures(tapMeasures(wanted, wanted.values))));
}

void measure(const Session& measuring, std::span<const HostTensor> feeds, std::int64_t sample, Recorder& recorder,
    TensorMeter& meter)
{
    stopOn(measuring.runTapped(
        feeds, [&](std::size_t tap, const TensorView& view) { stopOn(recorder.addTapped(tap, sample, view, meter)); }));
}

void report(const char* what, const std::vector<double>& times, const std::vector<double>& floor)
{
    std::vector<double> ratios;
    for (std::size_t i = 0; i < times.size(); ++i)
        ratios.push_back(times[i] / floor[i]);
    std::printf("  %-28s %6.2f x\n", what, quartile(ratios));
}

void compareTimes(const Bench& bench, std::int64_t samples)
{
    Measurement wanted;
    wanted.values = bench.names;
    wanted.channelAxes = bench.measurable.channelAxes;
    Measurement few = wanted;
    few.kinds = {false, false, false};
    const Session fewMeasured = openMeasuring(bench.model, few);
    const Session allMeasured = openMeasuring(bench.model, wanted);
    Recorder fewRecorder(few, {0, samples});
    Recorder allRecorder(wanted, {0, samples});
    Recorder fetchRecorder(few, {0, samples});
    TensorMeter fewMeter(few.kinds);
    TensorMeter allMeter(wanted.kinds);
    std::vector<double> floor;
    std::vector<double> noOp;
    std::vector<double> extremes;
    std::vector<double> everything;
    std::vector<double> fetching;
    for (std::int64_t i = 0; i < samples; ++i) {
        const auto feeds = valueOf(bench.data->sample(i));
        if (i == 0)
            bench.infer(feeds);
        floor.push_back(milliseconds([&] { bench.infer(feeds); }));
        noOp.push_back(
            milliseconds([&] { stopOn(bench.tapped.runTapped(feeds, [](std::size_t, const TensorView&) {})); }));
        extremes.push_back(milliseconds([&] { measure(fewMeasured, feeds, i, fewRecorder, fewMeter); }));
        everything.push_back(milliseconds([&] { measure(allMeasured, feeds, i, allRecorder, allMeter); }));
        fetching.push_back(milliseconds([&] { bench.fetch(feeds, i, fetchRecorder, fewMeter); }));
    }
    std::printf("  plain inference              %6.2f ms\n", quartile(floor));
    report("taps that look at nothing", noOp, floor);
    report("min, max, histogram, sum", extremes, floor);
    report("all statistics", everything, floor);
    report("the first, values fetched", fetching, floor);
}

/// Peak memory in MB of a process of its own that opens the model and runs the samples, measuring or not.
double peakMemory(
    const Model& model, const Dataset& data, const Measurement& wanted, std::int64_t samples, bool measures)
{
    const pid_t child = ::fork();
    if (child == 0) {
        const Session session = measures ? openMeasuring(model, wanted) : valueOf(openModel(model));
        Recorder recorder(wanted, {0, measures ? samples : 1});
        TensorMeter meter;
        for (std::int64_t i = 0; i < samples; ++i) {
            const auto feeds = valueOf(data.sample(i % data.size()));
            if (measures)
                measure(session, feeds, i, recorder, meter);
            else
                stopOn(session.runVisiting(feeds, {}, [](std::size_t, const TensorView&) { return success(); }));
        }
        std::_Exit(0);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

void compareMemory(const Model& model, const Dataset& data, const Measurement& wanted, std::int64_t samples)
{
    std::printf("  peak memory over %lld samples: %.0f MB, plain inference %.0f MB\n", static_cast<long long>(samples),
        peakMemory(model, data, wanted, samples, true), peakMemory(model, data, wanted, samples, false));
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: duo_bench_calibration MODEL.onnx [SAMPLES [NAME=SIZE ...]]\n");
        return 2;
    }
    const std::int64_t samples = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : 40;
    DatasetOptions options;
    for (int i = 3; i < argc; ++i) {
        const std::string text = argv[i];
        options.dims[text.substr(0, text.find('='))] = std::strtoll(text.c_str() + text.find('=') + 1, nullptr, 10);
    }
    benchMeter();
    const auto model = valueOf(readModel(argv[1]));
    const MeasurableValues measurable = measurableValues(*model);
    std::vector<std::string> names;
    for (const std::string& name : measurable.names) {
        if (!model->value(model->findValue(name)).isInput)
            names.push_back(name);
    }
    const auto data = valueOf(openDataset("random:" + std::to_string(samples), *model, options));
    std::printf("%s: %zu values, %lld samples\n", argv[1], names.size(), static_cast<long long>(samples));
    std::fflush(stdout);
    Measurement wanted;
    wanted.values = names;
    wanted.channelAxes = measurable.channelAxes;
    compareMemory(*model, *data, wanted, 10);
    if (samples >= 100)
        compareMemory(*model, *data, wanted, 1000);
    const Session plain = valueOf(openModel(*model));
    const Session tapped = valueOf(openTappedModel(*model, names));
    const Session fetched = valueOf(openModel(*model, names));
    const Bench bench{*model, plain, tapped, fetched, names, measurable, data};
    compareTimes(bench, samples);
    return 0;
}
