// SPDX-License-Identifier: Apache-2.0
#include "core/search/search_query.h"

#include "tests/support/model_builder.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

SearchQuery query(std::string_view text)
{
    auto parsed = SearchQuery::parse(text);
    EXPECT_TRUE(std::holds_alternative<SearchQuery>(parsed)) << std::get<std::string>(parsed);
    return std::get<SearchQuery>(std::move(parsed));
}

std::string problem(std::string_view text)
{
    const auto parsed = SearchQuery::parse(text);
    const auto* said = std::get_if<std::string>(&parsed);
    return said ? *said : "";
}

/// A convolution as a search sees it.
SearchSubject conv()
{
    SearchSubject subject;
    subject.lines = {{SearchField::Name, "/layer1/0/Conv", "Conv"}, {SearchField::Type, "ConvInteger", "ConvInteger"},
        {SearchField::Scope, "layer1/0", {}}, {SearchField::Parameter, "layer1.0.weight", "weight"}};
    static constexpr Decision kDecision{NodeState::IgnoredInherited, {}};
    subject.decision = &kDecision;
    return subject;
}

bool finds(std::string_view text, const SearchSubject& subject = conv())
{
    return query(text).matches(subject) == SearchOutcome::Match;
}

TEST(SearchQuery, AllWordsMustBeThereInAnyLetters)
{
    EXPECT_TRUE(finds("LAYER1 conv"));
    EXPECT_FALSE(finds("layer1 relu"));
    EXPECT_TRUE(finds("-relu layer1"));
    EXPECT_FALSE(finds("-conv layer1"));
    EXPECT_TRUE(finds("layer1/0"));
}

TEST(SearchQuery, FieldsLookInOneTextOnly)
{
    EXPECT_TRUE(finds("type:integer"));
    EXPECT_FALSE(finds("name:integer"));
    EXPECT_TRUE(finds("scope:layer1 parameter:weight"));
    EXPECT_FALSE(finds("scope:conv"));
    EXPECT_TRUE(finds("state:ignored"));
    EXPECT_FALSE(finds("-state:ignored"));
    EXPECT_FALSE(finds("other:conv")); // a word like any other
}

TEST(SearchQuery, QuotesMeanTheWholeText)
{
    EXPECT_FALSE(finds("type:\"Conv\""));
    EXPECT_TRUE(finds("type:\"convinteger\""));
    EXPECT_TRUE(finds("name:\"conv\"")); // the last part
    EXPECT_FALSE(finds("state:\"ignored\""));
    EXPECT_FALSE(finds("\"layer1 Conv\"")); // one text with a space
}

TEST(SearchQuery, PatternsAreLookedForAnywhere)
{
    EXPECT_TRUE(finds("re:layer\\d"));
    EXPECT_TRUE(finds("re:^weight$")); // the last part
    EXPECT_FALSE(finds("re:layer\\d{2}"));
    const auto whole = SearchQuery::ofPattern("Conv$|Gemm");
    EXPECT_EQ(std::get<SearchQuery>(whole).matches(conv()), SearchOutcome::Match);
    EXPECT_EQ(problem("re:a("), "the pattern is not valid at 1: missing ), unterminated subpattern");
}

TEST(SearchQuery, GivesUpOnAPatternThatCostsTooMuch)
{
    SearchSubject subject;
    const std::string name = std::string(200, 'a') + "b";
    subject.lines = {{SearchField::Name, name, name}};
    EXPECT_EQ(query("re:^(a+)+(a+)+(a+)+$").matches(subject), SearchOutcome::TooCostly);
}

TEST(SearchQuery, WordsOfOtherLettersIgnoreCaseToo)
{
    SearchSubject subject;
    subject.lines = {{SearchField::Name, "Größe+1", "Größe+1"}};
    EXPECT_TRUE(finds("GRÖ", subject));
    EXPECT_TRUE(finds("größe+", subject));
    EXPECT_TRUE(finds("\"GRÖßE+1\"", subject));
    EXPECT_FALSE(finds("\"größe\"", subject));
}

TEST(SearchQuery, SaysWhichStatesThereAre)
{
    EXPECT_EQ(problem("state:foo"),
        "there is no state 'foo'; states are quantized, ignored, ignored-inherited, preset, unsupported, blocked, "
        "fused, weight-only, quantizer, or float for all but those that are quantized, fused or weight-only");
    EXPECT_EQ(problem("state:"), ""); // being written
    EXPECT_TRUE(query("state: -").matches(conv()) == SearchOutcome::NoMatch); // "-" alone is a word
}

TEST(SearchQuery, FloatIsEveryStateThatLeavesANodeInFloat)
{
    SearchSubject subject = conv();
    for (const NodeState state : {NodeState::Ignored, NodeState::IgnoredInherited, NodeState::Preset,
             NodeState::Unsupported, NodeState::Blocked}) {
        const Decision decision{state, {}};
        subject.decision = &decision;
        EXPECT_TRUE(finds("state:float", subject)) << nodeStateText(state);
        EXPECT_TRUE(finds("state:\"float\"", subject)) << nodeStateText(state);
        EXPECT_FALSE(finds("-state:float", subject)) << nodeStateText(state);
    }
    for (const NodeState state : {NodeState::Quantized, NodeState::Fused, NodeState::WeightOnly}) {
        const Decision decision{state, {}};
        subject.decision = &decision;
        EXPECT_FALSE(finds("state:float", subject)) << nodeStateText(state);
    }
}

TEST(SearchQuery, AQuantizerOfTheFileIsCalledThat)
{
    SearchSubject subject = conv();
    const Decision decision{NodeState::Unsupported, {ReasonCode::IsFileQuantizer}};
    subject.decision = &decision;
    EXPECT_TRUE(finds("state:quantizer", subject));
    EXPECT_FALSE(finds("state:unsupported", subject));
    EXPECT_FALSE(finds("state:float", subject));
    EXPECT_FALSE(finds("state:quantizer"));
}

TEST(SearchQuery, ShapesAreRunsOfSizes)
{
    test::ModelBuilder builder;
    builder.input("x", {-1, 3, 8, 8}).weight("w", {4, 3, 5, 5}).node("Conv", "c", {"x", "w"}, {"y"}).output("y");
    const auto model = builder.build();
    SearchSubject subject;
    subject.model = model.get();
    subject.node = NodeId(0);
    EXPECT_TRUE(finds("shape:5x5", subject));
    EXPECT_TRUE(finds("shape:[3,8]", subject));
    EXPECT_TRUE(finds("shape:n,*,8", subject));
    EXPECT_FALSE(finds("shape:5x5x5", subject));
    EXPECT_FALSE(finds("shape:\"3x8x8\"", subject));
    EXPECT_TRUE(finds("shape:\"nx3x8x8\"", subject));
    EXPECT_FALSE(finds("shape:5x5")); // a scope has none
}

TEST(SearchQuery, ShapesThatFollowFromOthersAreFoundWhereTheyAreKnown)
{
    test::ModelBuilder builder;
    builder.input("x", {1, 3, 8, 8}).node("Relu", "r", {"x"}, {"y"}).node("Relu", "s", {"y"}, {"z"}).output("z");
    const auto model = builder.build();
    ValueTypes types;
    for (const Value& value : model->values)
        types.types.push_back(value.type);
    types.types[model->findValue("y").index].shape = std::vector<Dim>{{1, {}}, {77, {}}};
    const Scopes scopes = findScopes(*model);
    EXPECT_FALSE(finds("shape:77", nodeSubject(*model, scopes, nullptr, NodeId(1))));
    EXPECT_TRUE(finds("shape:77", nodeSubject(*model, scopes, nullptr, NodeId(1), &types)));
    types.types.pop_back(); // of another model
    EXPECT_FALSE(finds("shape:77", nodeSubject(*model, scopes, nullptr, NodeId(1), &types)));
}

TEST(SearchQuery, TwoAreEqualThatAskTheSame)
{
    EXPECT_TRUE(query("Conv  type:relu") == query("conv type:RELU "));
    EXPECT_FALSE(query("conv") == query("\"conv\""));
}

} // namespace
} // namespace duo
