// SPDX-License-Identifier: Apache-2.0
#include "tests/support/schema_check.h"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include <fstream>

namespace duo::test {

std::string schemaComplaints(const nlohmann::ordered_json& document, const std::string& name)
{
    std::ifstream file(std::string(DUO_SCHEMAS) + "/" + name + ".schema.json");
    if (!file)
        return "no schema " + name;
    const auto schemaJson = nlohmann::json::parse(file);
    const auto plain = nlohmann::json::parse(document.dump());
    valijson::Schema schema;
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schemaJson), schema);
    valijson::Validator validator;
    valijson::ValidationResults results;
    if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(plain), &results))
        return {};
    std::string complaints;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
        for (const std::string& part : error.context)
            complaints += part;
        complaints += ": " + error.description + "\n";
    }
    return complaints;
}

} // namespace duo::test
