// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pt2/arguments.h"

#include "core/formats/pt2/json_fields.h"
#include "core/formats/pt2/tensor_meta.h"

#include <functional>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

ExportGraph readGraph(const Json& json);

/// Reads one kind of argument into a fresh ExportArgument; false if the value does not have its form.
using Reading = std::function<bool(const Json&, ExportArgument&)>;

bool readName(const Json& json, ExportArgument& argument)
{
    argument.values.push_back(jsonText(json, "name"));
    return !argument.values.back().empty();
}

/// SymIntArgument and the like: a name, or a number.
bool readSymbol(const Json& json, ExportArgument& argument)
{
    const JsonUnion set = jsonUnion(json);
    if (set.kind == "as_name" && set.value->is_string()) {
        argument.values.push_back(set.value->get<std::string>());
        return true;
    }
    if (const auto integer = jsonInteger(set.value))
        argument.constant = *integer;
    else if (set.value != nullptr && set.value->is_boolean())
        argument.constant = static_cast<std::int64_t>(set.value->get<bool>());
    else if (const auto number = jsonNumber(set.value))
        argument.constant = static_cast<float>(*number);
    return set.value != nullptr;
}

bool readOptionalTensor(const Json& json, ExportArgument& argument)
{
    const JsonUnion set = jsonUnion(json);
    if (set.kind == "as_tensor")
        return readName(*set.value, argument);
    argument.values.emplace_back();
    return true;
}

/// A list of one kind; each item adds its values.
Reading listOf(const Reading& read)
{
    return [read](const Json& json, ExportArgument& argument) {
        argument.isList = true;
        if (!json.is_array())
            return false;
        for (const Json& item : json) {
            if (!read(item, argument))
                return false;
        }
        return true;
    };
}

/// Sizes, some of which may be symbols: numbers where all are, else texts, and the symbols are read as values.
bool readSymbols(const Json& json, ExportArgument& argument)
{
    if (!json.is_array())
        return false;
    argument.isList = true;
    std::vector<std::int64_t> numbers;
    std::vector<std::string> texts;
    for (const Json& item : json) {
        ExportArgument one;
        if (!readSymbol(item, one))
            return false;
        argument.values.insert(argument.values.end(), one.values.begin(), one.values.end());
        const auto* number = std::get_if<std::int64_t>(&one.constant);
        if (number != nullptr)
            numbers.push_back(*number);
        texts.push_back(number != nullptr ? std::to_string(*number) : one.values.empty() ? "?" : one.values.front());
    }
    if (numbers.size() == texts.size())
        argument.constant = std::move(numbers);
    else
        argument.constant = std::move(texts);
    return true;
}

bool readInteger(const Json& json, ExportArgument& argument)
{
    const auto number = json.is_boolean() ? std::optional<std::int64_t>(json.get<bool>()) : jsonInteger(&json);
    if (number)
        argument.constant = *number;
    return number.has_value();
}

bool readFloat(const Json& json, ExportArgument& argument)
{
    const auto number = jsonNumber(&json);
    if (number)
        argument.constant = static_cast<float>(*number);
    return number.has_value();
}

bool readText(const Json& json, ExportArgument& argument)
{
    if (json.is_string())
        argument.constant = json.get<std::string>();
    return json.is_string();
}

/// A list of constants of type T.
template <typename T> Reading constantsOf(const Reading& read)
{
    return [read](const Json& json, ExportArgument& argument) {
        if (!json.is_array())
            return false;
        argument.isList = true;
        std::vector<T> items;
        for (const Json& item : json) {
            ExportArgument one;
            if (!read(item, one))
                return false;
            items.push_back(std::get<T>(one.constant));
        }
        argument.constant = std::move(items);
        return true;
    };
}

/// Lists of lists: their JSON text.
bool readAsText(const Json& json, ExportArgument& argument)
{
    argument.constant = json.dump();
    return true;
}

bool readScalarType(const Json& json, ExportArgument& argument)
{
    const auto number = jsonInteger(&json);
    const ElementType type = elementTypeOfScalar(number.value_or(0));
    argument.constant = type == ElementType::Undefined ? json.dump() : std::string(elementTypeName(type));
    return number.has_value();
}

bool readDevice(const Json& json, ExportArgument& argument)
{
    const auto index = jsonInteger(jsonField(json, "index"));
    argument.constant = jsonText(json, "type") + (index ? ":" + std::to_string(*index) : "");
    return json.is_object();
}

bool readComplex(const Json& json, ExportArgument& argument)
{
    const auto real = jsonNumber(jsonField(json, "real"));
    const auto imaginary = jsonNumber(jsonField(json, "imag"));
    if (real && imaginary)
        argument.constant = std::vector<float>{static_cast<float>(*real), static_cast<float>(*imaginary)};
    return real && imaginary;
}

bool readBody(const Json& json, ExportArgument& argument)
{
    const Json* graph = jsonField(json, "graph");
    if (graph == nullptr || !graph->is_object())
        return false;
    argument.graphName = jsonText(json, "name");
    argument.graph = std::make_shared<ExportGraph>(readGraph(*graph));
    return true;
}

bool readNamedArguments(const Json& json, ExportArgument& argument)
{
    const auto* members = json.get_ptr<const Json::object_t*>();
    if (members == nullptr)
        return false;
    argument.isList = true;
    for (const auto& [name, value] : *members) {
        const ExportArgument one = readArgument(value);
        argument.values.insert(argument.values.end(), one.values.begin(), one.values.end());
    }
    return true;
}

bool readNothing(const Json& /*json*/, ExportArgument& /*argument*/)
{
    return true;
}

const std::unordered_map<std::string_view, Reading>& readings()
{
    static const std::unordered_map<std::string_view, Reading> kReadings{{"as_none", readNothing},
        {"as_tensor", readName}, {"as_tensors", listOf(readName)}, {"as_nested_tensors", listOf(listOf(readName))},
        {"as_optional_tensor", readOptionalTensor}, {"as_optional_tensors", listOf(readOptionalTensor)},
        {"as_custom_obj", readName}, {"as_token", readName}, {"as_sym_int", readSymbol}, {"as_sym_bool", readSymbol},
        {"as_sym_float", readSymbol}, {"as_sym_ints", readSymbols}, {"as_sym_bools", readSymbols},
        {"as_sym_floats", readSymbols}, {"as_int", readInteger}, {"as_bool", readInteger},
        {"as_ints", constantsOf<std::int64_t>(readInteger)}, {"as_bools", constantsOf<std::int64_t>(readInteger)},
        {"as_float", readFloat}, {"as_floats", constantsOf<float>(readFloat)}, {"as_string", readText},
        {"as_strings", constantsOf<std::string>(readText)}, {"as_operator", readText},
        {"as_scalar_type", readScalarType}, {"as_memory_format", readInteger}, {"as_layout", readInteger},
        {"as_device", readDevice}, {"as_complex", readComplex}, {"as_int_lists", readAsText},
        {"as_float_lists", readAsText}, {"as_string_to_argument", readNamedArguments}, {"as_graph", readBody}};
    return kReadings;
}

std::vector<ExportArgument> readArguments(const Json* list)
{
    std::vector<ExportArgument> arguments;
    if (list == nullptr || !list->is_array())
        return arguments;
    for (const Json& item : *list)
        arguments.push_back(readArgument(item));
    return arguments;
}

void readTypes(const Json* values, const std::function<ValueType(const Json&)>& typeOf, ExportGraph& graph)
{
    const auto* members = values != nullptr ? values->get_ptr<const Json::object_t*>() : nullptr;
    if (members == nullptr)
        return;
    for (const auto& [name, value] : *members)
        graph.types.emplace(name, typeOf(value));
}

ExportGraph readGraph(const Json& json)
{
    ExportGraph graph;
    graph.inputs = readArguments(jsonField(json, "inputs"));
    graph.outputs = readArguments(jsonField(json, "outputs"));
    if (const Json* nodes = jsonField(json, "nodes"); nodes != nullptr && nodes->is_array()) {
        for (const Json& node : *nodes)
            graph.nodes.push_back(readExportNode(node));
    }
    readTypes(jsonField(json, "tensor_values"), tensorValueType, graph);
    for (const char* kind : {"sym_int_values", "sym_bool_values", "sym_float_values"})
        readTypes(
            jsonField(json, kind), [kind](const Json&) { return symbolicNumberType(kind); }, graph);
    return graph;
}

} // namespace

ExportArgument readArgument(const Json& json)
{
    const JsonUnion set = jsonUnion(json);
    ExportArgument argument;
    if (set.value == nullptr)
        return argument;
    const auto reading = readings().find(set.kind);
    if (reading != readings().end() && reading->second(*set.value, argument))
        return argument;
    argument = {};
    argument.unknownKind = set.kind;
    return argument;
}

ExportNode readExportNode(const Json& json)
{
    ExportNode node;
    node.target = jsonText(json, "target");
    node.name = jsonText(json, "name");
    if (const Json* inputs = jsonField(json, "inputs"); inputs != nullptr && inputs->is_array()) {
        for (const Json& input : *inputs) {
            const Json* value = jsonField(input, "arg");
            ExportArgument argument = value != nullptr ? readArgument(*value) : ExportArgument{};
            argument.name = jsonText(input, "name");
            node.inputs.push_back(std::move(argument));
        }
    }
    node.outputs = readArguments(jsonField(json, "outputs"));
    const Json* metadata = jsonField(json, "metadata");
    const auto* members = metadata != nullptr ? metadata->get_ptr<const Json::object_t*>() : nullptr;
    if (members != nullptr) {
        for (const auto& [key, value] : *members) {
            if (value.is_string())
                node.metadata.emplace_back(key, value.get<std::string>());
        }
    }
    return node;
}

ValueType symbolicNumberType(std::string_view container)
{
    ValueType type;
    type.element = container == "sym_bool_values" ? ElementType::Bool
        : container == "sym_float_values"         ? ElementType::Float64
                                                  : ElementType::Int64;
    type.shape.emplace();
    return type;
}

ValueType tensorValueType(const Json& tensorMeta)
{
    ValueType type;
    if (auto meta = readTensorMeta(tensorMeta)) {
        type.element = meta->element;
        type.shape = std::move(meta->sizes);
    }
    return type;
}

} // namespace duo
