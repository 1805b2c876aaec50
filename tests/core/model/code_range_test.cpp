// SPDX-License-Identifier: Apache-2.0
#include "core/model/code_range.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

TEST(CodeRange, IsWhatIntegersOfUpTo16BitsHold)
{
    struct Case {
        ElementType type;
        std::int32_t lowest;
        std::int32_t highest;
    };
    for (const Case& wanted :
        {Case{ElementType::UInt8, 0, 255}, Case{ElementType::Int8, -128, 127}, Case{ElementType::UInt16, 0, 65535},
            Case{ElementType::Int16, -32768, 32767}, Case{ElementType::UInt4, 0, 15}, Case{ElementType::Int4, -8, 7}}) {
        const auto range = codeRange(wanted.type);
        ASSERT_TRUE(range) << elementTypeName(wanted.type);
        EXPECT_EQ(range->lowest, wanted.lowest);
        EXPECT_EQ(range->highest, wanted.highest);
        EXPECT_EQ(range->isSigned(), wanted.lowest < 0);
    }
    for (const ElementType type : {ElementType::Float32, ElementType::Int32, ElementType::Bool, ElementType::String})
        EXPECT_FALSE(codeRange(type)) << elementTypeName(type);
}

} // namespace
} // namespace duo
