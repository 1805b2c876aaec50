// SPDX-License-Identifier: Apache-2.0
#include "tests/core/formats/pt2/small_program.h"

#include "core/formats/pt2/read_pt2.h"
#include "tests/support/torch_programs.h"
#include "tests/support/zip_file.h"

namespace duo::test {

std::string SmallProgram::json() const
{
    return R"({"graph_module": {"graph": {"inputs": )" + inputs + R"(, "outputs": )" + outputs + R"(, "nodes": )"
        + nodes + R"(, "tensor_values": {}}, "signature": {"input_specs": )" + inputSpecs
        + R"(, "output_specs": []}, "module_call_graph": )" + modules + R"(}, "opset_version": {"aten": 10},
        "schema_version": )"
        + version + R"(, "torch_version": "2.15.0"})";
}

ArchiveMembers SmallProgram::members() const
{
    return {{"m/archive_format", "pt2"}, {"m/archive_version", "0"}, {"m/models/model.json", json()}};
}

std::string smallNode(const std::string& input, const std::string& output, const std::string& stack)
{
    return R"({"target": "torch.ops.aten.relu.default", "inputs": [{"name": "self", "arg": {"as_tensor": {"name": ")"
        + input + R"("}}}], "outputs": [{"as_tensor": {"name": ")" + output
        + R"("}}], "metadata": {"nn_module_stack": ")" + stack + R"("}})";
}

std::string readSmall(const TemporaryFolder& folder, const ArchiveMembers& members)
{
    writeZip(folder / "m.pt2", members);
    const auto model = test::readProgram(folder / "m.pt2");
    if (!model)
        return folder.withoutPath(model.error().line());
    std::string text = "ok";
    for (const Note& note : (*model)->notes)
        text += ": " + note.kind + " (" + note.text + ")";
    return text;
}

} // namespace duo::test
