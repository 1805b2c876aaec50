// SPDX-License-Identifier: Apache-2.0
// anchorsOf: where links into a page can lead.
#pragma once

#include <QStringList>
#include <QTextBlock>
#include <QTextDocument>

namespace duo::test {

/// In the order of the page, each once.
inline QStringList anchorsOf(const QTextDocument& document)
{
    QStringList anchors;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        for (auto at = block.begin(); !at.atEnd(); ++at) {
            for (const QString& name : at.fragment().charFormat().anchorNames()) {
                if (!anchors.contains(name))
                    anchors += name;
            }
        }
    }
    return anchors;
}

} // namespace duo::test
