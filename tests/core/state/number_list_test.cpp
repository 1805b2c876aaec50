// SPDX-License-Identifier: Apache-2.0
#include "core/state/number_list.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::int32_t> inTurns(std::size_t count, std::int32_t first, std::int32_t second)
{
    std::vector<std::int32_t> codes(count, first);
    for (std::size_t i = 1; i < count; i += 2)
        codes[i] = second;
    return codes;
}

TEST(CodesJson, AreOneNumberAListOrAText)
{
    EXPECT_EQ(codesJson(inTurns(100, 7, 7), ElementType::UInt4), Json(7));
    EXPECT_EQ(codesJson(inTurns(3, 7, 8), ElementType::UInt4), Json({7, 8, 7}));
    std::string text = "uint4:"; // 1 and 2 in a byte: 0x21
    for (int i = 0; i < 11; ++i)
        text += "ISEh";
    EXPECT_EQ(codesJson(inTurns(66, 1, 2), ElementType::UInt4), Json(text));
    EXPECT_TRUE(codesJson(inTurns(100, 1, 2), ElementType::UInt16).is_array());
}

TEST(CodesJson, AreReadBackAsTheyWere)
{
    for (const auto& [type, low, high] : {std::tuple(ElementType::UInt4, 0, 15), std::tuple(ElementType::Int4, -8, 7),
             std::tuple(ElementType::UInt2, 0, 3), std::tuple(ElementType::Int2, -2, 1),
             std::tuple(ElementType::UInt8, 0, 255), std::tuple(ElementType::Int8, -128, 127)}) {
        for (const std::size_t count : {1U, 5U, 65U, 66U, 67U, 101U}) {
            const auto codes = inTurns(count, low, high);
            const auto read = codesFromJson(codesJson(codes, type), {"f"}, count, type);
            ASSERT_TRUE(read) << read.error().line();
            EXPECT_EQ(*read, codes);
        }
    }
}

TEST(CodesJson, OfAnotherCountTypeOrPaddingAreRefused)
{
    const Json text = codesJson(inTurns(67, 1, 2), ElementType::UInt4);
    for (const auto& [json, count, type] :
        {std::tuple(text, 69U, ElementType::UInt4), std::tuple(text, 65U, ElementType::UInt4),
            std::tuple(text, 67U, ElementType::Int4), std::tuple(Json("uint4:IQ=="), 1U, ElementType::UInt4),
            std::tuple(Json("uint4:I"), 1U, ElementType::UInt4)}) {
        const auto read = codesFromJson(json, {"f"}, count, type);
        ASSERT_FALSE(read);
        EXPECT_NE(read.error().line().find("not " + std::to_string(count) + " codes of the type"), std::string::npos);
    }
    EXPECT_FALSE(codesFromJson(Json(16), {"f"}, 1, ElementType::UInt4));
}

} // namespace
} // namespace duo
