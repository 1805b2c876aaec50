// SPDX-License-Identifier: Apache-2.0
// Programs that are wrong in some way: each ends in a model with a note, or in one line.
#include "core/formats/pt2/read_pt2.h"

#include "core/scope/scope.h"
#include "tests/core/formats/pt2/small_program.h"
#include "tests/support/file_bytes.h"
#include "tests/support/torch_programs.h"
#include "tests/support/zip_file.h"

#include <gtest/gtest.h>

namespace duo::test {
namespace {

class HostileProgram : public testing::Test
{
protected:
    [[nodiscard]] std::string read(const SmallProgram& program) const { return readSmall(m_folder, program.members()); }
    [[nodiscard]] std::string readMembers(const ArchiveMembers& members) const { return readSmall(m_folder, members); }
    /// One parameter `w` of two floats with this entry in the configuration and this payload.
    [[nodiscard]] std::string readWithWeight(const std::string& entry, const std::string& payload) const
    {
        SmallProgram program;
        program.inputs = R"([{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}])";
        program.inputSpecs = R"([{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
            {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}])";
        ArchiveMembers members = program.members();
        members.emplace_back("m/data/weights/model_weights_config.json", R"({"config": {"w": )" + entry + "}}");
        members.emplace_back("m/data/weights/weight_0", payload);
        return readMembers(members);
    }
    TemporaryFolder m_folder;
};

std::string entry(const std::string& sizes, const std::string& strides, const std::string& more = "")
{
    return R"({"path_name": "weight_0", "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": )" + sizes
        + R"(, "strides": )" + strides + R"(, "storage_offset": {"as_int": 0}, "layout": 7}})" + more;
}

TEST_F(HostileProgram, TheSmallOneIsFine)
{
    EXPECT_EQ(read({}), "ok");
    EXPECT_EQ(readWithWeight(entry(R"([{"as_int": 2}])", R"([{"as_int": 1}])"), "12345678"), "ok");
}

TEST_F(HostileProgram, AnotherSchemaVersionIsRefused)
{
    SmallProgram program;
    program.version = R"({"major": 99, "minor": 1})";
    EXPECT_EQ(read(program),
        "the program has schema version 99.1: DIR/m.pt2 member 'models/model.json': "
        "versions 7 and 8 are read, export it again with PyTorch 2.5 or newer");
    program.version = R"({"major": 5, "minor": 3})";
    EXPECT_NE(read(program).find("schema version 5.3"), std::string::npos);
    program.version = R"("8")";
    EXPECT_EQ(read(program),
        "not a program of torch.export: DIR/m.pt2 member 'models/model.json': "
        "save it with torch.export.save(program, path)");
}

TEST_F(HostileProgram, AnotherArchiveVersionIsRefused)
{
    ArchiveMembers members = SmallProgram{}.members();
    members[1].second = "7";
    EXPECT_EQ(readMembers(members),
        "the archive has version '7': DIR/m.pt2: version 0 is read, save the program again with torch.export.save");
}

TEST_F(HostileProgram, AnArchiveWithoutAProgramIsRefused)
{
    EXPECT_EQ(readMembers({{"m/archive_format", "pt2"}, {"m/archive_version", "0"}}),
        "the archive holds no program: DIR/m.pt2: save one with torch.export.save(program, path)");
    EXPECT_EQ(readMembers({{"m/archive_version", "0"}, {"m/data/aotinductor/model/a.so", "x"}}),
        "the archive holds compiled code only: DIR/m.pt2: save the program itself with torch.export.save(program, "
        "path)");
}

TEST_F(HostileProgram, AProgramPackedTooWellIsRefusedBeforeItIsUnpacked)
{
    ArchiveMembers members = SmallProgram{}.members();
    members.back().second.append(std::size_t{65} << 20, ' ');
    writeZip(m_folder / "m.pt2", members, Packing::Deflated);
    const auto model = test::readProgram(m_folder / "m.pt2");
    ASSERT_FALSE(model);
    EXPECT_EQ(m_folder.withoutPath(model.error().line()),
        "part of an archive is packed too well: DIR/m.pt2: 'models/model.json': save the program again with "
        "torch.export.save");
}

TEST_F(HostileProgram, OfSeveralProgramsOneIsOpened)
{
    ArchiveMembers members = SmallProgram{}.members();
    members.emplace_back("m/models/another.json", "{");
    EXPECT_EQ(readMembers(members), "ok: several-programs (the archive holds 2 programs, 'model' was opened)");
}

TEST_F(HostileProgram, JsonThatIsNoProgramIsRefused)
{
    ArchiveMembers members = SmallProgram{}.members();
    for (const char* json : {"{}", R"({"graph_module": 3, "schema_version": {"major": 8}})",
             R"({"graph_module": {"graph": {"nodes": {}}}, "schema_version": {"major": 8}})"}) {
        members[2].second = json;
        EXPECT_EQ(readMembers(members).rfind("not a program of torch.export: ", 0), 0U) << json;
    }
    members[2].second = SmallProgram{}.json().substr(0, 200);
    EXPECT_EQ(readMembers(members).rfind("not valid JSON: DIR/m.pt2 member 'models/model.json' byte ", 0), 0U);
}

TEST_F(HostileProgram, ATruncatedFileIsRefusedWhereverItIsCut)
{
    const auto original = std::filesystem::path(DUO_TEST_DATA) / "pt2" / "archive" / "a2_handed.pt2";
    const std::string bytes = test::bytesOf(original);
    for (std::size_t length = 0; length < bytes.size(); length += 61) {
        const auto file = m_folder.write("cut.pt2", std::string_view(bytes).substr(0, length));
        const auto model = test::readProgram(file);
        ASSERT_FALSE(model) << length;
        EXPECT_EQ(model.error().line().find('\n'), std::string::npos);
        EXPECT_NE(model.error().code, ErrorCode::Internal);
    }
}

Result<std::shared_ptr<const Model>> readBytes(const std::string& bytes)
{
    DUO_TRY(zip, StoredZip::open({nullptr, std::as_bytes(std::span(bytes))}, "mutated"));
    return readTorchExport(std::move(zip), "mutated", {});
}

TEST_F(HostileProgram, AFlippedBitNeverCrashes)
{
    for (const char* layout : {"archive", "flat"}) {
        const std::string bytes
            = test::bytesOf(std::filesystem::path(DUO_TEST_DATA) / "pt2" / layout / "strict_param_share.pt2");
        for (std::size_t at = 0; at < bytes.size(); at += 11) {
            std::string mutated = bytes;
            mutated[at] = static_cast<char>(mutated[at] ^ (1 << (at % 8)));
            const auto model = readBytes(mutated);
            if (model) {
                EXPECT_EQ(findScopes(**model).nodes.size(), (*model)->nodes.size());
            } else {
                EXPECT_NE(model.error().code, ErrorCode::Internal) << model.error().line();
            }
        }
    }
}

TEST_F(HostileProgram, UnknownKindsOfArgumentsAreLeftOut)
{
    SmallProgram program;
    program.nodes = R"([{"target": "torch.ops.aten.relu.default",
        "inputs": [{"name": "self", "arg": {"as_tensor": {"name": "x"}}}, {"name": "a", "arg": {"as_star": 1}},
            {"name": "b", "arg": {"as_ints": "no"}}, {"name": "c", "arg": 3}, {"name": "d"}, 7],
        "outputs": [{"as_tensor": {"name": "y"}}], "metadata": {"n": 3}}])";
    EXPECT_EQ(read(program),
        "ok: unknown-argument (arguments of kind 'as_ints' are not understood and were left out)"
        ": unknown-argument (arguments of kind 'as_star' are not understood and were left out)");
}

TEST_F(HostileProgram, OlderUnionsHaveTheirOtherMembersNull)
{
    SmallProgram program;
    program.inputs = R"([{"as_none": null, "as_tensor": {"name": "x"}, "as_int": null}])";
    EXPECT_EQ(read(program), "ok");
}

TEST_F(HostileProgram, ACycleIsRefused)
{
    SmallProgram program;
    program.nodes = "[" + smallNode("y", "z") + "," + smallNode("z", "y") + "]";
    EXPECT_EQ(
        read(program), "the graph has a cycle: node 'y': export the model again; a node must not read its own result");
}

TEST_F(HostileProgram, AValueDefinedTwiceIsRefused)
{
    SmallProgram program;
    program.nodes = "[" + smallNode("x", "y") + "," + smallNode("x", "y") + "]";
    EXPECT_EQ(read(program), "a value is defined twice: 'y': export the program again");
    program.nodes = "[" + smallNode("x", "x") + "]";
    EXPECT_EQ(read(program), "a value is defined twice: 'x': export the program again");
}

TEST_F(HostileProgram, AReadOfNothingIsLeftOut)
{
    SmallProgram program;
    program.nodes = "[" + smallNode("nowhere", "y") + "]";
    EXPECT_EQ(read(program),
        "ok: undefined-value (the value 'nowhere' is read and nothing defines it; such reads were left out)");
}

TEST_F(HostileProgram, BodiesMayNotBeNestedWithoutEnd)
{
    std::string node = smallNode("x", "y");
    for (int depth = 0; depth < 40; ++depth)
        node = R"({"target": "torch.ops.higher_order.cond", "name": "n", "inputs": [{"name": "", "arg": {"as_graph":
            {"name": "g", "graph": {"inputs": [{"as_tensor": {"name": "x"}}], "outputs": [], "nodes": [)"
            + node + R"(]}}}}], "outputs": [{"as_tensor": {"name": "y"}}], "metadata": {}})";
    SmallProgram program;
    program.nodes = "[" + node + "]";
    EXPECT_EQ(read(program),
        "the document is nested too deeply: DIR/m.pt2 member 'models/model.json': export the model again");
}

TEST_F(HostileProgram, OddStacksAndModulesAreHarmless)
{
    SmallProgram program;
    program.modules
        = R"([{"fqn": ""}, {"fqn": "a"}, {"fqn": "a"}, {"fqn": "a@1"}, {"fqn": 3}, {}, 5, {"fqn": "b..c"}])";
    program.nodes = "[" + smallNode("x", "a", ",,N;k@1,a,A") + "," + smallNode("a", "b", ";;;,,,") + ","
        + smallNode("b", "c", "k,L['x'.[0,A") + "," + smallNode("c", "y", "," + std::string(5000, 'p') + ",A") + "]";
    EXPECT_EQ(read(program), "ok");
    const auto model = test::readProgram(m_folder / "m.pt2");
    EXPECT_EQ((*model)->modules.size(), 3U);
    EXPECT_EQ(findScopes(**model).nodes[0].execution, "a#1");
    EXPECT_EQ(findScopes(**model).nodes[3].executionFrom, Provenance::Guess);
}

TEST_F(HostileProgram, WeightsMustFitTheirPayload)
{
    EXPECT_NE(readWithWeight(entry(R"([{"as_int": 3}])", R"([{"as_int": 1}])"), "12345678").rfind("ok", 0), 0U);
    EXPECT_NE(readWithWeight(entry(R"([{"as_int": 2}])", R"([{"as_int": -1}])"), "12345678").rfind("ok", 0), 0U);
    EXPECT_NE(readWithWeight(
                  entry(R"([{"as_int": 4611686018427387904}, {"as_int": 4}])", R"([{"as_int": 0}, {"as_int": 0}])"),
                  "12345678")
                  .rfind("ok", 0),
        0U);
    EXPECT_NE(
        readWithWeight(R"({"path_name": "weight_9", "tensor_meta": {"dtype": 7, "sizes": []}})", "").rfind("ok", 0),
        0U);
}

TEST_F(HostileProgram, WeightsThatAreNotReadAreNoted)
{
    EXPECT_NE(
        readWithWeight(R"({"path_name": "weight_0", "use_pickle": true, "tensor_meta": {"dtype": 7, "sizes": []}})", "")
            .find("ok: left-out-key"),
        std::string::npos);
    EXPECT_NE(readWithWeight("3", "").find("ok: left-out-key"), std::string::npos);
    EXPECT_NE(readWithWeight("3", "").find("missing-weights (the archive holds no values of 1 "), std::string::npos);
}

TEST_F(HostileProgram, AProgramWithoutAnyWeightsIsRefused)
{
    SmallProgram program;
    program.inputs = R"([{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}])";
    program.inputSpecs = R"([{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
        {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}, {"new_kind": {"arg": {"name": "q"}}}, 4])";
    EXPECT_EQ(read(program),
        "the archive holds no weights: DIR/m.pt2: "
        "save the program again with torch.export.save(program, path), or copy or download the file again");
}

TEST_F(HostileProgram, ASingleMissingTensorIsNoted)
{
    SmallProgram program;
    program.inputs
        = R"([{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "p_v"}}, {"as_tensor": {"name": "x"}}])";
    program.inputSpecs = R"([{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "w"}},
        {"parameter": {"arg": {"name": "p_v"}, "parameter_name": "v"}},
        {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}])";
    ArchiveMembers members = program.members();
    members.emplace_back("m/data/weights/model_weights_config.json",
        R"({"config": {"w": )" + entry(R"([{"as_int": 2}])", R"([{"as_int": 1}])") + "}}");
    members.emplace_back("m/data/weights/weight_0", "12345678");
    EXPECT_EQ(readMembers(members), "ok: missing-weights (the archive holds no values of 1 parameters or buffers)");
}

TEST_F(HostileProgram, APayloadIsOnlyLookedForInsideTheArchive)
{
    for (const std::string path : {"../../../../etc/hostname", "/etc/hostname", "weight_9"}) {
        EXPECT_EQ(readWithWeight(R"({"path_name": ")" + path + R"(", "tensor_meta": {"dtype": 7, "sizes": []}})", ""),
            "checkpoint lacks a storage: DIR/m.pt2: 'w': the archive has no 'data/weights/" + path + "'");
    }
}

TEST_F(HostileProgram, NumbersBeyondAnyTensorAreRefused)
{
    const std::string strides = R"([{"as_int": 1}])";
    for (const std::string size : {"-2", "99999999999999999999999", "9223372036854775807", "2.5"})
        EXPECT_EQ(readWithWeight(entry(R"([{"as_int": )" + size + "}]", strides), "12345678"),
            "tensor has an impossible shape: DIR/m.pt2: 'w': save it again")
            << size;
    EXPECT_EQ(readWithWeight(R"({"path_name": "weight_0", "tensor_meta": {"dtype": 7, "sizes": [],
        "storage_offset": {"as_int": 1e30}}})",
                  "12345678"),
        "tensor has an impossible shape: DIR/m.pt2: 'w': save it again");
    SmallProgram program;
    program.version = R"({"major": 8, "minor": 1e999})";
    EXPECT_EQ(read(program).rfind("not valid JSON: DIR/m.pt2 member 'models/model.json' byte ", 0), 0U);
}

} // namespace
} // namespace duo::test
