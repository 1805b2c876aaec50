// SPDX-License-Identifier: Apache-2.0
#include "core/formats/npy.h"

#include "tests/support/numpy_files.h"

#include <gtest/gtest.h>

namespace duo {
namespace {

using test::npyDictionary;
using test::npyWithHeader;

Result<NpyHeader> parse(const std::string& file)
{
    return parseNpyHeader(std::as_bytes(std::span(file)), static_cast<std::int64_t>(file.size()), "a.npy");
}

std::string errorOf(const std::string& file)
{
    const auto header = parse(file);
    return header ? "no error" : header.error().line();
}

TEST(NpyHeader, GivesTypeShapeAndPlaceOfTheElements)
{
    const auto header = parse(test::npyRange({2, 3}));
    ASSERT_TRUE(header);
    EXPECT_EQ(header->type, ElementType::Float32);
    EXPECT_EQ(header->dims, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(header->dataOffset, 128);
    EXPECT_EQ(header->dataBytes, 24);
}

TEST(NpyHeader, TakesScalarsSpacesAndDoubleQuotes)
{
    const auto header = parse(npyWithHeader("{ \"shape\" : () ,'descr':'|b1','fortran_order' :True}", "x"));
    ASSERT_TRUE(header) << header.error().line();
    EXPECT_EQ(header->type, ElementType::Bool);
    EXPECT_TRUE(header->dims.empty());
}

TEST(NpyHeader, TakesVersionThreeWithItsWiderLength)
{
    const std::string dictionary = npyDictionary("<i8", {1});
    std::string file("\x93NUMPY\x03\x00", 8);
    file += static_cast<char>(dictionary.size());
    file += std::string(3, '\0') + dictionary + std::string(8, '\0');
    const auto header = parse(file);
    ASSERT_TRUE(header) << header.error().line();
    EXPECT_EQ(header->type, ElementType::Int64);
}

TEST(NpyHeader, RefusesWhatIsNoNumpyFile)
{
    EXPECT_EQ(errorOf("hello"), "not a NumPy array: a.npy: write it with numpy.save or numpy.savez");
}

TEST(NpyHeader, RefusesBigEndianAndFortranOrderWithTheRemedy)
{
    EXPECT_EQ(errorOf(npyWithHeader(npyDictionary(">f4", {1}), "abcd")),
        "array is big-endian: a.npy: save array.astype(array.dtype.newbyteorder('<'))");
    EXPECT_EQ(errorOf(npyWithHeader("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1), }", "abcd")),
        "array is in Fortran order: a.npy: save numpy.ascontiguousarray(array)");
}

TEST(NpyHeader, RefusesElementsThatAreNoNumbers)
{
    EXPECT_EQ(errorOf(npyWithHeader(npyDictionary("|O", {1}), "abcd")),
        "array has elements that are no plain numbers: a.npy: its type is |O; save numbers");
    EXPECT_EQ(errorOf(npyWithHeader("{'descr': [('x', '<f4'), ('y', '<f4', (2,))], 'fortran_order': False, "
                                    "'shape': (1,), }",
                  "abcd")),
        "array has elements that are no plain numbers: a.npy: its type is a structure; save numbers");
}

TEST(NpyHeader, RefusesASizeThatTheShapeDoesNotGive)
{
    EXPECT_EQ(errorOf(npyWithHeader(npyDictionary("<f4", {3}), "abcdefgh")),
        "array has another size than its shape says: a.npy: 8 bytes of 12; the file is damaged");
}

TEST(NpyHeader, RefusesDamagedDictionaries)
{
    const std::string damaged = "array has a damaged header: a.npy: write it again with numpy.save or numpy.savez";
    const std::vector<std::string> dictionaries{"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1 2), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1, }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } + 1", "{'descr': [[[', 'fortran_order': False}"};
    for (const std::string& dictionary : dictionaries)
        EXPECT_EQ(errorOf(npyWithHeader(dictionary, "abcd")), damaged) << dictionary;
    EXPECT_EQ(errorOf(npyWithHeader(npyDictionary("<f4", {1}), "abcd").substr(0, 40)), damaged);
    EXPECT_EQ(errorOf(std::string("\x93NUMPY\x09\x00\x10\x00{}", 12)), damaged);
}

} // namespace
} // namespace duo
