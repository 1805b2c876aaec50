// SPDX-License-Identifier: Apache-2.0
// Sentences about scopes: why storage and execution differ, and how a fact came to be known.
#pragma once

#include "core/scope/scope.h"

#include <QString>

namespace duo::ui {

/// "a module that holds parameters runs more than once"
QString reasonSentence(Reason reason);
/// "recorded in the file by the exporter", "a guess: nothing in the file says so".
QString provenanceSentence(Provenance provenance);
/// "Runs in dec/@enc.proj, reads parameters of enc.proj: a module is called by one that does not contain it."
/// Empty where the node does not differ.
QString differenceSentence(const NodeScope& facts);
/// Of what is in a body that a constant condition never takes.
QString neverRunsText();
/// A scope path, or "(root)".
QString scopeLabel(const std::string& path);

} // namespace duo::ui
