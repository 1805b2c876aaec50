// SPDX-License-Identifier: Apache-2.0
#include "core/report/note_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace duo {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> lines(const std::vector<Note>& notes)
{
    std::vector<std::string> lines;
    for (const NoteGroup& group : groupNotes(notes))
        lines.push_back(noteLine(group));
    return lines;
}

TEST(NoteGroups, NotesThatSayTheSameAreOneLineWithACount)
{
    std::vector<Note> notes{{"other", "something else", "z"}};
    for (const char* place : {"a", "b", "c", "d", "e"})
        notes.push_back({"unnamed", "a node has no name", place});
    EXPECT_THAT(
        lines(notes), ElementsAre("something else: z", "a node has no name: 5 times, at 'a', 'b', 'c' and 2 more"));
    EXPECT_THAT(groupNotes(notes).back().places, ElementsAre("a", "b", "c", "d", "e"));
}

TEST(NoteGroups, AFewTextsOfOneKindAreLinesOfTheirOwn)
{
    EXPECT_THAT(lines({{"k", "first", "a"}, {"k", "second", "b"}, {"k", "first", "c"}}),
        ElementsAre("first: 2 times, at 'a', 'c'", "second: b"));
}

TEST(NoteGroups, ManyTextsOfOneKindAreOneLineAllTheSame)
{
    std::vector<Note> notes;
    for (int i = 0; i < 100; ++i)
        notes.push_back({"non-finite", std::to_string(i + 1) + " elements are NaN", "v" + std::to_string(i)});
    EXPECT_THAT(
        lines(notes), ElementsAre("1 elements are NaN (and others alike): 100 times, at 'v0', 'v1', 'v2' and 97 more"));
}

TEST(NoteGroups, NotesAboutTheWholeStayApart)
{
    EXPECT_THAT(lines({{"k", "about x", {}}, {"k", "about y", {}}}), ElementsAre("about x", "about y"));
    EXPECT_THAT(lines({}), IsEmpty());
}

} // namespace
} // namespace duo
