// SPDX-License-Identifier: Apache-2.0
// What it costs that ONNX Runtime runs in a process of its own, beside the same runtime in this process: opening a
// model, starting the engine, inference and calibration of the same samples with the same session settings (one thread
// in a run, all optimizations), interleaved, medians of the paired ratios; and how long a stop takes.
// Usage: duo_bench_apart MODEL.onnx [SAMPLES [NAME=SIZE ...]]
#include "app/engine/watched_operators.h"
#include "core/calibrate/measure/tensor_measure.h"
#include "core/calibrate/recorder.h"
#include "core/calibrate/samples/dataset.h"
#include "core/engine/engine_process.h"
#include "core/engine/session.h"
#include "core/engine/tap_domain.h"
#include "core/onnx/reader.h"
#include "core/onnx/writer.h"
#include "core/quantize/profiles/measurable_values.h"
#include "core/support/parallel.h"
#include "tests/bench/rounds.h"

#include <onnxruntime_cxx_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

using namespace duo;
using bench::median;
using bench::milliseconds;

template <typename T> T valueOf(Result<T> result)
{
    if (result)
        return *std::move(result);
    std::fprintf(stderr, "error: %s\n", result.error().line().c_str());
    std::exit(1);
}

void stopOn(const Status& status)
{
    if (status)
        return;
    std::fprintf(stderr, "error: %s\n", status.error().line().c_str());
    std::exit(1);
}

/// ONNX Runtime as any program uses it.
class InProcess
{
public:
    explicit InProcess(const std::string& path)
        : m_session(environment(), path.c_str(), options())
    {
        readOutputs();
    }

    /// With taps, which watch() looks at.
    explicit InProcess(const EngineModel& tapped)
        : m_session(environment(), tapped.proto.data(), tapped.proto.size(), tappedOptions(tapped))
    {
        readOutputs();
    }

    void run(std::span<const HostTensor> feeds)
    {
        std::vector<const char*> names;
        std::vector<Ort::Value> values;
        for (const HostTensor& feed : feeds) {
            names.push_back(feed.name.c_str());
            values.push_back(Ort::Value::CreateTensor(m_memory, const_cast<std::byte*>(feed.bytes.data()),
                feed.bytes.size(), feed.dims.data(), feed.dims.size(), elementType(feed.type)));
        }
        std::vector<const char*> wanted;
        for (const std::string& output : m_outputs)
            wanted.push_back(output.c_str());
        m_session.Run(Ort::RunOptions(), names.data(), values.data(), values.size(), wanted.data(), wanted.size());
    }

    void watch(std::span<const HostTensor> feeds, const TapVisitor& visit)
    {
        const TapWatchers::Watch watch(m_watchers, visit);
        run(feeds);
    }

private:
    static Ort::Env& environment()
    {
        static Ort::Env only(ORT_LOGGING_LEVEL_ERROR);
        return only;
    }

    static Ort::SessionOptions options()
    {
        Ort::SessionOptions options;
        options.SetIntraOpNumThreads(1);
        options.SetGraphOptimizationLevel(ORT_ENABLE_ALL);
        options.SetDeterministicCompute(true);
        options.DisableMemPattern();
        return options;
    }

    Ort::SessionOptions tappedOptions(const EngineModel& tapped)
    {
        Ort::SessionOptions all = options();
        std::vector<std::string> names;
        std::vector<char*> buffers;
        std::vector<std::size_t> lengths;
        for (const auto& [location, data] : tapped.weights) {
            names.push_back(location);
            buffers.push_back(const_cast<char*>(reinterpret_cast<const char*>(data.bytes.data()))); // only read
            lengths.push_back(data.bytes.size());
        }
        if (!names.empty())
            all.AddExternalInitializersFromFilesInMemory(names, buffers, lengths);
        all.Add(static_cast<OrtCustomOpDomain*>(m_taps.domain()));
        return all;
    }

    void readOutputs()
    {
        for (std::size_t i = 0; i < m_session.GetOutputCount(); ++i)
            m_outputs.emplace_back(m_session.GetOutputNameAllocated(i, m_allocator).get());
    }

    static ONNXTensorElementDataType elementType(ElementType type)
    {
        return type == ElementType::Int64 ? ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64
            : type == ElementType::Int32  ? ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32
                                          : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    }

    TapWatchers m_watchers;
    TapOperators m_taps{m_watchers};
    Ort::AllocatorWithDefaultOptions m_allocator;
    Ort::MemoryInfo m_memory = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
    Ort::Session m_session;
    std::vector<std::string> m_outputs;
};

void compareOpening(const std::string& path)
{
    constexpr int kRounds = 15;
    std::vector<double> here;
    std::vector<double> waiting;
    std::vector<double> anew;
    const auto open = [&] { static_cast<void>(valueOf(Session::openFile(path, {}))); };
    for (int round = 0; round < kRounds; ++round) {
        here.push_back(milliseconds([&] { const InProcess session(path); }));
        open(); // leaves an engine that waits
        waiting.push_back(milliseconds(open));
        endIdleEngines();
        anew.push_back(milliseconds(open));
    }
    std::printf("  opening in this process %.1f ms; in an engine that waits %.2f x; starting one takes %.1f ms more\n",
        median(here), median(waiting) / median(here), median(anew) - median(waiting));
}

using WorkOnSample = std::function<void(std::int64_t sample, std::span<const HostTensor> feeds)>;

/// Both on every sample, in turns.
void compareOnSamples(const char* what, const Dataset& data, const WorkOnSample& here, const WorkOnSample& apart)
{
    std::vector<double> floor;
    std::vector<double> ratios;
    for (std::int64_t i = 0; i < data.size(); ++i) {
        const auto feeds = valueOf(data.sample(i));
        const bool isHereFirst = i % 2 == 0;
        const double first = milliseconds([&] { (isHereFirst ? here : apart)(i, feeds); });
        const double second = milliseconds([&] { (isHereFirst ? apart : here)(i, feeds); });
        floor.push_back(isHereFirst ? first : second);
        ratios.push_back((isHereFirst ? second : first) / floor.back());
    }
    std::printf("  %s in this process %.3f ms a sample; apart %.3f x, %.3f ms more\n", what, median(floor),
        median(ratios), (median(ratios) - 1) * median(floor));
}

void compareRuns(const std::string& path, const Dataset& data)
{
    InProcess here(path);
    const Session apart = valueOf(Session::openFile(path, {}));
    compareOnSamples(
        "inference", data, [&](std::int64_t, std::span<const HostTensor> feeds) { here.run(feeds); },
        [&](std::int64_t, std::span<const HostTensor> feeds) {
            stopOn(apart.runVisiting(feeds, {}, [](std::size_t, const TensorView&) { return success(); }));
        });
}

/// Both on batches of samples, in turns, as many at once as there are cores.
void compareOnAllCores(const char* what, const Dataset& data, const WorkOnSample& here, const WorkOnSample& apart)
{
    const int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    const std::int64_t batch = 4 * threads;
    const auto timeOf = [&](std::int64_t first, const WorkOnSample& work) {
        return milliseconds([&] {
            stopOn(parallelFor(static_cast<std::size_t>(batch), threads, {}, [&](std::size_t i) {
                const std::int64_t sample = first + static_cast<std::int64_t>(i);
                work(sample, valueOf(data.sample(sample)));
                return success();
            }));
        });
    };
    std::vector<double> floor;
    std::vector<double> ratios;
    for (std::int64_t first = 0; first + batch <= data.size(); first += batch) {
        floor.push_back(timeOf(first, here));
        ratios.push_back(timeOf(first, apart) / floor.back());
    }
    std::printf("  %s on %d cores at once, in this process %.3f ms a sample; apart %.3f x\n", what, threads,
        median(floor) / static_cast<double>(batch), median(ratios));
}

/// All statistics of all values that a profile may want.
void compareCalibration(const Model& model, const Dataset& data)
{
    const MeasurableValues measurable = measurableValues(model);
    Measurement wanted;
    wanted.channelAxes = measurable.channelAxes;
    for (const std::string& name : measurable.names) {
        if (!model.value(model.findValue(name)).isInput)
            wanted.values.push_back(name);
    }
    InProcess here(valueOf(engineModel(model, tapEdits(model, wanted.values))));
    const Session apart
        = valueOf(openMeasuringModel(model, wanted.values, writeTapMeasures(tapMeasures(wanted, wanted.values))));
    Recorder recorderHere(wanted, {0, data.size()});
    Recorder recorderApart(wanted, {0, data.size()});
    const WorkOnSample measureHere = [&](std::int64_t sample, std::span<const HostTensor> feeds) {
        thread_local TensorMeter meter(wanted.kinds);
        here.watch(feeds, [&](std::size_t tap, const TensorView& view) {
            recorderHere.add(tap, sample, view.floats(), view.dims, meter);
        });
    };
    const WorkOnSample measureApart = [&](std::int64_t sample, std::span<const HostTensor> feeds) {
        thread_local TensorMeter meter(wanted.kinds);
        stopOn(apart.runTapped(feeds, [&](std::size_t tap, const TensorView& view) {
            stopOn(recorderApart.addTapped(tap, sample, view, meter));
        }));
    };
    compareOnSamples("calibration", data, measureHere, measureApart);
    compareOnAllCores("calibration", data, measureHere, measureApart);
}

/// From the request to the return of what it stops, which has run for `after` of the time that it takes.
template <typename Work> double stopTime(double whole, double after, const Work& work)
{
    std::stop_source source;
    std::chrono::steady_clock::time_point asked;
    const std::jthread asking([&] {
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(whole * after));
        asked = std::chrono::steady_clock::now();
        source.request_stop();
    });
    work(source.get_token());
    const auto ended = std::chrono::steady_clock::now();
    if (!source.stop_requested()) // it was done before
        return 0;
    return std::max(0.0, std::chrono::duration<double, std::milli>(ended - asked).count());
}

/// While the model is opened, at several moments of it.
void measureStops(const std::string& path)
{
    const double whole = milliseconds([&] { static_cast<void>(valueOf(Session::openFile(path, {}))); });
    std::vector<double> times;
    for (const double after : {0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}) {
        times.push_back(stopTime(whole, after, [&](std::stop_token stop) {
            SessionOptions options;
            options.stop = std::move(stop);
            static_cast<void>(Session::openFile(path, options));
        }));
    }
    std::printf("  a stop while it is opened (%.0f ms) ends it after %.1f ms, %.1f ms at most, of %zu\n", whole,
        median(times), *std::ranges::max_element(times), times.size());
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "usage: duo_bench_apart MODEL.onnx [SAMPLES [NAME=SIZE ...]]\n");
        return 2;
    }
    const std::int64_t samples = argc > 2 ? std::strtoll(argv[2], nullptr, 10) : 100;
    DatasetOptions options;
    for (int i = 3; i < argc; ++i) {
        const std::string text = argv[i];
        options.dims[text.substr(0, text.find('='))] = std::strtoll(text.c_str() + text.find('=') + 1, nullptr, 10);
    }
    const auto model = valueOf(readModel(argv[1]));
    const auto data = valueOf(openDataset("random:" + std::to_string(samples), *model, options));
    std::printf(
        "%s, ONNX Runtime %s, %lld samples\n", argv[1], engineVersion().c_str(), static_cast<long long>(samples));
    compareOpening(argv[1]);
    compareRuns(argv[1], *data);
    compareCalibration(*model, *data);
    measureStops(argv[1]);
    return 0;
}
