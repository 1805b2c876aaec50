// SPDX-License-Identifier: Apache-2.0
#include "views/style/scope_text.h"

#include "core/report/reason_sentences.h"
#include "views/style/format.h"

#include <QStringList>

namespace duo::ui {

QString reasonSentence(Reason reason)
{
    return toQt(reasonMeaning(reason));
}

QString provenanceSentence(Provenance provenance)
{
    switch (provenance) {
    case Provenance::Recorded:
        return QStringLiteral("recorded in the file by the exporter");
    case Provenance::Name:
        return QStringLiteral("read from the names of nodes and parameters");
    case Provenance::Content:
        return QStringLiteral("found by comparing values with the checkpoint");
    case Provenance::Dataflow:
        return QStringLiteral("inferred from its neighbours in the dataflow");
    case Provenance::Guess:
        return QStringLiteral("a guess: nothing in the file says so");
    }
    return {};
}

QString neverRunsText()
{
    return QStringLiteral("Never runs: the condition of its body is constant.");
}

QString scopeLabel(const std::string& path)
{
    return path.empty() ? QStringLiteral("(root)") : toQt(path);
}

QString differenceSentence(const NodeScope& facts)
{
    if (!facts.differs)
        return {};
    QStringList owners;
    for (const auto& owner : facts.storage)
        owners += scopeLabel(owner);
    QStringList reasons;
    for (const Reason reason : facts.reasons)
        reasons += reasonSentence(reason);
    QString text = QStringLiteral("Runs in %1").arg(scopeLabel(facts.execution));
    if (!owners.isEmpty())
        text += QStringLiteral(", reads parameters of %1").arg(owners.join(QStringLiteral(" and ")));
    if (!reasons.isEmpty())
        text += QStringLiteral(": ") + reasons.join(QStringLiteral("; "));
    return text + QLatin1Char('.');
}

} // namespace duo::ui
