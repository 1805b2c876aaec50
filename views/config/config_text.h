// SPDX-License-Identifier: Apache-2.0
// The recipe as text in the forms that tools read, what each cannot say, and back.
#pragma once

#include "core/pipeline/snapshot/snapshot.h"

#include <QString>
#include <QStringList>

#include <array>
#include <variant>

namespace duo::ui {

enum class ConfigForm { Recipe, NncfJson, NncfPython, LegacyJson, Ort, Fsdp };
inline constexpr std::array kConfigForms = {ConfigForm::Recipe, ConfigForm::NncfJson, ConfigForm::NncfPython,
    ConfigForm::LegacyJson, ConfigForm::Ort, ConfigForm::Fsdp};

QString configFormLabel(ConfigForm form); // "NNCF JSON"
/// Edited in place: the JSON forms. The others are for copying.
bool isEditable(ConfigForm form);

struct ConfigText {
    QString text;
    QStringList losses; // what the form cannot say, a sentence each
};
/// Rules that a form has no word for are written as the names of the nodes they catch.
ConfigText configText(ConfigForm form, const Recipe& recipe, const Snapshot& snapshot);

struct ConfigProblem {
    int line = 0; // from 1; 0: not known
    int column = 0;
    QString text; // what is wrong and what to write
};

/// The recipe after a text in an editable form was changed. A form that is not the recipe's own changes only what it
/// can say: rules it has no word for stay while their names are all there, so do settings and disabled rules.
std::variant<Recipe, ConfigProblem> readConfig(
    ConfigForm form, const QString& text, const Recipe& present, const Snapshot& snapshot);

} // namespace duo::ui
