// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kept_sensitivity.h"

#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace duo {
namespace {

using testing::HasSubstr;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::shared_ptr<const Model> model(const std::string& last = "Relu")
{
    test::ModelBuilder builder;
    builder.input("x", {1, 4}).weight("w", {4, 4}).node("MatMul", "product", {"x", "w"}, {"p"});
    return builder.node(last, "last", {"p"}, {"y"}).output("y").build();
}

ResultOrigin origin(const std::string& data = "data")
{
    return {"recipe", data, {1234, 5678, 0}};
}

Rule ignoring(const std::string& name)
{
    Rule rule;
    rule.value = name;
    return rule;
}

MeasuredError error(double decibels, double noise)
{
    return {{{decibels, 0.25, false, true, std::nullopt, decibels + 1, 0.5}}, noise};
}

/// A scope and its only node, which ruins everything.
KeptSensitivity measured()
{
    KeptSensitivity kept;
    kept.of = origin();
    kept.recipe.rules.rules = {ignoring("head")};
    SensitivityReport& report = kept.report;
    report.outputs = {"y"};
    report.samples = 12;
    report.all = {{{std::nullopt, std::nullopt, false, true, std::nullopt, std::nullopt, std::nullopt}}, kInfinite};
    report.agreement = 0.75;
    report.bytes = 4096;
    report.groups = {{GroupKind::Node, "product", {"product"}, {ignoring("product")}, 1, error(3, 0.5), error(30, 0.1),
                         0.9, -0.25, true, 512},
        {GroupKind::Scope, "", {"product"}, {}, std::nullopt, error(3, 0.5), error(kInfinite, 0), 0.9, 0.5, false,
            512}};
    report.suggestions = {{{"product"}, {ignoring("product")}, error(30, 0.1), std::nullopt, 4608, 1.5, 0.5, true}};
    report.notes = {{"few-samples", "12 samples are few", "", Severity::Warning}};
    return kept;
}

std::string text()
{
    return keptSensitivityText(measured(), *model());
}

std::string problem(std::string_view text, const Model& of = *model(), const ResultOrigin& present = origin())
{
    const auto read = parseKeptSensitivity(text, of, present, "s.json");
    return read ? std::string() : read.error().line();
}

std::string with(const char* key, const nlohmann::ordered_json& value)
{
    auto json = nlohmann::ordered_json::parse(text());
    json[nlohmann::ordered_json::json_pointer(key)] = value;
    return json.dump();
}

TEST(KeptSensitivity, IsReadBackAsItWas)
{
    const auto read = parseKeptSensitivity(text(), *model(), origin(), "s.json");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(keptSensitivityText(*read, *model()), text());
    EXPECT_EQ(read->recipe, measured().recipe);
    const SensitivityReport& report = read->report;
    EXPECT_EQ(sensitivityText(report), sensitivityText(measured().report));
    EXPECT_EQ(sensitivityJson(report), sensitivityJson(measured().report));
    EXPECT_EQ(report.all.noise, kInfinite);
    EXPECT_EQ(report.groups[0].partOf, 1U);
    EXPECT_EQ(report.groups[0].shareTaken, -0.25);
    EXPECT_EQ(report.groups[1].allBut.outputs[0].sqnrDb, kInfinite);
    EXPECT_EQ(report.groups[0].only.outputs[0].variationDb, 0.5);
    EXPECT_EQ(report.suggestions[0].rules, measured().report.suggestions[0].rules);
    EXPECT_EQ(report.notes, measured().report.notes);
}

TEST(KeptSensitivity, IsOfItsModelAndDataAlone)
{
    EXPECT_EQ(problem(text()), "");
    ResultOrigin other = origin();
    other.recipe = "another recipe"; // it says under which it was measured
    EXPECT_EQ(problem(text(), *model(), other), "");
    EXPECT_EQ(problem(text(), *model("Sigmoid")), "this was measured of another model: s.json nodes");
    EXPECT_EQ(problem(text(), *model(), origin("others")), "this was measured with other data: s.json of");
    other.model.modified = 1;
    EXPECT_EQ(problem(text(), *model(), other), "this was measured of another model: s.json nodes");
}

TEST(KeptSensitivity, RefusesWhatIsNone)
{
    EXPECT_EQ(problem(with("/report/groups/0/part_of", 2)),
        "parts of groups that are there are expected: s.json report.groups");
    EXPECT_EQ(problem(with("/report/groups/1/part_of", 0)),
        "parts of groups that are there are expected: s.json report.groups");
    EXPECT_EQ(problem(with("/report", nlohmann::ordered_json::object())),
        "a measurement of samples and outputs is expected: s.json report.samples");
    EXPECT_EQ(problem(with("/report/groups/0/kind", "layer")),
        "no kind of group that is known: s.json report.groups[0].kind");
    EXPECT_EQ(problem(with("/report/groups/0/share_alone", "much")),
        "a number is expected: s.json report.groups[0].share_alone");
    EXPECT_EQ(
        problem(with("/report/outputs", {"y", "z"})), "one for each output is expected: s.json report.all.outputs");
    EXPECT_EQ(problem(with("/report/suggestions/0/groups", nlohmann::ordered_json::array())),
        "names of groups are expected: s.json report.suggestions[0].groups");
    EXPECT_THAT(problem(with("/report/groups/0/rules/0", 7)), HasSubstr("s.json report.groups[0].rules[0]"));
    EXPECT_THAT(problem(with("/version", 2)), HasSubstr("s.json"));
    EXPECT_THAT(problem(with("/format", "duoscope-run")), HasSubstr("s.json"));
    EXPECT_THAT(problem("{"), HasSubstr("not valid JSON"));
}

} // namespace
} // namespace duo
