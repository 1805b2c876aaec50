// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/exported_program.h"

#include "core/formats/pt2/arguments.h"
#include "core/formats/pt2/json_fields.h"
#include "core/formats/pt2/json_pieces.h"

#include <algorithm>
#include <unordered_set>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kOldestMajor = 7; // PyTorch 2.5
constexpr std::int64_t kNewestMajor = 8;
constexpr std::string_view kGraph = "graph_module/graph";
constexpr std::string_view kModuleCalls = "graph_module/module_call_graph";

JsonPieceOptions pieceOptions()
{
    JsonPieceOptions options;
    options.opened = {"graph_module", kGraph, "graph_module/graph/inputs", "graph_module/graph/outputs",
        "graph_module/graph/nodes", "graph_module/graph/tensor_values", "graph_module/graph/sym_int_values",
        "graph_module/graph/sym_bool_values", "graph_module/graph/sym_float_values", "graph_module/signature",
        "graph_module/signature/input_specs", "graph_module/signature/output_specs", kModuleCalls};
    options.longTexts = {"stack_trace", "from_node"};
    return options;
}

/// "buffer_mutation" -> "BUFFER_MUTATION", as the ONNX exporter writes kinds.
std::string upperCase(std::string_view text)
{
    std::string upper(text);
    std::transform(upper.begin(), upper.end(), upper.begin(),
        [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return upper;
}

/// Name of the value of a spec, whose `arg` is an argument or only a name.
std::string valueOfSpec(const Json& spec)
{
    const Json* arg = jsonField(spec, "arg");
    if (arg == nullptr)
        return {};
    const std::string name = jsonText(*arg, "name");
    if (!name.empty())
        return name;
    const ExportArgument argument = readArgument(*arg);
    return argument.values.size() == 1 ? argument.values.front() : std::string{};
}

ExportInput readInputSpec(const Json& json)
{
    ExportInput input;
    const JsonUnion set = jsonUnion(json);
    if (set.value == nullptr)
        return input;
    input.value = valueOfSpec(*set.value);
    if (set.kind == "user_input") {
        input.kind = ExportInputKind::User;
    } else if (set.kind == "parameter") {
        input.kind = ExportInputKind::Parameter;
        input.target = jsonText(*set.value, "parameter_name");
    } else if (set.kind == "buffer") {
        input.kind = ExportInputKind::Buffer;
        input.target = jsonText(*set.value, "buffer_name");
        const Json* persistent = jsonField(*set.value, "persistent");
        input.isPersistent = persistent == nullptr || !persistent->is_boolean() || persistent->get<bool>();
    } else if (set.kind == "tensor_constant") {
        input.kind = ExportInputKind::TensorConstant;
        input.target = jsonText(*set.value, "tensor_constant_name");
        input.isPersistent = false;
    }
    return input;
}

ExportOutput readOutputSpec(const Json& json)
{
    ExportOutput output;
    const JsonUnion set = jsonUnion(json);
    if (set.value == nullptr)
        return output;
    output.kind = upperCase(set.kind);
    output.value = valueOfSpec(*set.value);
    for (const char* target : {"buffer_name", "parameter_name", "user_input_name"})
        output.target += jsonText(*set.value, target);
    return output;
}

/// Sorts the pieces of the document into a program.
class ProgramReader
{
public:
    Status take(JsonPiece&& piece)
    {
        if (piece.container.starts_with(kGraph)) {
            takeOfGraph(piece.container.substr(kGraph.size()), std::move(piece));
        } else if (piece.container == "graph_module/signature/input_specs") {
            m_program.inputs.push_back(readInputSpec(piece.value));
        } else if (piece.container == "graph_module/signature/output_specs") {
            m_program.outputs.push_back(readOutputSpec(piece.value));
        } else if (piece.container == kModuleCalls) {
            takeModule(piece.value);
        } else if (piece.container.empty()) {
            takeOfDocument(piece);
        } else if (piece.container == "graph_module" && piece.key == "metadata" && !piece.value.empty()) {
            m_program.facts.emplace_back("metadata", piece.value.dump());
        }
        return success();
    }

    Result<ExportedProgram> finish(const std::string& where, const JsonPiecesRead& read)
    {
        const std::string version = std::to_string(m_program.schemaMajor) + "." + std::to_string(m_program.schemaMinor);
        if (!m_hasVersion || !m_hasNodes)
            return Error{ErrorCode::MalformedModel, "not a program of torch.export", where,
                "save it with torch.export.save(program, path)"};
        if (m_program.schemaMajor < kOldestMajor || m_program.schemaMajor > kNewestMajor)
            return Error{ErrorCode::Unsupported, "the program has schema version " + version, where,
                "versions 7 and 8 are read, export it again with PyTorch 2.5 or newer"};
        m_program.facts.insert(m_program.facts.begin(), {"schema_version", version});
        for (const auto& [kind, target] : m_unknownKinds)
            m_program.notes.push_back(
                {"unknown-argument", "arguments of kind '" + kind + "' are not understood and were left out", target});
        if (read.leftOutTexts > 0)
            m_program.notes.push_back({"long-texts-left-out",
                std::to_string(read.leftOutTexts) + " stack traces and origins of nodes were left out to save memory",
                {}});
        return std::move(m_program);
    }

private:
    void takeOfGraph(std::string_view container, JsonPiece&& piece)
    {
        ExportGraph& graph = m_program.graph;
        if (container == "/nodes") {
            graph.nodes.push_back(readExportNode(piece.value));
            noteUnknown(graph.nodes.back());
            m_hasNodes = true;
        } else if (container == "/tensor_values") {
            graph.types.emplace(std::move(piece.key), tensorValueType(piece.value));
        } else if (container == "/inputs") {
            graph.inputs.push_back(readArgument(piece.value));
        } else if (container == "/outputs") {
            graph.outputs.push_back(readArgument(piece.value));
            m_hasNodes = true; // a program that passes its input on has no node
        } else if (container.starts_with("/sym_")) {
            graph.types.emplace(std::move(piece.key), symbolicNumberType(container.substr(1)));
        }
    }

    void takeOfDocument(const JsonPiece& piece)
    {
        if (piece.key == "schema_version") {
            const auto major = jsonInteger(jsonField(piece.value, "major"));
            m_program.schemaMajor = major.value_or(0);
            m_program.schemaMinor = jsonInteger(jsonField(piece.value, "minor")).value_or(0);
            m_hasVersion = major.has_value();
        } else if (piece.key == "torch_version" && piece.value.is_string()) {
            m_program.torchVersion = piece.value.get<std::string>();
        } else if (piece.key == "opset_version" && piece.value.is_object()) {
            for (const auto& [domain, version] : piece.value.items()) {
                if (const auto number = jsonInteger(&version); number && !domain.empty())
                    m_program.opsets[domain] = *number;
            }
        } else if ((piece.key == "range_constraints" || piece.key == "verifiers") && !piece.value.empty()) {
            m_program.facts.emplace_back(piece.key, piece.value.dump());
        }
    }

    void takeModule(const Json& json)
    {
        const Json* path = jsonField(json, "fqn");
        if (path == nullptr || !path->is_string())
            return;
        const auto name = path->get<std::string>();
        if (const Json* signature = jsonField(json, "signature"))
            m_program.facts.emplace_back(std::string(kCallSignature) + name, signature->dump());
        // Behind the modules come single calls ("fc@1") whose signature was asked for.
        const std::size_t at = name.rfind('@');
        const bool isCall = at != std::string::npos && m_modules.contains(name.substr(0, at));
        if (!isCall && m_modules.insert(name).second)
            m_program.modulePaths.push_back(name);
    }

    /// Bodies of higher-order operators included.
    void noteUnknown(const ExportNode& node)
    {
        for (const auto* arguments : {&node.inputs, &node.outputs}) {
            for (const ExportArgument& argument : *arguments) {
                if (!argument.unknownKind.empty())
                    m_unknownKinds.try_emplace(argument.unknownKind, node.target);
                if (argument.graph != nullptr)
                    std::for_each(argument.graph->nodes.begin(), argument.graph->nodes.end(),
                        [&](const ExportNode& inner) { noteUnknown(inner); });
            }
        }
    }

    ExportedProgram m_program;
    std::unordered_set<std::string> m_modules;
    std::map<std::string, std::string> m_unknownKinds; // kind -> target of the first node with one
    bool m_hasVersion = false;
    bool m_hasNodes = false;
};

} // namespace

Result<ExportedProgram> readExportedProgram(
    std::span<const std::byte> json, const std::string& where, const JobContext& job)
{
    ProgramReader reader;
    const auto take = [&](JsonPiece&& piece) { return reader.take(std::move(piece)); };
    DUO_TRY(read, readJsonPieces(json, where, pieceOptions(), take, job));
    return reader.finish(where, read);
}

} // namespace duo
