// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/schema_check.h"

#include "core/model/op_facts.h"
#include "core/onnx/op_schema.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <limits>

namespace duo {
namespace {

using Type = onnx::AttributeProto::AttributeType;
using Ports = std::vector<ValueId>;

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

/// How many inputs or outputs there are.
struct Range {
    std::size_t least = 0;
    std::size_t most = 0;
};

Range rangeOf(std::string_view letters)
{
    Range range;
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const bool isOpen = letters[i] == '*' || letters[i] == '+';
        if (letters[i] != '?')
            range.least = letters[i] == '*' ? i : i + 1;
        range.most = isOpen ? kAny : i + 1;
    }
    return range;
}

std::string portsText(std::size_t count, std::string_view what)
{
    return counted(count, what, std::string(what) + "s");
}

std::string rangeText(const Range& range, std::string_view what)
{
    if (range.most == kAny)
        return "at least " + portsText(range.least, what);
    if (range.least == range.most)
        return portsText(range.most, what);
    if (range.least == 0)
        return "at most " + portsText(range.most, what);
    return std::to_string(range.least) + " to " + portsText(range.most, what);
}

bool isThere(const Ports& ports, std::size_t port)
{
    return port < ports.size() && ports[port].valid();
}

/// What is wrong with the inputs or outputs of a node.
class PortCheck
{
public:
    PortCheck(const Node& node, std::string inOpset)
        : m_node(node)
        , m_inOpset(std::move(inOpset))
    {
    }

    [[nodiscard]] std::optional<std::string> inputs(std::string_view letters) const
    {
        return check(m_node.inputs, letters, "takes", "input");
    }
    [[nodiscard]] std::optional<std::string> outputs(std::string_view letters) const
    {
        return check(m_node.outputs, letters, "gives", "output");
    }

private:
    [[nodiscard]] std::optional<std::string> check(
        const Ports& ports, std::string_view letters, const std::string& does, std::string_view what) const
    {
        const Range range = rangeOf(letters);
        if (ports.size() < range.least || ports.size() > range.most)
            return m_node.opType + " " + does + " " + rangeText(range, what) + m_inOpset + ", not "
                + std::to_string(ports.size());
        for (std::size_t port = 0; port < std::min(letters.size(), ports.size()); ++port) {
            if (letters[port] == '1' && !isThere(ports, port))
                return std::string(what) + " " + std::to_string(port) + " of " + m_node.opType + " must not be omitted";
        }
        return std::nullopt;
    }

    const Node& m_node;
    std::string m_inOpset;
};

std::string_view typeName(Type type)
{
    constexpr std::array<std::string_view, 15> kNames{"undefined", "float", "int", "string", "tensor", "graph",
        "floats", "ints", "strings", "tensors", "graphs", "sparse_tensor", "sparse_tensors", "type_proto",
        "type_protos"};
    const auto index = static_cast<std::size_t>(type);
    return index < kNames.size() ? kNames[index] : kNames[0];
}

/// An attribute that the operator may have.
struct Formal {
    std::string_view name;
    std::string_view type;
    bool isNeeded = false;
};

/// Takes the first of "axis:int! keepdims:int" away.
Formal takeFormal(std::string_view& attributes)
{
    const std::size_t end = std::min(attributes.find(' '), attributes.size());
    std::string_view one = attributes.substr(0, end);
    attributes.remove_prefix(std::min(end + 1, attributes.size()));
    Formal formal;
    formal.isNeeded = one.ends_with('!');
    one.remove_suffix(formal.isNeeded ? 1 : 0);
    const std::size_t colon = one.find(':');
    formal.name = one.substr(0, colon);
    formal.type = one.substr(colon + 1);
    return formal;
}

std::optional<std::string> checkGiven(const std::string& opType, std::string_view attributes,
    std::span<const GivenAttribute> given, const std::string& inOpset)
{
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::string quoted = "'" + std::string(given[i].name) + "'";
        std::string_view rest = attributes;
        Formal formal;
        while (!rest.empty() && formal.name != given[i].name)
            formal = takeFormal(rest);
        if (formal.name != given[i].name)
            return opType + " has no attribute " + quoted + inOpset;
        if (std::ranges::find(given.first(i), given[i].name, &GivenAttribute::name) != given.begin() + i)
            return "attribute " + quoted + " of " + opType + " is given twice";
        if (formal.type != typeName(given[i].type))
            return "attribute " + quoted + " of " + opType + " is of type " + std::string(formal.type) + inOpset
                + ", not " + std::string(typeName(given[i].type));
    }
    return std::nullopt;
}

std::optional<std::string> checkNeeded(const std::string& opType, std::string_view attributes,
    std::span<const GivenAttribute> given, const std::string& inOpset)
{
    while (!attributes.empty()) {
        const Formal formal = takeFormal(attributes);
        if (formal.isNeeded && std::ranges::find(given, formal.name, &GivenAttribute::name) == given.end())
            return opType + " needs attribute '" + std::string(formal.name) + "'" + inOpset;
    }
    return std::nullopt;
}

/// Operators that ONNX Runtime has in ai.onnx before ONNX does (seen of 1.32).
bool isOfRuntime(std::string_view opType)
{
    constexpr std::array<std::string_view, 3> kNames{
        "LayerNormalization", "MeanVarianceNormalization", "ThresholdedRelu"};
    return std::ranges::find(kNames, opType) != kNames.end();
}

/// The row that holds in an opset; null where ONNX has no such operator there.
const OpSchema* schemaIn(std::span<const OpSchema> rows, std::int64_t opset)
{
    const auto after = std::ranges::upper_bound(rows, opset, {}, &OpSchema::since);
    return after == rows.begin() || std::prev(after)->isWithdrawn ? nullptr : &*std::prev(after);
}

bool isProduct(const Node& node)
{
    const Product product = opFacts(node).product;
    return (product != Product::None && product != Product::Recurrent) || node.opType == "DeformConv";
}

std::size_t leadingOf(std::string_view letters)
{
    return std::min(letters.find_first_not_of('1'), letters.size());
}

bool hasLeading(const Ports& ports, std::size_t count)
{
    return ports.size() >= count
        && std::ranges::all_of(std::span(ports).first(count), [](ValueId id) { return id.valid(); });
}

Error malformed(const Node& node, const std::string& fault)
{
    const std::string label
        = node.localName.empty() ? "node " + std::to_string(node.origin.index) : "node '" + node.localName + "'";
    return {ErrorCode::MalformedModel, label + " (" + node.opType + ") " + fault, {}, "export the model again"};
}

Error tooFew(const Node& node, std::size_t wanted, std::string_view what)
{
    return malformed(node, "has not the " + portsText(wanted, what) + " it needs");
}

} // namespace

std::span<const OpSchema> opSchemas(std::string_view opType)
{
    const auto found = std::ranges::equal_range(opSchemas(), opType, {}, &OpSchema::opType);
    return {found.begin(), found.end()};
}

bool isOperator(std::string_view opType, std::int64_t opset)
{
    return isOfRuntime(opType) || schemaIn(opSchemas(opType), opset) != nullptr;
}

Status checkProduct(const Node& node)
{
    if (!node.domain.empty() || node.isCall || !isProduct(node))
        return success();
    std::size_t inputs = kAny;
    std::size_t outputs = kAny;
    for (const OpSchema& row : opSchemas(node.opType)) {
        inputs = std::min(inputs, leadingOf(row.inputs));
        outputs = std::min(outputs, leadingOf(row.outputs));
    }
    if (inputs != kAny && !hasLeading(node.inputs, inputs))
        return tooFew(node, inputs, "input");
    if (outputs != kAny && !hasLeading(node.outputs, outputs))
        return tooFew(node, outputs, "output");
    return success();
}

Status checkConstant(const Node& node, std::span<const GivenAttribute> attributes)
{
    if (!node.domain.empty() || node.isCall || node.opType != "Constant")
        return success();
    const auto isValue
        = [](const GivenAttribute& given) { return given.name.starts_with("value") || given.name == "sparse_value"; };
    if (std::ranges::count_if(attributes, isValue) > 1) // runtimes take the first, or the one they look for
        return malformed(node, "gives more than one value");
    return success();
}

std::optional<std::string> unlikeSchema(
    const Node& node, std::int64_t opset, std::span<const GivenAttribute> attributes)
{
    if (!node.domain.empty() || node.isCall || opset < 1 || opset > kNewestOpset)
        return std::nullopt;
    const std::span<const OpSchema> rows = opSchemas(node.opType);
    if (rows.empty())
        return std::nullopt;
    const std::string inOpset = " in opset " + std::to_string(opset);
    const OpSchema* const schema = schemaIn(rows, opset);
    if (schema == nullptr)
        return isOfRuntime(node.opType) ? std::nullopt : std::optional("ONNX has no " + node.opType + inOpset);
    const PortCheck ports(node, inOpset);
    auto fault = ports.inputs(schema->inputs);
    if (!fault)
        fault = ports.outputs(schema->outputs);
    if (!fault)
        fault = checkGiven(node.opType, schema->attributes, attributes, inOpset);
    return fault ? fault : checkNeeded(node.opType, schema->attributes, attributes, inOpset);
}

} // namespace duo
