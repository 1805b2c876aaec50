// SPDX-License-Identifier: Apache-2.0
#include "core/report/scopes_report.h"

namespace duo {
namespace {

std::string place(const std::string& scope)
{
    return scope.empty() ? "the model itself" : "'" + scope + "'";
}

std::string list(const std::vector<std::string>& items)
{
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0)
            text += i + 1 == items.size() ? " and " : ", ";
        text += place(items[i]);
    }
    return text;
}

/// The innermost element of the path that matters: the last one that begins with '@', else the last one.
std::string foreignElement(const std::string& execution)
{
    const std::size_t at = execution.rfind('@');
    const std::size_t start = at == std::string::npos ? execution.rfind('/') + 1 : at;
    return execution.substr(start, execution.find('/', start) - start);
}

} // namespace

std::string reasonSentence(Reason reason, const NodeScope& node)
{
    const std::string owners = list(node.storage);
    switch (reason) {
    case Reason::AliasedParameter:
        return "the parameter is stored once and known by several names; its first one belongs to " + owners;
    case Reason::BypassedCall:
        return "it runs in " + place(node.execution) + " through a method or a child of a module that was not called";
    case Reason::ContainerSkipped:
        return "the container in " + place(node.execution) + " only holds modules and does not run itself";
    case Reason::EqualValues:
        return "the exporter keeps one tensor for parameters that happen to be equal, here for those of " + owners;
    case Reason::ExporterMade:
        return "the exporter made this node and says nothing about its scope; it is placed with its neighbours";
    case Reason::FoldedProducers:
        return "several modules were folded into this node: " + owners;
    case Reason::ForeignCall:
        return "'" + foreignElement(node.execution) + "' is called by a module that does not contain it";
    case Reason::FunctionalUse:
        return "it reads a parameter of " + owners + " while " + place(node.execution) + " runs";
    case Reason::MergedCalls:
        return "several equal calls were merged into this one";
    case Reason::RenamedTensor:
        return node.storage.empty() ? "the exporter renamed or repacked the parameter; its owner is not known"
            : node.storageFrom == Provenance::Guess
            ? "the exporter renamed or repacked the parameter; that it belongs to " + owners + " is a guess"
            : "the exporter renamed or repacked the parameter of " + owners;
    case Reason::SharedModule:
        return "a module around it, with its parameters, runs more than once";
    case Reason::UnregisteredModule:
        return "the module that ran here is not registered in its caller";
    }
    return {};
}

} // namespace duo
