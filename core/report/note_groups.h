// SPDX-License-Identifier: Apache-2.0
// Notes as people read them: one line per kind with a count, not one per place.
#pragma once

#include "core/model/model.h"

#include <string>
#include <string_view>
#include <vector>

namespace duo {

/// Notes of one kind that say the same, or more of a kind than anybody wants to read one by one.
struct NoteGroup {
    std::string kind;
    std::string text; // of the first
    std::size_t count = 1;
    std::vector<std::string> places; // [count] in the order of the notes; empty for a note about the whole
    bool isMixed = false; // the others say alike, not the same
    bool operator==(const NoteGroup&) const = default;
};

/// The first note of a kind; null if there is none.
const Note* noteOf(const std::vector<Note>& notes, std::string_view kind);

/// By kind and text, in the order of their first notes; a kind with more than three texts is one group. O(notes).
std::vector<NoteGroup> groupNotes(const std::vector<Note>& notes);

/// "what it says: at 'a'", "what it says: 689 times, at 'a', 'b', 'c' and 686 more".
std::string noteLine(const NoteGroup& group);

/// The places after the text: " (at 'a')", up to `shown` of them; "" where there are none.
std::string placesText(const NoteGroup& group, std::size_t shown);

} // namespace duo
