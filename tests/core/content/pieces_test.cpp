// SPDX-License-Identifier: Apache-2.0
// Tensors put together from several keys, cut out of one, or picked row by row.
#include "tests/core/content/content_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo::test {
namespace {

using Values = std::vector<float>;

Values joined(const std::vector<Values>& parts)
{
    Values result;
    for (const Values& part : parts)
        result.insert(result.end(), part.begin(), part.end());
    return result;
}

/// One product or sum per weight.
struct Weight {
    std::string name;
    std::vector<std::int64_t> dims;
    Values values;
};

std::shared_ptr<const Model> reading(const std::vector<Weight>& weights, const std::string& opType = "MatMul")
{
    ModelBuilder builder;
    builder.input("x", {4, 8});
    for (const Weight& weight : weights) {
        builder.weight(weight.name, weight.dims, weight.values);
        builder.node(opType, "n_" + weight.name, {"x", weight.name}, {"y_" + weight.name}).output("y_" + weight.name);
    }
    return builder.build();
}

TEST(Pieces, FusedQueryKeyAndValueAreFound)
{
    const Values q = randomValues(64, 1);
    const Values k = randomValues(64, 2);
    const Values v = randomValues(64, 3);
    CheckpointBuilder stored;
    stored.key("self.key.weight", {8, 8}, k).key("self.query.weight", {8, 8}, q).key("self.value.weight", {8, 8}, v);
    const ContentCase found(reading({{"qkv", {24, 8}, joined({q, k, v})}}), stored.build());
    EXPECT_EQ(found.at("qkv"),
        (Owners{{"self.query.weight", "self.key.weight", "self.value.weight"}, "concatenated", "proof"}));
    EXPECT_EQ(found.match("qkv").transform.axis, 0);
}

TEST(Pieces, MembersMayHaveDifferentSizesAndBeTransposed)
{
    const Values q = randomValues(128, 1); // grouped queries: 16 rows, 4, 4
    const Values k = randomValues(32, 2);
    const Values v = randomValues(32, 3);
    CheckpointBuilder stored;
    stored.key("q", {16, 8}, q).key("k", {4, 8}, k).key("v", {4, 8}, v);
    const Values fused = transposedValues(joined({q, k, v}), 24, 8);
    const ContentCase found(reading({{"qkv", {8, 24}, fused}}), stored.build());
    EXPECT_EQ(found.at("qkv"), (Owners{{"q", "k", "v"}, "concatenated", "proof"}));
    EXPECT_EQ(found.match("qkv").transform.axis, 1);
    EXPECT_EQ(found.match("qkv").transform.axes, (std::vector<int>{1, 0}));
}

TEST(Pieces, BiasesAreConcatenatedToo)
{
    const Values q = randomValues(24, 1);
    const Values k = randomValues(24, 2);
    const ContentCase found(
        reading({{"b", {48}, joined({q, k})}}, "Add"), CheckpointBuilder().key("q", {24}, q).key("k", {24}, k).build());
    EXPECT_EQ(found.at("b"), (Owners{{"q", "k"}, "concatenated", "proof"}));
}

TEST(Pieces, SlicesOfAFusedKeyAreFound)
{
    const Values q = randomValues(64, 1);
    const Values k = randomValues(64, 2);
    const Values v = randomValues(64, 3);
    CheckpointBuilder stored;
    stored.key("attn.in_proj_weight", {24, 8}, joined({q, k, v}));
    const ContentCase found(
        reading({{"wq", {8, 8}, q}, {"wk", {8, 8}, transposedValues(k, 8, 8)}, {"wv", {8, 8}, v}}), stored.build());
    EXPECT_EQ(found.at("wq"), (Owners{{"attn.in_proj_weight"}, "slice", "proof"}));
    EXPECT_EQ(found.at("wk"), (Owners{{"attn.in_proj_weight"}, "slice", "proof"}));
    EXPECT_EQ(found.match("wk").transform.offset, 8);
    EXPECT_EQ(found.match("wk").transform.axes, (std::vector<int>{1, 0}));
    EXPECT_EQ(found.match("wv").evidence.front(), "indices from 16 on axis 0 of 'attn.in_proj_weight', 64 elements");
    EXPECT_EQ(found.found.coverage.found, 1);
}

TEST(Pieces, PositionsMayBeCutShort)
{
    const Values positions = randomValues(20 * 8, 1);
    const ContentCase found(
        reading({{"p", {1, 12, 8}, Values(positions.begin() + 16, positions.begin() + 16 + 96)}}, "Add"),
        CheckpointBuilder().key("pos_embed", {1, 20, 8}, positions).build());
    EXPECT_EQ(found.at("p"), (Owners{{"pos_embed"}, "slice", "proof"}));
    EXPECT_EQ(found.match("p").transform.offset, 2);
    EXPECT_EQ(found.match("p").transform.axis, 1);
}

TEST(Pieces, MissingMemberIsNoMatch)
{
    const Values q = randomValues(64, 1);
    const ContentCase found(
        reading({{"qk", {16, 8}, joined({q, randomValues(64, 2)})}}), CheckpointBuilder().key("q", {8, 8}, q).build());
    EXPECT_EQ(found.at("qk"), (Owners{{}, "none", ""}));
}

/// table[index], as the relative position bias of a Swin block: [positions, heads].
Values gathered(const Values& table, std::size_t heads, const std::vector<std::int64_t>& index)
{
    Values result;
    for (const std::int64_t row : index) {
        for (std::size_t h = 0; h < heads; ++h)
            result.push_back(table[static_cast<std::size_t>(row) * heads + h]);
    }
    return result;
}

TEST(Gathered, FoldedTableHasTwoOwners)
{
    const std::vector<std::int64_t> index{4, 3, 1, 0, 7, 4, 2, 1, 6, 5, 4, 3, 8, 6, 7, 4};
    const Values first = randomValues(27, 1);
    const Values second = randomValues(27, 2);
    CheckpointBuilder stored;
    for (const auto& [block, table] : {std::pair("b0", first), std::pair("b1", second)}) {
        stored.key(std::string(block) + ".table", {9, 3}, table);
        stored.ints(std::string(block) + ".index", {16}, index);
    }
    const ContentCase found(reading({{"flat", {16, 3}, gathered(first, 3, index)},
                                        {"heads", {1, 3, 4, 4}, transposedValues(gathered(second, 3, index), 16, 3)}},
                                "Add"),
        stored.build());
    EXPECT_EQ(found.at("flat"), (Owners{{"b0.table", "b0.index"}, "gathered", "witnessed"}));
    EXPECT_EQ(found.at("heads"), (Owners{{"b1.table", "b1.index"}, "gathered", "witnessed"}));
}

TEST(Gathered, IndexNeedNotBeStored)
{
    const Values table = randomValues(27, 1);
    const ContentCase found(reading({{"flat", {6, 3}, gathered(table, 3, {8, 0, 0, 3, 1, 8})}}, "Add"),
        CheckpointBuilder().key("t", {9, 3}, table).build());
    EXPECT_EQ(found.at("flat"), (Owners{{"t"}, "gathered", "proof"}));
}

} // namespace
} // namespace duo::test
