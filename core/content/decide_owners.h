// SPDX-License-Identifier: Apache-2.0
// decideOwners: from what the values allow to one owner for each read, or to an honest guess.
#pragma once

#include "core/content/content_matches.h"
#include "core/content/wanted_tensors.h"

namespace duo {

/// Proof where the values leave one choice; else the first witness that names one of the choices: the exporter's
/// record, a name, the module that runs, what the neighbouring nodes read; else, as a guess, the order of the readers
/// or the first of several keys of equal, telling values; else undecided. Matches are sorted, coverage is counted.
ContentMatches decideOwners(const ContentSearch& search, const ContentPriors& priors);

} // namespace duo
