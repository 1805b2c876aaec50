// SPDX-License-Identifier: Apache-2.0
#include "core/quantize/recipe/range_estimator_json.h"

#include <array>
#include <cmath>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

Error invalid(const std::string& what, const std::string& at, const std::string& todo)
{
    return {ErrorCode::InvalidRule, what, at, todo};
}

std::string shown(const Json& json)
{
    return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

constexpr const char* kStatistics = "write one of max, min, abs_max, quantile, abs_quantile, mean, raw";
constexpr const char* kAggregators = "write one of mean, max, min, median, mean_no_outliers, median_no_outliers, "
                                     "histogram, moving_average, percentile, mse, entropy";

template <typename E, typename FromText>
Status choice(
    const Json& json, const FromText& fromText, const std::string& at, const char* choices, std::optional<E>& into)
{
    if (json.is_null())
        return success();
    into = json.is_string() ? fromText(json.get<std::string>()) : std::nullopt;
    return into ? success() : Status(invalid("unknown value " + shown(json), at, choices));
}

Result<CollectorParameters> collectorFromJson(const Json& json, const std::string& at)
{
    if (!json.is_object())
        return invalid("not an object", at, "write statistics_type and aggregator_type");
    CollectorParameters side;
    for (const auto& [key, value] : json.items()) {
        const std::string here = at + "." + key;
        if (key == "statistics_type") {
            DUO_CHECK(choice(value, statisticsTypeFromText, here, kStatistics, side.statisticsType));
        } else if (key == "aggregator_type") {
            DUO_CHECK(choice(value, aggregatorTypeFromText, here, kAggregators, side.aggregatorType));
        } else if (key == "clipping_value") {
            if (!value.is_null() && !value.is_number())
                return invalid("not a number", here, "write a number or null");
            if (!value.is_null())
                side.clippingValue = value.get<double>();
        } else if (key == "quantile_outlier_prob") {
            if (!value.is_number() || !(value.get<double>() >= 0) || !(value.get<double>() < 0.5))
                return invalid("not a share", here, "write a number from 0 to below 0.5");
            side.quantileOutlierProb = value.get<double>();
        } else {
            return invalid(
                "unknown key", here, "write statistics_type, aggregator_type, clipping_value or quantile_outlier_prob");
        }
    }
    return side;
}

Json collectorJson(const CollectorParameters& side)
{
    Json json = Json::object();
    if (side.statisticsType)
        json["statistics_type"] = statisticsTypeText(*side.statisticsType);
    if (side.aggregatorType)
        json["aggregator_type"] = aggregatorTypeText(*side.aggregatorType);
    if (side.clippingValue)
        json["clipping_value"] = *side.clippingValue;
    json["quantile_outlier_prob"] = side.quantileOutlierProb;
    return json;
}

Result<EstimatorRule> estimatorRuleFromJson(const Json& json, const std::string& at)
{
    const auto isText = [&](const char* key) { return json.contains(key) && json[key].is_string(); };
    if (!json.is_object() || !isText("kind") || !isText("value")
        || !json.contains("activations_range_estimator_params"))
        return invalid("not an estimator rule", at, "write kind, value and activations_range_estimator_params");
    EstimatorRule rule;
    const auto kind = ruleKindFromText(json["kind"].get<std::string>());
    if (!kind || *kind == RuleKind::Subgraph)
        return invalid("unknown kind " + shown(json["kind"]), at,
            "write name, pattern, type, execution-scope, storage-scope or class");
    rule.rule.action = RuleAction::Target;
    rule.rule.kind = *kind;
    rule.rule.value = json["value"].get<std::string>();
    DUO_TRY(activations,
        rangeEstimatorFromJson(json["activations_range_estimator_params"], at + ".activations_range_estimator_params"));
    rule.activations = activations;
    return rule;
}

} // namespace

Result<RangeEstimatorParameters> rangeEstimatorFromJson(const Json& json, const std::string& at)
{
    if (json.is_string()) {
        const auto set = rangeEstimatorSet(json.get<std::string>());
        if (!set)
            return invalid("unknown value " + shown(json), at,
                "write one of " + std::string(rangeEstimatorSetNames()) + ", or an object with min and max");
        return *set;
    }
    if (!json.is_object())
        return invalid("not a range estimator", at, "write the name of a set, or an object with min and max");
    RangeEstimatorParameters parameters;
    for (const auto& [key, value] : json.items()) {
        if (key != "min" && key != "max")
            return invalid("unknown key", at + "." + key, "write min and max");
        DUO_TRY(side, collectorFromJson(value, at + "." + key));
        (key == "min" ? parameters.min : parameters.max) = side;
    }
    return parameters;
}

Json rangeEstimatorJson(const RangeEstimatorParameters& parameters)
{
    return {{"min", collectorJson(parameters.min)}, {"max", collectorJson(parameters.max)}};
}

Result<std::vector<EstimatorRule>> estimatorRulesFromJson(const Json& json, const std::string& at)
{
    if (!json.is_array())
        return invalid("not a list", at, "write a list of estimator rules");
    std::vector<EstimatorRule> rules;
    for (std::size_t i = 0; i < json.size(); ++i) {
        DUO_TRY(rule, estimatorRuleFromJson(json[i], at + "[" + std::to_string(i) + "]"));
        rules.push_back(std::move(rule));
    }
    return rules;
}

Json estimatorRulesJson(const std::vector<EstimatorRule>& rules)
{
    Json json = Json::array();
    for (const EstimatorRule& rule : rules)
        json.push_back({{"kind", ruleKindText(rule.rule.kind)}, {"value", rule.rule.value},
            {"activations_range_estimator_params", rangeEstimatorJson(rule.activations)}});
    return json;
}

} // namespace duo
