// SPDX-License-Identifier: Apache-2.0
// What a model is foreseen to come to, in a few words.
#pragma once

#include "core/pipeline/sensitivity/foresight.h"

#include <QString>

namespace duo::ui {

/// "foreseen: about 120.7 kB of 461.0 kB".
QString foreseenText(const ForeseenSize& size);
/// "foreseen: about 120.7 kB of 461.0 kB, 38.2 dB over 8 samples"; "" where nothing can be foreseen.
QString foreseenText(const Foresight& foresight);

} // namespace duo::ui
