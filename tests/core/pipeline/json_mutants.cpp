// SPDX-License-Identifier: Apache-2.0
#include "tests/core/pipeline/json_mutants.h"

#include <nlohmann/json.hpp>

namespace duo::test {
namespace {

using Json = nlohmann::ordered_json;

/// Other values of the same kind, and some of other kinds.
std::vector<Json> othersThan(const Json& value)
{
    switch (value.type()) {
    case Json::value_t::null:
        return {true, 0, "null"};
    case Json::value_t::boolean:
        return {!value.get<bool>(), nullptr, 1};
    case Json::value_t::string: {
        const auto text = value.get<std::string>();
        return {text + "x", text.empty() ? Json("y") : Json(""), nullptr, 7};
    }
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned: {
        const auto number = value.get<std::int64_t>();
        return {number + 1, number - 1, -1000 - number, 1e300, "1", nullptr, std::int64_t{1} << 40};
    }
    case Json::value_t::number_float: {
        const auto number = value.get<double>();
        return {number * 1.01, -number, 0, 1e300, 1e-300, "1", nullptr};
    }
    case Json::value_t::object:
        return value.empty() ? std::vector<Json>{Json::array(), nullptr}
                             : std::vector<Json>{Json::object(), Json::array(), nullptr, "x"};
    default:
        return value.empty() ? std::vector<Json>{Json::object(), nullptr}
                             : std::vector<Json>{Json::array(), Json::object(), nullptr, 1};
    }
}

class Mutator
{
public:
    explicit Mutator(std::string_view document)
        : m_document(Json::parse(document))
    {
    }

    std::vector<JsonMutant> mutants()
    {
        mutate(m_document, "");
        return std::move(m_mutants);
    }

private:
    void add(const std::string& path, const std::string& what)
    {
        m_mutants.push_back({path + ": " + what, m_document.dump()});
    }

    /// `at` is a part of the document, which is whole again afterwards.
    void mutate(Json& at, const std::string& path)
    {
        if (at.is_object())
            mutateObject(at, path);
        else if (at.is_array())
            mutateList(at, path);
    }

    void change(Json& value, const std::string& path)
    {
        const Json kept = value;
        for (const Json& other : othersThan(kept)) {
            value = other;
            add(path, "changed to " + other.dump().substr(0, 40));
        }
        value = kept;
    }

    void mutateObject(Json& object, const std::string& path)
    {
        const Json kept = object;
        object["unheard-of"] = 1;
        add(path, "with a field that nobody knows");
        object = kept;
        for (const auto& [key, member] : kept.get_ref<const Json::object_t&>()) {
            const std::string here = path.empty() ? key : path + "." + key;
            object.erase(key);
            add(here, "removed");
            object = kept;
            object.get_ref<Json::object_t&>().emplace_back(key, member);
            add(here, "twice");
            object = kept;
            Json& value = object.at(key);
            change(value, here);
            mutate(value, here);
        }
    }

    void mutateList(Json& list, const std::string& path)
    {
        const Json kept = list;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const std::string here = path + "[" + std::to_string(i) + "]";
            list.erase(i);
            add(here, "removed");
            list = kept;
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(i), kept[i]);
            add(here, "twice");
            list = kept;
            change(list[i], here);
            mutate(list[i], here);
        }
    }

    Json m_document;
    std::vector<JsonMutant> m_mutants;
};

} // namespace

std::vector<JsonMutant> jsonMutants(std::string_view document)
{
    return Mutator(document).mutants();
}

} // namespace duo::test
