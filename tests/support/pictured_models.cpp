// SPDX-License-Identifier: Apache-2.0
#include "tests/support/pictured_models.h"

#include "tests/support/hub_model.h"
#include "tests/support/model_builder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

namespace duo::test {
namespace {

using Made = std::shared_ptr<const Model>;

/// Nodes one after the other, each with its name as its value.
class ChainBuilder
{
public:
    ChainBuilder() { m_builder.input(m_last); }

    std::string add(const std::string& opType, const std::string& name, std::vector<std::string> reads = {})
    {
        reads.insert(reads.begin(), m_last);
        m_last = "value of " + name;
        m_builder.node(opType, name, reads, {m_last});
        return m_last;
    }

    Made build() { return m_builder.output(m_last).build(); }

private:
    ModelBuilder m_builder;
    std::string m_last = "x";
};

/// Encoder and decoder of `depth` steps with connections across.
/// @param start of names: "/" where they tell scopes
Made unet(std::size_t depth, const std::string& start)
{
    ChainBuilder chain;
    std::vector<std::string> across;
    for (std::size_t i = 0; i < depth; ++i) {
        const std::string scope = start + "down." + std::to_string(i);
        chain.add("Conv", scope + "/Conv");
        across.push_back(chain.add("Relu", scope + "/Relu"));
        chain.add("MaxPool", start + "pool." + std::to_string(i) + "/MaxPool");
    }
    for (std::size_t i = 0; i < depth; ++i) {
        const std::string scope = start + "up." + std::to_string(i);
        chain.add("Resize", scope + "/Resize");
        chain.add("Concat", scope + "/Concat", {across[depth - 1 - i]});
        chain.add("Conv", scope + "/Conv");
        chain.add("Relu", scope + "/Relu");
    }
    return chain.build();
}

/// Without scopes.
Made chainOf(std::size_t nodes)
{
    ChainBuilder chain;
    for (std::size_t i = 0; i < nodes; ++i) {
        const char* op = i % 2 == 0 ? "Conv" : "Relu";
        chain.add(op, op + ("_" + std::to_string(i)));
    }
    return chain.build();
}

/// net/layers.N/block.M of four nodes each.
Made scoped(std::size_t nodes)
{
    ChainBuilder chain;
    for (std::size_t i = 0; i < nodes; ++i) {
        const char* op = i % 4 == 0 ? "Conv" : "Relu";
        const std::string at = std::to_string(i / 40) + "/block." + std::to_string(i / 4 % 10);
        chain.add(op, "/net/layers." + at + "/" + op + "_" + std::to_string(i));
    }
    return chain.build();
}

} // namespace

std::ostream& operator<<(std::ostream& out, const PicturedModel& model)
{
    return out << model.name;
}

const std::vector<PicturedModel>& picturedModels()
{
    static const std::vector<PicturedModel> models{
        {"digits_conv", DUO_SAMPLES "/digits_conv.onnx", {}},
        {"digits_transformer", DUO_SAMPLES "/digits_transformer.onnx", {}},
        {"resnet18", DUO_FILLED_MODELS "/resnet18.onnx", {}},
        {"resnet18_dynamo", DUO_FILLED_MODELS "/resnet18.dynamo.onnx", {}},
        {"mobilenet_v2", DUO_FILLED_MODELS "/mobilenet_v2.onnx", {}},
        {"detector", DUO_TEST_DATA "/optimized/detector.script.onnxslim.structure.onnx", {}},
        {"detector_dynamo", DUO_TEST_DATA "/optimized/detector.dynamo.onnxslim.structure.onnx", {}},
        {"detector_darknet", DUO_TEST_DATA "/producers/darknet_net.structure.onnx", {}},
        {"bert", DUO_FILLED_MODELS "/bert_encoder.onnx", {}},
        {"bert_dynamo", DUO_FILLED_MODELS "/bert_encoder.dynamo.onnx", {}},
        {"gpt2", DUO_TEST_DATA "/exports/gpt2.script.onnx", {}},
        {"gpt2_dynamo", DUO_TEST_DATA "/exports/gpt2.dynamo.onnx", {}},
        {"text_recogniser", DUO_TEST_DATA "/producers/paddle_rec.structure.onnx", {}},
        {"text_angle", DUO_TEST_DATA "/shipped/paddle_angle.structure.onnx", {}},
        {"voice_with_if", DUO_TEST_DATA "/shipped/silero_vad.structure.onnx", {}},
        {"cell_in_loop", DUO_TEST_DATA "/optimized/cell_loop.script.ort_basic.structure.onnx", {}},
        {"voice_half", DUO_TEST_DATA "/shipped/silero_vad_half.structure.onnx", {}},
        {"functions", DUO_TEST_DATA "/exports/functions.onnxscript.onnx", {}},
        {"keras_rnn", DUO_TEST_DATA "/producers/keras3_rnn.structure.onnx", {}},
        {"optimum_bert", DUO_TEST_DATA "/producers/optimum_bert.structure.onnx", {}},
        {"keras_resnet", DUO_TEST_DATA "/producers/keras3_resnet.structure.onnx", {}},
        {"unet", "", [] { return unet(5, "/"); }},
        {"unet_without_scopes", "", [] { return unet(5, ""); }},
        {"nodes_10k", "", [] { return scoped(10'000); }},
        {"nodes_50k", "", [] { return scoped(50'000); }},
        {"chain_5k", "", [] { return chainOf(5'000); }},
        {"hub_2k", "", [] { return hubOf(2'000); }},
    };
    return models;
}

std::vector<PicturedModel> otherPicturedModels()
{
    const char* list = std::getenv("DUO_PICTURED_FILES");
    std::vector<PicturedModel> models;
    std::ifstream lines(list ? list : "");
    for (std::string file; std::getline(lines, file);) {
        const std::filesystem::path path(file);
        models.push_back({path.parent_path().filename().string() + "." + path.stem().string(), file, {}});
    }
    return models;
}

Result<Snapshot> openPictured(const PicturedModel& model)
{
    if (!model.file.empty())
        return openScopes(model.file);
    Snapshot snapshot;
    snapshot.model = model.make();
    snapshot.scopes = std::make_shared<const Scopes>(findScopes(*snapshot.model));
    return snapshot;
}

} // namespace duo::test
