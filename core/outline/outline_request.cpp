// SPDX-License-Identifier: Apache-2.0
#include "core/outline/outline_request.h"

#include "core/support/json_keys.h"

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Result<std::vector<int>> depthsFromJson(const Json& json, const std::string& path)
{
    const Error wrong = invalidKey("not a list of depths", path, "write numbers from 1, such as [1, 2]");
    if (!json.is_array())
        return wrong;
    std::vector<int> depths;
    for (const Json& depth : json) {
        if (!depth.is_number_integer() || depth < 1 || depth > kMostDepth)
            return wrong;
        depths.push_back(depth.get<int>());
    }
    return depths;
}

Result<FunctionOrder> orderFromJson(const Json& json, const std::string& path)
{
    if (!json.is_object() || !json.contains("scope"))
        return invalidKey("not an order", path, "write an object with a scope, and inputs or outputs");
    JsonKeys keys(json, path);
    FunctionOrder order;
    DUO_CHECK(keys.text("scope", order.scope));
    DUO_CHECK(keys.texts("inputs", order.inputs));
    DUO_CHECK(keys.texts("outputs", order.outputs));
    return order;
}

Result<std::vector<FunctionOrder>> ordersFromJson(const Json& json, const std::string& path)
{
    if (!json.is_array())
        return invalidKey("not a list", path, "write a list of orders");
    if (json.size() > kMostOrders)
        return invalidKey("too many orders", path, "write at most " + std::to_string(kMostOrders));
    std::vector<FunctionOrder> orders;
    for (std::size_t i = 0; i < json.size(); ++i) {
        DUO_TRY(order, orderFromJson(json[i], path + "[" + std::to_string(i) + "]"));
        orders.push_back(std::move(order));
    }
    return orders;
}

Json orderJson(const FunctionOrder& order)
{
    Json json{{"scope", order.scope}};
    if (!order.inputs.empty())
        json["inputs"] = order.inputs;
    if (!order.outputs.empty())
        json["outputs"] = order.outputs;
    return json;
}

} // namespace

Json outlineRequestJson(const OutlineRequest& request)
{
    Json json = Json::object();
    if (!request.scopes.empty())
        json["scopes"] = request.scopes;
    if (!request.classes.empty())
        json["classes"] = request.classes;
    if (!request.depths.empty())
        json["depths"] = request.depths;
    if (request.all)
        json["all"] = true;
    if (request.split)
        json["split"] = true;
    if (request.flat)
        json["flat"] = true;
    for (const FunctionOrder& order : request.orders)
        json["orders"].push_back(orderJson(order));
    appendKeys(json, request.unknownKeys);
    return json;
}

Result<OutlineRequest> outlineRequestFromJson(const Json& json, const std::string& path)
{
    if (!json.is_object())
        return invalidKey("not functions", path, "write an object, such as {\"classes\": [\"Linear\"]}");
    JsonKeys keys(json, path);
    OutlineRequest request;
    DUO_CHECK(keys.texts("scopes", request.scopes));
    DUO_CHECK(keys.texts("classes", request.classes));
    if (const Json* depths = keys.find("depths"); depths != nullptr) {
        DUO_TRY(read, depthsFromJson(*depths, keys.path("depths")));
        request.depths = std::move(read);
    }
    DUO_CHECK(keys.flag("all", request.all));
    DUO_CHECK(keys.flag("split", request.split));
    DUO_CHECK(keys.flag("flat", request.flat));
    if (const Json* orders = keys.find("orders"); orders != nullptr) {
        DUO_TRY(read, ordersFromJson(*orders, keys.path("orders")));
        request.orders = std::move(read);
    }
    request.unknownKeys = keysText(keys.unknown());
    return request;
}

} // namespace duo
