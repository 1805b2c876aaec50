// SPDX-License-Identifier: Apache-2.0
// How the kind of a decision's reason looks: a mark and a word that tell kinds apart at a glance, and what it means.
#pragma once

#include "core/quantize/placement.h"

#include <QString>

namespace duo::ui {

/// One character; the same for kinds that the user answers in the same way (rules, the model, its neighbours, types).
QString reasonKindMark(ReasonKind kind);
/// "rule", "no target", "operator": at most three words.
QString reasonKindLabel(ReasonKind kind);
/// What the kind means for any node, in one sentence.
QString reasonKindMeaning(ReasonKind kind);

} // namespace duo::ui
