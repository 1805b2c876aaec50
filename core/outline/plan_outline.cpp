// SPDX-License-Identifier: Apache-2.0
#include "core/outline/plan_outline.h"

#include "core/outline/call_body.h"
#include "core/outline/class_attributes.h"
#include "core/outline/class_order.h"
#include "core/outline/formal_names.h"
#include "core/outline/forward_match.h"
#include "core/outline/outline_names.h"
#include "core/outline/recorded_order.h"
#include "core/outline/same_attribute.h"
#include "core/outline/unread_values.h"
#include "core/scope/facts/scope_facts.h"
#include "core/support/enum_text.h"
#include "core/support/fresh_names.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace duo {
namespace {

constexpr std::string_view kOwnDomain = "modules"; // of those whose class is not known

class Planner
{
public:
    Planner(const Model& model, const Scopes& scopes, const NodeFlow& flow, CallGroups groups,
        const std::vector<FunctionOrder>& orders, const FunctionsBefore& before)
        : m_model(model)
        , m_scopes(scopes)
        , m_flow(flow)
        , m_groups(std::move(groups))
        , m_orders(orders)
        , m_names(before.names)
        , m_owners(before.names.empty() ? Owners::AreKnown : Owners::DoNotCount)
        , m_recorded(model, scopes, before.signatures)
        , m_paths(m_groups.groups.size())
        , m_sizes(m_groups.groups.size())
        , m_inBodies(flow.nodes.size())
    {
    }

    OutlinePlan run()
    {
        m_plan.refusals = m_groups.refusals;
        findPaths();
        takeNames();
        findBodies();
        findUnread();
        addCalls();
        openAttributes();
        nameClasses();
        for (std::size_t f = 0; f < m_plan.edits.functions.size(); ++f)
            nameFunction(f);
        takeOrders();
        for (std::size_t f = 0; f < m_plan.edits.functions.size(); ++f)
            describe(m_plan.edits.functions[f].metadata, m_plan.functions[f]);
        nameCalls();
        m_plan.dissolved = m_recorded.dissolved();
        return std::move(m_plan);
    }

private:
    [[nodiscard]] const Scope& scopeOf(std::size_t group) const
    {
        return m_scopes.execution.scope(m_groups.groups[group].scope);
    }
    [[nodiscard]] std::size_t callOf(std::size_t group) const { return m_groups.groups.size() - 1 - group; }
    [[nodiscard]] std::size_t groupOf(std::size_t call) const { return m_groups.groups.size() - 1 - call; }

    /// The part of their names that all nodes of a group have in front.
    void findPaths()
    {
        for (std::size_t g = m_groups.groups.size(); g-- > 0;) {
            const CallGroup& group = m_groups.groups[g];
            std::vector<const std::string*> names;
            for (const std::uint32_t node : group.nodes)
                names.push_back(&m_model.node(m_flow.nodes[node]).localName);
            for (const std::size_t child : group.children)
                names.push_back(&m_paths[child]);
            m_paths[g] = m_names.contains(scopeOf(g).className) ? scopeOf(g).path + "/" : commonPath(names);
            m_sizes[g] = group.nodes.size();
            for (const std::size_t child : group.children)
                m_sizes[g] += m_sizes[child];
        }
    }

    void takeNames()
    {
        for (const Node& node : m_model.nodes) {
            m_nodeNames.take(node.name);
            m_nodeNames.take(node.localName);
            if (node.isCall)
                m_classes[{node.domain, node.opType}] = 1;
        }
        for (const Value& value : m_model.values) {
            for (RegionId region = value.region; region != RegionId(0);) {
                const NodeId owner = m_model.region(region).owner;
                m_inBodies[m_flow.placeOf[owner.index]].push_back(&value.name);
                region = m_model.node(owner).region;
            }
        }
    }

    [[nodiscard]] std::string identityOf(std::size_t group, const CallBody& body) const
    {
        return scopeOf(group).className + "\n" + std::to_string(m_groups.groups[group].part) + "\n" + body.form;
    }

    void findBodies()
    {
        m_functions.clear();
        m_plan.edits.functions.clear();
        m_plan.functions.clear();
        m_bodies = callBodies(m_model, m_scopes, m_flow, m_groups, m_owners, m_unread,
            [&](std::size_t group, const CallBody& body) { return functionOf(group, body); });
    }

    /// What calls give, then what they take by their records though nobody reads it.
    void findUnread()
    {
        if (m_recorded.isEmpty())
            return;
        m_unread.given = unreadOutputs(recordedCalls());
        if (!m_unread.given.empty())
            findBodies();
        m_unread.taken = unreadInputs(recordedCalls());
        if (m_unread.taken.empty())
            return;
        findBodies();
        if (areGivenBack(m_unread.taken, recordedCalls()))
            return;
        m_unread.taken.clear();
        findBodies();
    }

    [[nodiscard]] RecordedCalls recordedCalls() const
    {
        RecordedCalls calls{m_model, m_flow, m_groups, m_recorded, m_bodies, {}};
        for (std::size_t g = 0; g < m_bodies.size(); ++g) {
            if (m_groups.groups[g].parts == 1)
                calls.byFunction[m_functions.at(identityOf(g, m_bodies[g]))].push_back(g);
        }
        return calls;
    }

    /// Calls of one class whose bodies have one form share a function.
    std::size_t functionOf(std::size_t group, const CallBody& body)
    {
        const Scope& scope = scopeOf(group);
        const auto [found, isNew] = m_functions.try_emplace(identityOf(group, body), m_plan.edits.functions.size());
        if (isNew) {
            m_plan.edits.functions.emplace_back();
            PlannedFunction& planned = m_plan.functions.emplace_back();
            planned.className = scope.className;
            planned.nodes = m_sizes[group];
        }
        return found->second;
    }

    void addCalls()
    {
        m_plan.edits.calls.resize(m_bodies.size());
        m_plan.scopes.resize(m_bodies.size());
        m_callsOf.resize(m_plan.edits.functions.size());
        for (std::size_t g = m_bodies.size(); g-- > 0;) {
            CallBody& body = m_bodies[g];
            OutlinedCall& call = m_plan.edits.calls[callOf(g)];
            call.function = m_functions.at(identityOf(g, body));
            call.isNested = m_groups.isPart(g);
            call.region = m_groups.groups[g].region;
            call.outputs = body.outputs;
            for (const CallInput& input : body.inputs)
                call.inputs.push_back(input.value);
            for (BodyPart part : body.parts) {
                if (auto* child = std::get_if<std::size_t>(&part))
                    *child = callOf(*child);
                call.parts.push_back(part);
            }
            m_plan.scopes[callOf(g)] = scopeOf(g).path;
            m_callsOf[call.function].push_back(callOf(g));
        }
    }

    // Attributes

    [[nodiscard]] const Attribute* given(const OutlinedCall& call, std::size_t part, const std::string& name) const
    {
        if (const auto* node = std::get_if<NodeId>(&call.parts[part]))
            return m_model.node(*node).attribute(name);
        const OutlinedCall& inner = m_plan.edits.calls[std::get<std::size_t>(call.parts[part])];
        for (const OpenAttribute& open : m_plan.edits.functions[inner.function].open) {
            if (open.formal == name)
                return given(inner, open.part, open.name);
        }
        return nullptr;
    }

    [[nodiscard]] std::vector<std::string> attributesOf(const OutlinedCall& call, std::size_t part) const
    {
        std::vector<std::string> names;
        if (const auto* node = std::get_if<NodeId>(&call.parts[part])) {
            for (const Attribute& attribute : m_model.node(*node).attributes)
                names.push_back(attribute.name);
        } else {
            const std::size_t inner = std::get<std::size_t>(call.parts[part]);
            for (const OpenAttribute& open : m_plan.edits.functions[m_plan.edits.calls[inner].function].open)
                names.push_back(open.formal);
        }
        return names;
    }

    [[nodiscard]] bool isSameInAll(std::size_t function, std::size_t part, const std::string& name) const
    {
        const auto& calls = m_callsOf[function];
        const Attribute* first = given(m_plan.edits.calls[calls.front()], part, name);
        return std::ranges::all_of(calls, [&](std::size_t call) {
            const Attribute* other = given(m_plan.edits.calls[call], part, name);
            return first == other || (first != nullptr && other != nullptr && isSameValue(m_model, *first, *other));
        });
    }

    /// Inner functions first: what they leave open is the outer one's to say, or to leave open in its turn.
    void openAttributes()
    {
        for (std::size_t f = 0; f < m_plan.edits.functions.size(); ++f) {
            OutlinedFunction& function = m_plan.edits.functions[f];
            const OutlinedCall& pattern = m_plan.edits.calls[m_callsOf[f].front()];
            FreshNames formals;
            for (std::size_t part = 0; part < pattern.parts.size(); ++part) {
                const auto* node = std::get_if<NodeId>(&pattern.parts[part]);
                for (const std::string& name : attributesOf(pattern, part)) {
                    const std::string_view ofClass = node == nullptr
                        ? std::string_view()
                        : classAttribute(m_plan.functions[f].className, m_model.node(*node).opType, name);
                    if (!ofClass.empty() || !isSameInAll(f, part, name))
                        function.open.push_back(
                            {part, name, formals.fresh(std::string(ofClass.empty() ? name : ofClass))});
                }
            }
        }
    }

    // Names

    /// Of several functions that were one, the one that most calls still have keeps its name.
    void nameClasses()
    {
        std::vector<std::size_t> order(m_plan.functions.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (!m_names.empty())
            std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t f) { return m_callsOf[f].size(); });
        for (const std::size_t f : order)
            nameClass(m_plan.edits.functions[f], m_plan.functions[f], m_callsOf[f]);
    }

    void nameFunction(std::size_t f)
    {
        OutlinedFunction& function = m_plan.edits.functions[f];
        PlannedFunction& planned = m_plan.functions[f];
        const std::size_t first = m_callsOf[f].front();
        FreshNames names;
        for (const std::uint32_t place : m_groups.groups[groupOf(first)].nodes)
            std::ranges::for_each(m_inBodies[place], [&](const std::string* name) { names.take(*name); });
        const auto recorded = recordedOrder(m_callsOf[f]);
        const auto written = recorded ? std::nullopt : writtenOrder(groupOf(first));
        const auto order = recorded ? recorded
            : written               ? written
                                    : classOrder(m_model, planned.className, m_bodies[groupOf(first)],
                                        [&](NodeId node) { return holds(groupOf(first), node); });
        if (order)
            arrangeAll(m_callsOf[f], *order);
        const std::vector<NamedCall> calls = namedCalls(m_callsOf[f]);
        nameFormals(function, planned, calls, order.value_or(CallOrder()), names);
        nameParts(function, m_plan.edits.calls[first], groupOf(first), names);
        nameLeftFormals(m_model, m_plan.edits, function, m_plan.edits.calls[first], calls, names);
        const bool isOnly = planned.dataInputs <= 1 && function.outputs.size() <= 1;
        planned.order = isOnly ? OrderEvidence::OnlyOne
            : recorded         ? OrderEvidence::Recorded
            : written          ? OrderEvidence::Forward
            : order            ? OrderEvidence::Class
                               : OrderEvidence::FirstUse;
        if (!isOnly && !recorded)
            planned.unrecorded = whyNotRecorded(m_callsOf[f]);
    }

    /// By the `forward` of its module. Calls of one function are read alike.
    [[nodiscard]] std::optional<CallOrder> writtenOrder(std::size_t group) const
    {
        const std::string& module = scopeOf(group).module;
        const auto* facts = m_scopes.facts.get();
        const auto forward = facts == nullptr ? ForwardOrders::const_iterator() : facts->forwards.find(module);
        if (facts == nullptr || forward == facts->forwards.end() || m_groups.groups[group].parts > 1)
            return std::nullopt;
        std::unordered_map<ValueId, std::set<std::string>> readIn;
        const std::vector<NodeId> nodes = nodesOf(m_bodies, group);
        for (const NodeId node : nodes) {
            const ScopeId scope = m_scopes.nodes[node.index].executionScope;
            const std::string& runs = scope.valid() ? m_scopes.execution.scope(scope).module : module;
            const std::string below = runs == module ? std::string()
                : module.empty()                     ? runs
                : runs.starts_with(module + ".")     ? runs.substr(module.size() + 1)
                                                     : "\x01" + runs; // no child
            m_flow.eachRead(m_model, m_flow.placeOf[node.index], [&](ValueId value) { readIn[value].insert(below); });
        }
        return forwardOrder(*forward->second, m_bodies[group], [&](ValueId value) { return readIn[value]; });
    }

    [[nodiscard]] std::string whyNotRecorded(const std::vector<std::size_t>& calls) const
    {
        for (const std::size_t call : calls) {
            const CallGroup& group = m_groups.groups[groupOf(call)];
            if (m_recorded.orderOf(group.scope, m_bodies[groupOf(call)]))
                return group.parts > 1 ? "it is a part of the call that is recorded"
                                       : "calls that share it are recorded in different orders";
            if (auto why = m_recorded.whyNot(group.scope, m_bodies[groupOf(call)]); !why.empty())
                return why;
        }
        return {};
    }

    /// That of all of the calls that have a record; nothing where two have different ones.
    [[nodiscard]] std::optional<CallOrder> recordedOrder(const std::vector<std::size_t>& calls) const
    {
        std::optional<CallOrder> known;
        for (const std::size_t call : calls) {
            const std::size_t group = groupOf(call);
            auto order = m_groups.groups[group].parts == 1
                ? m_recorded.orderOf(m_groups.groups[group].scope, m_bodies[group])
                : std::nullopt;
            if (order && known && *order != *known)
                return std::nullopt;
            if (order)
                known = std::move(order);
        }
        return known;
    }

    [[nodiscard]] bool holds(std::size_t group, NodeId node) const
    {
        return m_groups.isIn(m_groups.groupOf[m_flow.placeOf[node.index]], group);
    }

    /// Calls of one function have bodies of one form, so that what holds of the first holds of all.
    void arrangeAll(const std::vector<std::size_t>& calls, const CallOrder& order)
    {
        for (const std::size_t c : calls) {
            OutlinedCall& call = m_plan.edits.calls[c];
            arrange(m_bodies[groupOf(c)].inputs, order.inputs);
            arrange(call.inputs, order.inputs);
            arrange(call.outputs, order.outputs);
            for (const PassedInput& passed : order.passed)
                call.outputs.insert(call.outputs.begin() + static_cast<std::ptrdiff_t>(passed.output), ValueId{});
        }
    }

    // Orders that somebody wants

    /// Where each name stands now; nothing if these are not the same names.
    static std::optional<std::vector<std::size_t>> placesOf(
        const std::vector<std::string>& wanted, std::span<const std::string> names)
    {
        std::vector<std::size_t> places;
        for (const std::string& name : wanted) {
            const auto found = std::ranges::find(names, name);
            if (found != names.end())
                places.push_back(static_cast<std::size_t>(found - names.begin()));
        }
        std::vector<std::size_t> sorted = places;
        std::ranges::sort(sorted);
        const bool isEach = sorted.size() == names.size() && wanted.size() == names.size()
            && std::ranges::adjacent_find(sorted) == sorted.end();
        return isEach ? std::optional(std::move(places)) : std::nullopt;
    }

    /// The first of them come in this order, the rest stay.
    template <typename T> static void arrange(std::vector<T>& list, const std::vector<std::size_t>& places)
    {
        std::vector<T> first;
        for (const std::size_t place : places)
            first.push_back(list[place]);
        std::ranges::move(first, list.begin());
    }

    static std::size_t newPlace(const std::vector<std::size_t>& places, std::size_t place)
    {
        return static_cast<std::size_t>(std::ranges::find(places, place) - places.begin());
    }

    void takeOrders()
    {
        for (const FunctionOrder& order : m_orders) {
            const std::size_t f = functionAt(m_plan, m_scopes, order.scope);
            if (f < m_plan.functions.size())
                takeOrder(f, order);
        }
    }

    void takeOrder(std::size_t f, const FunctionOrder& order)
    {
        OutlinedFunction& function = m_plan.edits.functions[f];
        const std::vector<std::string> data(function.inputs.begin(),
            function.inputs.begin() + static_cast<std::ptrdiff_t>(m_plan.functions[f].dataInputs));
        const auto inputs = placesOf(order.inputs.empty() ? data : order.inputs, data);
        const auto outputs = placesOf(order.outputs.empty() ? function.outputs : order.outputs, function.outputs);
        if (!inputs || !outputs) {
            m_plan.refusals.push_back({order.scope,
                "the order that is wanted does not name what its function " + std::string(inputs ? "gives" : "takes")
                    + ", which is made in the order found"});
            return;
        }
        arrange(function.inputs, *inputs);
        arrange(function.outputs, *outputs);
        for (PassedInput& passed : function.passed) {
            passed.output = newPlace(*outputs, passed.output);
            passed.input = newPlace(*inputs, passed.input);
        }
        std::ranges::sort(function.passed, {}, &PassedInput::output);
        for (const std::size_t call : m_callsOf[f]) {
            arrange(m_plan.edits.calls[call].inputs, *inputs);
            arrange(m_plan.edits.calls[call].outputs, *outputs);
        }
        m_plan.functions[f].order = OrderEvidence::User;
    }

    static void describe(Metadata& metadata, const PlannedFunction& planned)
    {
        if (!planned.className.empty())
            metadata.emplace_back("duoscope.class", planned.className);
        metadata.emplace_back("duoscope.order", std::string(orderText(planned.order)));
    }

    void nameClass(OutlinedFunction& function, const PlannedFunction& planned, const std::vector<std::size_t>& calls)
    {
        const std::string& qualified = planned.className;
        if (const auto known = m_names.find(qualified); known != m_names.end()) {
            function.domain = known->second.first;
            function.name = freeName(function.domain, known->second.second);
            return;
        }
        const std::size_t dot = qualified.rfind('.');
        std::string name = qualified.substr(dot == std::string::npos ? 0 : dot + 1);
        function.domain = dot == std::string::npos || dot == 0 ? std::string(kOwnDomain) : qualified.substr(0, dot);
        if (m_model.opsets.contains(function.domain) || function.domain.starts_with("ai.onnx")
            || function.domain.starts_with("duoscope"))
            function.domain = std::string(kOwnDomain) + "." + function.domain;
        if (name.empty())
            name = commonName(calls);
        function.name = freeName(function.domain, name);
    }

    /// "Linear", "Linear_2" of the second one: none that somebody has given.
    std::string freeName(const std::string& domain, const std::string& name)
    {
        const auto isGiven = [&](const std::string& wish) {
            return std::ranges::any_of(m_names,
                [&](const auto& entry) { return entry.second.first == domain && entry.second.second == wish; });
        };
        std::string wish = name;
        for (int number = ++m_classes[{domain, name}]; number > 1; number = ++m_classes[{domain, name}]) {
            wish = name + "_" + std::to_string(number);
            if (!isGiven(wish))
                break;
        }
        return wish;
    }

    /// What all these modules are called; "Module" where they are called differently.
    [[nodiscard]] std::string commonName(const std::vector<std::size_t>& calls) const
    {
        const std::string name = plainName(scopeOf(groupOf(calls.front())).name);
        const bool isCommon = std::ranges::all_of(
            calls, [&](std::size_t call) { return plainName(scopeOf(groupOf(call)).name) == name; });
        return isCommon ? name : kNoModuleName;
    }

    [[nodiscard]] std::vector<NamedCall> namedCalls(const std::vector<std::size_t>& calls) const
    {
        std::vector<NamedCall> named;
        for (const std::size_t call : calls) {
            const std::size_t group = groupOf(call);
            named.push_back({&m_bodies[group], &m_paths[group]});
            if (m_groups.groups[group].parts == 1)
                named.back().recorded = m_recorded.formalsOf(m_groups.groups[group].scope, m_bodies[group]);
        }
        return named;
    }

    void nameParts(OutlinedFunction& function, const OutlinedCall& call, std::size_t group, FreshNames& values)
    {
        const std::string& path = m_paths[group];
        FreshNames nodes;
        for (const BodyPart& part : call.parts) {
            const auto* id = std::get_if<NodeId>(&part);
            std::string wish;
            if (id != nullptr) {
                wish = below(m_model.node(*id).localName, path);
                wish = wish.empty() ? m_model.node(*id).opType : wish;
            } else {
                const std::size_t inner = groupOf(std::get<std::size_t>(part));
                wish = below(m_paths[inner], path);
                wish = wish.empty() ? plainName(scopeOf(inner).name) : wish.substr(0, wish.size() - 1);
            }
            function.partNames.push_back(nodes.fresh(wish));
            const auto& outputs
                = id != nullptr ? m_model.node(*id).outputs : m_plan.edits.calls[std::get<std::size_t>(part)].outputs;
            for (const ValueId output : outputs) {
                if (!output.valid() || std::ranges::find(call.outputs, output) != call.outputs.end())
                    continue;
                wish = below(m_model.value(output).name, path);
                function.valueNames.emplace(
                    output.index, values.fresh(wish.empty() ? function.partNames.back() + "_out" : wish));
            }
        }
        for (PassedInput& passed : function.passed)
            passed.nodeName = nodes.fresh("Identity");
    }

    /// What a call holds is found below its name when it is inlined: its nodes' common path gives them their own back.
    void nameCalls()
    {
        for (std::size_t c = 0; c < m_plan.edits.calls.size(); ++c) {
            OutlinedCall& call = m_plan.edits.calls[c];
            if (call.isNested)
                continue;
            const std::size_t group = groupOf(c);
            const std::string& path = m_paths[group];
            call.name = m_nodeNames.fresh(path.empty() ? scopeOf(group).path : path.substr(0, path.size() - 1));
            call.metadata.emplace_back(kScopeKey, scopeOf(group).path);
            describe(call.metadata, m_plan.functions[call.function]);
        }
    }

    const Model& m_model;
    const Scopes& m_scopes;
    const NodeFlow& m_flow;
    const CallGroups m_groups;
    const std::vector<FunctionOrder>& m_orders;
    const std::map<std::string, std::pair<std::string, std::string>>& m_names; // FunctionsBefore
    const Owners m_owners;
    const RecordedOrders m_recorded;
    std::vector<std::string> m_paths; // [groups] "/layer1/layer1.0/", or ""
    std::vector<std::size_t> m_sizes; // [groups] nodes, those of children too
    UnreadValues m_unread;
    std::vector<CallBody> m_bodies; // [groups]
    std::unordered_map<std::string, std::size_t> m_functions; // by class and form
    std::vector<std::vector<std::size_t>> m_callsOf; // [functions]
    std::map<std::pair<std::string, std::string>, int> m_classes; // functions by domain and name
    FreshNames m_nodeNames;
    std::vector<std::vector<const std::string*>> m_inBodies; // [NodeFlow::nodes] names of values in their bodies
    OutlinePlan m_plan;
};

constexpr auto kOrders
    = enumTexts<OrderEvidence::FirstUse>({"only-one", "recorded", "forward", "class", "user", "first-use"});

} // namespace

std::string_view orderText(OrderEvidence evidence)
{
    return enumText(kOrders, evidence);
}

Result<OutlinePlan> planOutline(
    const Model& model, const Scopes& scopes, const OutlineRequest& request, const FunctionsBefore* before)
{
    const NodeFlow flow(model);
    DUO_TRY(groups, groupCalls(model, scopes, flow, request));
    const FunctionsBefore recorded{
        {}, before == nullptr && scopes.facts ? scopes.facts->signatures : std::vector<CallSignature>()};
    return Planner(model, scopes, flow, std::move(groups), request.orders, before ? *before : recorded).run();
}

std::size_t functionAt(const OutlinePlan& plan, const Scopes& scopes, const std::string& scope)
{
    const ScopeId wanted = scopes.execution.find(scope);
    const std::string& module = wanted.valid() ? scopes.execution.scope(wanted).module : scope;
    std::size_t found = plan.functions.size();
    for (std::size_t c = 0; c < plan.scopes.size(); ++c) {
        if (plan.scopes[c] == scope)
            return plan.edits.calls[c].function;
        const ScopeId called = scopes.execution.find(plan.scopes[c]);
        if (called.valid() && scopes.execution.scope(called).module == module)
            found = plan.edits.calls[c].function;
    }
    return found;
}

std::string signatureText(const OutlinedFunction& function, const PlannedFunction& planned)
{
    std::string text = function.name;
    for (std::size_t a = 0; a < function.open.size(); ++a)
        text += (a == 0 ? "<" : ", ") + function.open[a].formal;
    text += function.open.empty() ? "(" : ">(";
    for (std::size_t i = 0; i < function.inputs.size(); ++i)
        text += (i == 0 ? "" : i == planned.dataInputs ? "; " : ", ") + function.inputs[i];
    text += ") -> (";
    for (std::size_t o = 0; o < function.outputs.size(); ++o)
        text += (o == 0 ? "" : ", ") + function.outputs[o];
    return text + ")";
}

} // namespace duo
