// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/kept_halves.h"

#include "tests/support/model_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::HasSubstr;

constexpr FileStamp kStamp{1234, 5678, 0};

std::shared_ptr<const Model> model(const std::string& last = "Relu")
{
    test::ModelBuilder builder;
    builder.input("x", {1, 4}).weight("w", {4, 4}).node("MatMul", "product", {"x", "w"}, {"p"});
    return builder.node(last, "last", {"p"}, {"y"}).output("y").build();
}

KeptHalves measured()
{
    Rule rule;
    rule.value = "last";
    KeptHalves kept;
    kept.recipe.rules.rules = {rule};
    kept.report = {"half", 2, "computes in 16 bits", false, "", {{"product", "head", ""}},
        {{"last", "", "a rule keeps it"}}, 52.5, "outputs 52.5 dB", 0.25};
    return kept;
}

std::string text()
{
    return keptHalvesText(measured(), *model(), kStamp);
}

std::string problem(std::string_view text, const Model& of = *model(), const FileStamp& stamp = kStamp)
{
    const auto read = parseKeptHalves(text, of, stamp, "h.json");
    return read ? std::string() : read.error().line();
}

std::string with(const char* key, const nlohmann::ordered_json& value)
{
    auto json = nlohmann::ordered_json::parse(text());
    json[nlohmann::ordered_json::json_pointer(key)] = value;
    return json.dump();
}

TEST(KeptHalves, AreReadBackAsTheyWere)
{
    const auto read = parseKeptHalves(text(), *model(), kStamp, "h.json");
    ASSERT_TRUE(read) << read.error().line();
    EXPECT_EQ(keptHalvesText(*read, *model(), kStamp), text());
    EXPECT_EQ(read->recipe, measured().recipe);
    EXPECT_EQ(read->report.applied, measured().report.applied);
    EXPECT_EQ(read->report.skipped, measured().report.skipped);
    EXPECT_EQ(read->report.sqnrDb, 52.5);
    EXPECT_FALSE(read->report.isExact);
}

TEST(KeptHalves, AreOfTheirModelAlone)
{
    EXPECT_EQ(problem(text()), "");
    EXPECT_EQ(problem(text(), *model("Sigmoid")), "this was measured of another model: h.json nodes");
    EXPECT_EQ(problem(text(), *model(), {1234, 5679, 0}), "this was measured of another model: h.json nodes");
}

TEST(KeptHalves, RefusesWhatIsNone)
{
    EXPECT_EQ(problem(with("/report", nlohmann::ordered_json::object())),
        "names of nodes are expected: h.json report.applied");
    EXPECT_EQ(problem(with("/report/applied/0", 7)), "an object is expected: h.json report.applied[0]");
    EXPECT_THAT(problem(with("/report/version", 0)), HasSubstr("h.json report.version"));
    EXPECT_EQ(problem(with("/report/sqnr_db", "good")), "a number is expected: h.json report.sqnr_db");
    EXPECT_THAT(problem(with("/recipe", "{")), HasSubstr("h.json"));
    EXPECT_THAT(problem(with("/format", "duoscope-run")), HasSubstr("h.json"));
    EXPECT_THAT(problem("{"), HasSubstr("not valid JSON"));
}

} // namespace
} // namespace duo
