// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/outcomes_json.h"

#include "core/pipeline/session_json.h"
#include "core/support/enum_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace duo {
namespace {

using Json = nlohmann::ordered_json;

/// "3", "5-9"
std::string spanText(const NodeSpan& span)
{
    std::string text = std::to_string(span.first);
    return span.last == span.first ? text : text + "-" + std::to_string(span.last);
}

void addWord(std::string& text, const std::string& word)
{
    text += text.empty() ? "" : " ";
    text += word;
}

/// Reads "5-9:3,4 11": spans, each with the nodes that are named of it.
class PlacesReader
{
public:
    explicit PlacesReader(std::string_view text)
        : m_left(text)
    {
    }

    [[nodiscard]] bool hasMore() const { return !m_left.empty(); }

    /// @return false where the text is none. @param named stays as it is where none are
    bool read(NodeSpan& span, std::vector<std::uint32_t>& named)
    {
        if (!number(span.first))
            return false;
        span.last = span.first;
        if (take('-') && (!number(span.last) || span.last < span.first))
            return false;
        for (bool isMore = take(':'); isMore; isMore = take(',')) {
            if (!number(named.emplace_back()))
                return false;
        }
        return m_left.empty() || (take(' ') && hasMore());
    }

private:
    bool number(std::uint32_t& into)
    {
        const auto [end, error] = std::from_chars(m_left.data(), m_left.data() + m_left.size(), into);
        m_left.remove_prefix(static_cast<std::size_t>(end - m_left.data()));
        return error == std::errc();
    }
    bool take(char sign)
    {
        if (!m_left.starts_with(sign))
            return false;
        m_left.remove_prefix(1);
        return true;
    }

    std::string_view m_left;
};

constexpr const char* kNoPlaces = "places of nodes are expected";

Status readWhy(KeptFields& fields, NodeOutcomes& outcomes)
{
    OutcomeWords why;
    DUO_CHECK(fields.keys().texts("reason", why.reason));
    DUO_CHECK(fields.keys().texts("counterfactual", why.counterfactual));
    outcomes.why.push_back(std::move(why));
    return success();
}

/// Nodes of one state for one reason.
Status readOthers(KeptFields& fields, NodeOutcomes& outcomes)
{
    NodeOutcome other;
    std::string state;
    std::string places;
    std::int64_t why = -1;
    DUO_CHECK(fields.keys().text("state", state));
    DUO_CHECK(fields.integer("why", why));
    DUO_CHECK(fields.keys().text("nodes", places));
    const auto known = enumFromText(&nodeStateText, NodeState::WeightOnly, state);
    if (!known)
        return fields.wrong("state", "no state of a node");
    if (why < 0 || why >= static_cast<std::int64_t>(outcomes.why.size()))
        return fields.wrong("why", "there is no such reason");
    other.state = *known;
    other.why = static_cast<std::uint32_t>(why);
    for (PlacesReader reader(places); reader.hasMore();) {
        other.named.clear();
        if (!reader.read(other.nodes, other.named))
            return fields.wrong("nodes", kNoPlaces);
        outcomes.others.push_back(other);
    }
    return success();
}

Status readRunning(KeptFields& fields, std::vector<NodesRunning>& all)
{
    NodesRunning running;
    std::string how;
    std::string places;
    DUO_CHECK(fields.keys().text("runs", how));
    DUO_CHECK(fields.keys().text("kernel", running.kernel));
    DUO_CHECK(fields.keys().text("reason", running.reason));
    DUO_CHECK(fields.keys().text("nodes", places));
    const auto known = enumFromText(&runsAsText, RunsAs::Gone, how);
    if (!known)
        return fields.wrong("runs", "no way to run a node");
    running.runs = *known;
    for (PlacesReader reader(places); reader.hasMore();) {
        std::vector<std::uint32_t> named;
        if (!reader.read(running.nodes.emplace_back(), named) || !named.empty())
            return fields.wrong("nodes", kNoPlaces);
    }
    all.push_back(std::move(running));
    return success();
}

Json othersJson(const std::vector<NodeOutcome>& others)
{
    std::map<std::pair<NodeState, std::uint32_t>, std::size_t> known; // index of `json`
    std::vector<std::string> places;
    Json json = Json::array();
    for (const NodeOutcome& other : others) {
        const auto [at, isNew] = known.emplace(std::pair(other.state, other.why), json.size());
        if (isNew) {
            json.push_back({{"state", nodeStateText(other.state)}, {"why", other.why}});
            places.emplace_back();
        }
        std::string place = spanText(other.nodes);
        for (std::size_t i = 0; i < other.named.size(); ++i)
            place += (i == 0 ? ":" : ",") + std::to_string(other.named[i]);
        addWord(places[at->second], place);
    }
    for (std::size_t i = 0; i < places.size(); ++i)
        json[i]["nodes"] = std::move(places[i]);
    return json;
}

Json runningJson(const std::vector<NodesRunning>& all)
{
    Json json = Json::array();
    for (const NodesRunning& running : all) {
        std::string places;
        for (const NodeSpan& span : running.nodes)
            addWord(places, spanText(span));
        json.push_back({{"runs", runsAsText(running.runs)}, {"kernel", running.kernel}, {"reason", running.reason},
            {"nodes", std::move(places)}});
    }
    return json;
}

} // namespace

Json nodeOutcomesJson(const NodeOutcomes& outcomes)
{
    Json json{{"plan", outcomes.plan}, {"why", Json::array()}, {"others", othersJson(outcomes.others)}};
    for (const OutcomeWords& why : outcomes.why)
        json["why"].push_back({{"reason", why.reason}, {"counterfactual", why.counterfactual}});
    if (!outcomes.running.empty())
        json["runs"] = runningJson(outcomes.running);
    return json;
}

Status readNodeOutcomes(JsonKeys& above, const char* key, std::shared_ptr<const NodeOutcomes>& outcomes)
{
    if (above.find(key) == nullptr)
        return success();
    DUO_TRY(fields, KeptFields::of(above, key));
    auto read = std::make_shared<NodeOutcomes>();
    JsonKeys& keys = fields.keys();
    DUO_CHECK(keys.text("plan", read->plan));
    DUO_CHECK(eachOf(keys, "why", [&](KeptFields& each) { return readWhy(each, *read); }));
    DUO_CHECK(eachOf(keys, "others", [&](KeptFields& each) { return readOthers(each, *read); }));
    DUO_CHECK(eachOf(keys, "runs", [&](KeptFields& each) { return readRunning(each, read->running); }));
    std::ranges::stable_sort(read->others, {}, [](const NodeOutcome& other) { return other.nodes.first; });
    outcomes = std::move(read);
    return success();
}

} // namespace duo
