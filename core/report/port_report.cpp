// SPDX-License-Identifier: Apache-2.0
#include "core/report/port_report.h"

#include "core/model/value_address.h"

namespace duo {

using Json = nlohmann::ordered_json;

Json portJson(const std::string& name, const ValueType& type)
{
    Json shape;
    if (type.shape) {
        shape = Json::array();
        for (const Dim& dim : *type.shape)
            shape.push_back(dim.size ? Json(*dim.size) : dim.symbol.empty() ? Json() : Json(dim.symbol));
    }
    return {{"name", name}, {"type", elementTypeName(type.element)}, {"shape", std::move(shape)}};
}

Json portsJson(const Model& model, const std::vector<ValueId>& ids, const ValueTypes* types)
{
    Json ports = Json::array();
    for (const ValueId id : ids) {
        if (!id.valid())
            ports.push_back(nullptr);
        else
            ports.push_back(portJson(model.value(id).name, types != nullptr ? types->of(id) : model.value(id).type));
    }
    return ports;
}

std::string portText(const Json& port)
{
    if (port.is_null())
        return "(left out)";
    const auto type = port["type"].get<std::string>();
    std::string text = port["name"].get<std::string>() + " ";
    if (port["shape"].is_null()) // as typeText says it (core/report/inspect_report.h)
        return text + (type == elementTypeName(ElementType::Undefined) ? "type not known" : type + " of unknown rank");
    text += type + "[";
    for (std::size_t axis = 0; axis < port["shape"].size(); ++axis) {
        const Json& dim = port["shape"][axis];
        text += axis > 0 ? "," : "";
        text += dim.is_null() ? "?" : dim.is_string() ? dim.get<std::string>() : dim.dump();
    }
    return text + "]";
}

Json valuesJson(const Model& model, const ValueTypes& types)
{
    Json values = Json::array();
    for (std::size_t n = 0; n < model.nodes.size(); ++n) {
        for (const ValueId id : model.nodes[n].outputs) {
            if (id.valid() && model.value(id).producer == NodeId(n)) // a call gives what nodes in it produce
                values.push_back(portJson(addressOf(model, id), types.of(id)));
        }
    }
    return values;
}

} // namespace duo
