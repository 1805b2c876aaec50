// SPDX-License-Identifier: Apache-2.0
// What files hold and how parts are named (resources/docs/oracles.md, "Tied table", "Awkward files").
#include "core/onnx/writer.h"
#include "core/report/plan_report.h"
#include "tests/core/pipeline/normal_samples.h"
#include "tests/core/pipeline/quantized_case.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stop_token>

#include <sys/resource.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using test::addInt;
using test::checkOf;
using test::normal;
using test::normalSamples;
using test::ProtoBuilder;
using test::QuantizedCase;
using testing::ElementsAre;

constexpr std::int64_t kWords = 32;
constexpr std::int64_t kWidth = 16;

/// Numbers of words, as floats: the case has no other inputs.
std::vector<std::vector<float>> sentences(std::size_t count)
{
    std::vector<std::vector<float>> all(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < 8; ++k)
            all[i].push_back(static_cast<float>((i * 5 + k * 7) % kWords));
    }
    return all;
}

/// The head reads the table of the words, turned.
void addLanguageModel(ProtoBuilder& model)
{
    model.input("x", {8}).output("y", {8, kWords});
    model.weight("table", {kWords, kWidth}, normal(static_cast<std::size_t>(kWords * kWidth), 1));
    model.weight("w", {kWidth, kWidth}, normal(static_cast<std::size_t>(kWidth * kWidth), 2, 0, 0.3F));
    addInt(model.node("Cast", "number", {"x"}, {"ids"}), "to", onnx::TensorProto::INT64);
    model.node("Gather", "embed", {"table", "ids"}, {"h0"});
    model.node("MatMul", "mix", {"h0", "w"}, {"h1"});
    model.node("Relu", "relu", {"h1"}, {"h2"});
    addInt(model.node("Gemm", "head", {"h2", "table"}, {"y"}), "transB", 1);
}

/// Constants as large as the table, with their types.
std::vector<std::string> tablesIn(const Model& model)
{
    std::vector<std::string> tables;
    for (const TensorId id : model.initializers) {
        if (model.tensor(id).elements() == kWords * kWidth)
            tables.push_back(model.tensor(id).name + " " + std::string(elementTypeName(model.tensor(id).type)));
    }
    return tables;
}

struct TiedCase {
    const char* settings;
    const char* stored;
};

class TiedTables : public testing::TestWithParam<TiedCase>
{
};

TEST_P(TiedTables, ATableThatIsReadAsWordsAndAsHeadIsStoredOnce)
{
    ProtoBuilder model;
    addLanguageModel(model);
    QuantizedCase tied(model, {8}, sentences(4));
    const ExportReport report = tied.quantize(GetParam().settings);
    EXPECT_TRUE(report.allChecksPassed());
    EXPECT_THAT(tablesIn(*tied.written()), ElementsAre(GetParam().stored));
    ASSERT_TRUE(report.outputs.at(0).sqnrDb);
    EXPECT_GT(*report.outputs[0].sqnrDb, 25);
}

INSTANTIATE_TEST_SUITE_P(Settings, TiedTables,
    testing::Values(TiedCase{"", "table_quantized uint8"},
        TiedCase{R"("nncf_compatible": true)", "table_quantized int8"},
        TiedCase{R"("profile": "openvino")", "table_quantized int8"},
        TiedCase{R"("profile": "qnn")", "table_quantized uint8"},
        TiedCase{R"("weights_quantization_params": {"num_bits": 16})", "table_quantized int16"}));

/// What users write in rules: the names that `plan` shows, in node order.
std::vector<std::string> shownNames(const Snapshot& snapshot)
{
    std::vector<std::string> names;
    std::string plan;
    writePlanJson(*snapshot.model, *snapshot.placement, {}, [&](std::string_view piece) { plan += piece; });
    const auto document = nlohmann::ordered_json::parse(plan);
    for (const auto& decision : document.at("decisions"))
        names.push_back(decision.at("node").get<std::string>());
    return names;
}

/// A row of convolutions, as badly named as the format allows; one has the name another one gets for want of its own.
void addBadNames(ProtoBuilder& model)
{
    const std::vector<std::string> names{
        "", "same", "same", "Conv:h1", "stage/0/conv", "two words", " ", "same", "a.b::c", "{re}conv", ""};
    model.input("x", {1, 2, 4, 4});
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        model.weight("w" + number, {2, 2, 1, 1}, normal(4, static_cast<unsigned>(i)));
        const std::string before = i == 0 ? "x" : "h" + std::to_string(i);
        model.node("Conv", names[i], {before, "w" + number}, {i + 1 == names.size() ? "y" : "h" + number});
    }
    model.output("y", {1, 2, 4, 4});
}

TEST(NodesWithoutNames, EveryNodeIsIgnoredByTheNameThatIsShownForIt)
{
    ProtoBuilder model;
    addBadNames(model);
    QuantizedCase named(model, {1, 2, 4, 4}, normalSamples(2, 32, 10));
    const std::vector<std::string> names = shownNames(named.opened());
    EXPECT_THAT(names,
        ElementsAre("Conv:h1:0", "same", "Conv:h3", "Conv:h1", "stage/0/conv", "two words", " ", "Conv:h8", "a.b::c",
            "{re}conv", "Conv:y"));
    for (const std::string& name : names) {
        const nlohmann::json rule{{"action", "ignore"}, {"kind", "name"}, {"value", name}};
        const ExportReport report = named.quantize(R"("quantize_outputs": true)", "[" + rule.dump() + "]");
        EXPECT_EQ(checkOf(report, "ignored-float").message, "1 ignored node stays in float") << name;
        std::vector<std::string> others = names;
        std::erase(others, name);
        std::vector<std::string> inInt8;
        for (const NodeRun& run : checkOf(report, "int8-kernels").results) {
            if (run.runs == RunsAs::Int8)
                inInt8.push_back(run.node);
        }
        EXPECT_EQ(inInt8, others) << name;
        const auto written = named.written();
        for (const std::string& kept : names)
            EXPECT_TRUE(written->findNode(kept).valid()) << kept << " when " << name << " is ignored";
    }
}

/// Bytes of the process that are its own, not a file's.
std::size_t ownBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmData:"))
            return std::stoull(line.substr(7)) * 1024;
    }
    return 0;
}

/// While it lives the process may take so many bytes more; files it maps do not count.
class MemoryBound
{
public:
    explicit MemoryBound(std::size_t more)
    {
        ::getrlimit(RLIMIT_DATA, &m_before);
        rlimit bound = m_before;
        bound.rlim_cur = std::min<rlim_t>(ownBytes() + more, m_before.rlim_max);
        ::setrlimit(RLIMIT_DATA, &bound);
    }
    ~MemoryBound() { ::setrlimit(RLIMIT_DATA, &m_before); }
    MemoryBound(const MemoryBound&) = delete;
    MemoryBound& operator=(const MemoryBound&) = delete;

private:
    rlimit m_before{};
};

TEST(LargeFiles, TwoGigabytesOfWeightsPassThroughWithoutBeingHeld)
{
    constexpr std::int64_t kRows = 8'203'125; // of 64 floats: 2.1 GB
    constexpr std::int64_t kStop = 64'000'000;
    const test::TemporaryFolder folder;
    folder.write("w.bin", "");
    std::filesystem::resize_file(folder / "w.bin", kRows * 256); // sparse: takes no disk
    ProtoBuilder model;
    model.input("x", {8}).output("y", {8, 64}).external("table", {kRows, 64}, "w.bin");
    addInt(model.node("Cast", "", {"x"}, {"ids"}), "to", onnx::TensorProto::INT64);
    model.node("Gather", "", {"table", "ids"}, {"y"});
    const MemoryBound bound(200'000'000);
    const auto opened = openSnapshot(folder.write("m.onnx", model.text()));
    ASSERT_TRUE(opened) << opened.error().line();
    EXPECT_EQ(shownNames(*opened), (std::vector<std::string>{"Cast:ids", "Gather:y"}));

    std::stop_source stop; // the rest would only take time
    Progress last;
    const JobContext job{stop.get_token(), [&](const Progress& progress) {
                             last = progress.stage == "export" ? progress : last;
                             if (last.done >= kStop)
                                 stop.request_stop();
                         }};
    const auto written = writeModel(*opened->model, {}, folder / "out.onnx", job);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::Cancelled) << written.error().line();
    EXPECT_GE(last.total, kRows * 256);
    EXPECT_GE(last.done, kStop);
    EXPECT_LT(last.done, 2 * kStop);
    EXPECT_FALSE(std::filesystem::exists(folder / "out.onnx"));
    EXPECT_FALSE(std::filesystem::exists(folder / "out.onnx.data"));
}

} // namespace
} // namespace duo
