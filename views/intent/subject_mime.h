// SPDX-License-Identifier: Apache-2.0
// Subjects of rules as they are dragged from one view to another, and as names where they are dropped elsewhere.
#pragma once

#include "views/intent/rule_intent.h"

#include <QMimeData>

#include <memory>
#include <vector>

namespace duo::ui {

std::unique_ptr<QMimeData> mimeOf(const std::vector<RuleSubject>& subjects);

/// Nothing if the data was not made by mimeOf.
std::vector<RuleSubject> subjectsOf(const QMimeData& data);

} // namespace duo::ui
