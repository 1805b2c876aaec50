// SPDX-License-Identifier: Apache-2.0
// Pages of the help: Markdown files of a folder, and how one is laid out as a document.
#pragma once

#include "views/style/theme.h"

#include <QString>
#include <QStringList>
#include <QTextDocument>
#include <QUrl>

#include <optional>
#include <vector>

namespace duo::ui {

struct HelpPage {
    QString file; // "scopes.md"
    QString title; // its first heading
};

/// The pages of a folder, which may be one of resources: index.md first, the others by title.
std::vector<HelpPage> helpPages(const QString& folder);

/// A place in the help: a heading of a page, or its top.
struct HelpPlace {
    QString file;
    QString anchor; // "": the top
    bool operator==(const HelpPlace&) const = default;
};

/// Where a link on a page leads: "#heading", "page.md", "page.md#heading"; nothing for links out of the help.
std::optional<HelpPlace> placeOf(const QUrl& link, const QString& page);

/// The anchor of a heading, as hosts of Markdown make it: "What a rule catches" -> "what-a-rule-catches".
QString anchorOf(const QString& heading);

/// Fills the document; headings get anchors (a repeated one a number: "notes-1"), tables lines, code a ground.
void fillHelpPage(QTextDocument& document, const QString& markdown, const Theme& theme);

} // namespace duo::ui
