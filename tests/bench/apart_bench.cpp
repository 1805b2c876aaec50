// SPDX-License-Identifier: Apache-2.0
// What it costs that ONNX Runtime runs in a process of its own, beside the same runtime in this process: opening a
// model, starting the engine, stopping a run, and inference of the same samples with the same session settings (one
// thread in a run, all optimizations), interleaved; medians. Usage: duo_bench_apart MODEL.onnx [SAMPLES [NAME=SIZE
// ...]]
#include "core/calibrate/samples/dataset.h"
#include "core/engine/engine_process.h"
#include "core/engine/session.h"
#include "core/onnx/reader.h"
#include "tests/bench/rounds.h"

#include <onnxruntime_cxx_api.h>

#include <cstdio>
#include <cstdlib>
#include <string>

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

/// ONNX Runtime as any program uses it.
class InProcess
{
public:
    explicit InProcess(const std::string& path)
        : m_session(environment(), path.c_str(), options())
    {
        for (std::size_t i = 0; i < m_session.GetOutputCount(); ++i)
            m_outputs.emplace_back(m_session.GetOutputNameAllocated(i, m_allocator).get());
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
        return options;
    }

    static ONNXTensorElementDataType elementType(ElementType type)
    {
        return type == ElementType::Int64 ? ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64
            : type == ElementType::Int32  ? ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32
                                          : ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
    }

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

void compareRuns(const std::string& path, const Dataset& data, std::int64_t samples)
{
    InProcess here(path);
    const Session apart = valueOf(Session::openFile(path, {}));
    std::vector<double> floor;
    std::vector<double> ratios;
    for (std::int64_t i = 0; i < samples; ++i) {
        const auto feeds = valueOf(data.sample(i));
        const auto runHere = [&] { here.run(feeds); };
        const auto runApart = [&] {
            if (!apart.runVisiting(feeds, {}, [](std::size_t, const TensorView&) { return success(); }))
                std::exit(1);
        };
        const bool isFirst = i % 2 == 0; // in turns
        const double first = milliseconds(isFirst ? std::function<void()>(runHere) : runApart);
        const double second = milliseconds(isFirst ? std::function<void()>(runApart) : runHere);
        floor.push_back(isFirst ? first : second);
        ratios.push_back((isFirst ? second : first) / floor.back());
    }
    const double plain = median(floor);
    std::printf("  a sample in this process %.3f ms; apart %.3f x, %.3f ms more\n", plain, median(ratios),
        (median(ratios) - 1) * plain);
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
    compareRuns(argv[1], *data, samples);
    return 0;
}
