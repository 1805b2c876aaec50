// SPDX-License-Identifier: Apache-2.0
#include "core/report/note_groups.h"

#include "core/support/phrases.h"

#include <algorithm>
#include <map>
#include <set>

namespace duo {
namespace {

constexpr std::size_t kMostTexts = 3; // of one kind, each a line of its own
constexpr std::size_t kPlacesShown = 3;

using TextsOfKind = std::map<std::string_view, std::set<std::string_view>>;

/// The texts of each kind, one more than make lines of their own at most.
TextsOfKind textsOf(const std::vector<Note>& notes)
{
    TextsOfKind texts;
    for (const Note& note : notes) {
        auto& ofKind = texts[note.kind];
        if (!note.where.empty() && ofKind.size() <= kMostTexts)
            ofKind.insert(note.text);
    }
    return texts;
}

} // namespace

const Note* noteOf(const std::vector<Note>& notes, std::string_view kind)
{
    const auto found = std::ranges::find(notes, kind, &Note::kind);
    return found == notes.end() ? nullptr : &*found;
}

std::vector<NoteGroup> groupNotes(const std::vector<Note>& notes)
{
    const TextsOfKind texts = textsOf(notes);
    std::vector<NoteGroup> groups;
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
    for (const Note& note : notes) {
        if (note.where.empty()) { // about the whole: nothing to count
            groups.push_back({note.kind, note.text, 1, {}, false});
            continue;
        }
        const bool isMixed = texts.at(note.kind).size() > kMostTexts;
        const std::string_view text = isMixed ? std::string_view() : std::string_view(note.text);
        const auto [found, isNew] = known.try_emplace({note.kind, text}, groups.size());
        if (isNew)
            groups.push_back({note.kind, note.text, 0, {}, isMixed});
        ++groups[found->second].count;
        groups[found->second].places.push_back(note.where);
    }
    return groups;
}

std::string placesText(const NoteGroup& group, std::size_t shown)
{
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, group.places.size()); ++i)
        text += (i == 0 ? "'" : ", '") + group.places[i] + "'";
    if (group.places.size() > shown)
        text += " and " + countText(group.places.size() - shown) + " more";
    return text;
}

std::string noteLine(const NoteGroup& group)
{
    if (group.places.empty())
        return group.text;
    if (group.count == 1)
        return group.text + ": " + group.places.front();
    return group.text + (group.isMixed ? " (and others alike): " : ": ") + countText(group.count) + " times, at "
        + placesText(group, kPlacesShown);
}

} // namespace duo
