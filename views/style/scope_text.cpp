// SPDX-License-Identifier: Apache-2.0
#include "views/style/scope_text.h"

#include "views/style/format.h"

#include <QStringList>

namespace duo::ui {

QString reasonSentence(Reason reason)
{
    switch (reason) {
    case Reason::AliasedParameter:
        return QStringLiteral("the parameter read has several names");
    case Reason::BypassedCall:
        return QStringLiteral("the module was used without being called");
    case Reason::ContainerSkipped:
        return QStringLiteral("a container on the way is not called itself");
    case Reason::EqualValues:
        return QStringLiteral("several parameters hold equal values, so the owner is one of them");
    case Reason::ExporterMade:
        return QStringLiteral("the exporter made this node");
    case Reason::FoldedProducers:
        return QStringLiteral("several modules were folded into this node");
    case Reason::ForeignCall:
        return QStringLiteral("a module is called by one that does not contain it");
    case Reason::FunctionalUse:
        return QStringLiteral("the parameter belongs to a module that is not the one running");
    case Reason::MergedCalls:
        return QStringLiteral("several calls were merged into one");
    case Reason::RenamedTensor:
        return QStringLiteral("the exporter renamed or repacked the parameter");
    case Reason::SharedModule:
        return QStringLiteral("a module that holds parameters runs more than once");
    case Reason::UnregisteredModule:
        return QStringLiteral("the module that runs is not registered in its parent");
    }
    return {};
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
