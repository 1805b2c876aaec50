// SPDX-License-Identifier: Apache-2.0
// Readings: what a recogniser of text or speech reads. It says a letter or a blank at every step, letters that are the
// same one after the other are one, and blanks are left out (connectionist temporal classification, Graves et al.
// 2006). At which of two neighbouring steps a letter is said changes nothing.
#pragma once

#include <cstdint>
#include <span>

namespace duo {

/// Sums over samples.
struct ReadLetters {
    std::int64_t steps = 0;
    std::int64_t blanks = 0; // steps at which A says the blank
    std::int64_t read = 0; // letters that A reads
    std::int64_t letters = 0; // that the models read, of each sample the larger number
    std::int64_t alike = 0; // letters, less the changes that make A's reading of B's (Levenshtein)
    bool isLong = false; // nothing was read of a sample: too many letters to compare

    void add(const ReadLetters& next);
    /// A's answers are those of a recogniser: the blank is common, and between blanks letters are said once, seldom
    /// twice. Known of 20 letters or more.
    [[nodiscard]] bool isOfRecogniser() const;
};

/// @param saidByA,saidByB the class of each step of one sample, in order of time
/// @param blank the class that says nothing
ReadLetters readingOf(std::span<const std::int64_t> saidByA, std::span<const std::int64_t> saidByB, std::int64_t blank);

} // namespace duo
