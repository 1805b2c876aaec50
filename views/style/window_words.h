// SPDX-License-Identifier: Apache-2.0
// Window words: what core says of the command line's options, as somebody at the window needs it.
#pragma once

#include <QString>

namespace duo::ui {

/// Options become what they say and where that is chosen here: "--min-sqnr 30" is "at least 30 dB in Quantize >
/// Bounds". What is no option with a place in the window stays as it is.
QString windowWords(QString message);

} // namespace duo::ui
