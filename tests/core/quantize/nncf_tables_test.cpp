// SPDX-License-Identifier: Apache-2.0
// nncf_compatible against NNCF's own setups (tests/data/placement, made by tests/peers/placement/make_tables.py).
#include "core/onnx/reader.h"
#include "core/quantize/recipe/recipe.h"
#include "tests/core/quantize/placed.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

namespace duo {
namespace {

using Json = nlohmann::json;
using Lines = std::vector<std::string>;

const std::filesystem::path kFolder = std::filesystem::path(DUO_TEST_DATA) / "placement";
constexpr std::uintmax_t kMostWeightBytes = 1U << 30; // of the largest tensor; the file is sparse

/// The place of a node in the file: NNCF knows no nodes but those of the main graph.
std::vector<std::size_t> fileIndices(const Model& model)
{
    std::vector<std::size_t> indices(model.nodes.size(), 0);
    std::size_t next = 0;
    for (std::size_t n = 0; n < model.nodes.size(); ++n)
        indices[n] = model.nodes[n].region.index == 0 ? next++ : 0;
    return indices;
}

std::string configText(const QuantizerConfig& config)
{
    std::string text = config.mode == QuantizationMode::Symmetric ? "S" : "A";
    text += std::to_string(config.numBits) + (config.perChannel ? "c" : "t") + (config.narrowRange ? "n" : "");
    if (config.signednessToForce)
        text += *config.signednessToForce ? "s" : "u";
    return text;
}

/// One quantizer as the tables write it: `3|1|WS8cns`, without the nodes it quantizes.
std::string headText(const Model& model, const std::vector<std::size_t>& indices, const QuantizationPoint& point)
{
    std::string text;
    if (point.input.valid()) {
        const auto& inputs = model.mainGraph().inputs;
        text = "i" + std::to_string(std::find(inputs.begin(), inputs.end(), point.input) - inputs.begin());
    } else {
        text = std::to_string(indices[point.node.index]);
    }
    text += "|" + (point.port ? std::to_string(*point.port) : std::string("-")) + "|";
    return text + (point.isWeight ? "W" : "A") + configText(point.config);
}

Lines linesOf(const Model& model, const QuantizerSetup& setup)
{
    const auto indices = fileIndices(model);
    Lines lines;
    for (const auto& [id, point] : setup.points) {
        std::string line = headText(model, indices, point) + " >";
        std::set<std::size_t> sinks;
        for (const NodeId node : point.directlyQuantized)
            sinks.insert(indices[node.index]);
        for (const std::size_t sink : sinks)
            line += " " + std::to_string(sink);
        lines.push_back(line + (sinks.empty() ? " " : ""));
    }
    for (const auto& [id, members] : setup.unifiedScaleGroups) {
        std::set<std::string> heads;
        for (const PointId member : members)
            heads.insert(headText(model, indices, setup.points.at(member)));
        std::string line = "=";
        for (const std::string& head : heads)
            line += (line.size() > 1 ? ", " : " ") + head;
        lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// The lines of a variant: its own, or the first variant's with some taken out and some put in.
Lines expectedLines(const Json& base, const Json& variant)
{
    if (variant.contains("lines")) {
        auto lines = variant["lines"].get<Lines>();
        std::sort(lines.begin(), lines.end());
        return lines;
    }
    auto lines = base["lines"].get<Lines>();
    for (const std::string& line : variant["without"].get<Lines>())
        std::erase(lines, line);
    for (std::string& line : variant["with"].get<Lines>())
        lines.push_back(std::move(line));
    std::sort(lines.begin(), lines.end());
    return lines;
}

QuantizationSettings settingsOf(const Json& settings)
{
    Json quantization = settings;
    quantization["nncf_compatible"] = true;
    const Json recipe{{"format", "duoscope-recipe"}, {"version", 1}, {"quantization", quantization}};
    const auto parsed = parseRecipe(recipe.dump(), "table");
    EXPECT_TRUE(parsed) << (parsed ? "" : parsed.error().line());
    return parsed ? parsed->quantization : QuantizationSettings{};
}

/// The network of a table, with zeros for weights.
std::shared_ptr<const Model> network(const std::string& name, const std::filesystem::path& folder)
{
    const auto weights = folder / "zeros.bin";
    if (!std::filesystem::exists(weights)) {
        std::ofstream(weights).put('\0');
        std::filesystem::resize_file(weights, kMostWeightBytes);
    }
    const auto file = folder / (name + ".onnx");
    std::filesystem::copy_file(kFolder / file.filename(), file);
    const auto model = readModel(file);
    EXPECT_TRUE(model) << (model ? "" : model.error().line());
    return model ? *model : nullptr;
}

Lines missing(const Lines& from, const Lines& in)
{
    Lines lines;
    std::set_difference(in.begin(), in.end(), from.begin(), from.end(), std::back_inserter(lines));
    return lines;
}

TEST(NncfTables, EverySetupIsNncfs)
{
    const test::TemporaryFolder folder;
    std::size_t tables = 0;
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        if (entry.path().extension() != ".json")
            continue;
        ++tables;
        const std::string name = entry.path().stem();
        const Json variants = Json::parse(std::ifstream(entry.path()));
        const auto model = network(name, folder.path());
        ASSERT_NE(model, nullptr) << name;
        for (const Json& variant : variants) {
            const Lines expected = expectedLines(variants[0], variant);
            const Lines found = linesOf(*model, test::placed(*model, settingsOf(variant["settings"])).setup);
            EXPECT_EQ(missing(found, expected), Lines{}) << "not placed: " << name << " " << variant["settings"];
            EXPECT_EQ(missing(expected, found), Lines{}) << "placed too much: " << name << " " << variant["settings"];
        }
    }
    EXPECT_GE(tables, 30U);
}

} // namespace
} // namespace duo
