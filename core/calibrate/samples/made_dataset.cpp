// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/made_dataset.h"

#include "core/engine/open_model.h"

#include <algorithm>
#include <deque>
#include <mutex>

namespace duo {
namespace {

using Feeds = std::vector<HostTensor>;

constexpr std::int64_t kMostStateBytes = std::int64_t{1} << 31;

HostTensor* findFeed(Feeds& feeds, const std::string& name)
{
    const auto found = std::ranges::find(feeds, name, &HostTensor::name);
    return found == feeds.end() ? nullptr : &*found;
}

class MadeDataset final : public Dataset
{
public:
    MadeDataset(std::shared_ptr<const Dataset> given, MadePart made)
        : m_given(std::move(given))
        , m_made(std::move(made))
        , m_notes(m_made.notes)
    {
        if (m_given)
            m_notes.insert(m_notes.end(), m_given->notes().begin(), m_given->notes().end());
    }

    Status feedBack(const Model& model, const std::vector<std::pair<std::string, std::string>>& pairs)
    {
        for (const auto& [output, input] : pairs) {
            DUO_CHECK(checkPair(model, output, input));
            m_outputs.push_back(output);
            m_fedBack.push_back(input);
        }
        DUO_TRY(session, openModel(model, m_outputs));
        m_session = std::make_unique<const Session>(std::move(session));
        m_states.emplace_back();
        return success();
    }

    [[nodiscard]] std::int64_t size() const override { return m_given ? m_given->size() : m_made.samples; }
    [[nodiscard]] const std::vector<Note>& notes() const override { return m_notes; }
    [[nodiscard]] std::string sizeAdvice() const override { return m_made.otherSizes; }

    [[nodiscard]] Result<Feeds> sample(std::int64_t index) const override
    {
        Feeds states;
        if (m_session)
            DUO_CHECK(statesAt(index, states));
        return assembled(index, states);
    }

    [[nodiscard]] Result<HostTensor> array(const std::string& name) const override
    {
        if (m_given)
            return m_given->array(name);
        return Error{ErrorCode::BadData, "there is no array '" + name + "'", "random data", "give real data"};
    }

private:
    Status checkPair(const Model& model, const std::string& output, const std::string& input) const
    {
        std::vector<std::string> outputs;
        for (const ValueId id : model.mainGraph().outputs)
            outputs.push_back(model.value(id).name);
        const auto made = std::ranges::find(m_made.inputs, input, &MadeInput::name);
        const std::string where = "--feed " + output + "=" + input;
        if (std::ranges::find(outputs, output) == outputs.end())
            return Error{ErrorCode::Usage, "no output of the model is named '" + output + "'", where,
                "it has " + listText(outputs)};
        if (made == m_made.inputs.end()) {
            std::vector<std::string> inputs;
            std::ranges::transform(m_made.inputs, std::back_inserter(inputs), &MadeInput::name);
            return Error{ErrorCode::Usage, "no input of the model is named '" + input + "'", where,
                "it has " + listText(inputs)};
        }
        const ElementType type = model.value(model.findValue(output)).type.element;
        if (type != ElementType::Undefined && type != made->type)
            return Error{ErrorCode::Usage, "the output does not fit the input", where,
                "it is " + std::string(elementTypeName(type)) + ", the input "
                    + std::string(elementTypeName(made->type))};
        if (std::ranges::find(m_fedBack, input) != m_fedBack.end())
            return Error{ErrorCode::Usage, "the input is fed twice", where, "name each input once"};
        return success();
    }

    /// What is given, over it the states, and the rest made to their sizes.
    [[nodiscard]] Result<Feeds> assembled(std::int64_t index, const Feeds& states) const
    {
        Feeds feeds;
        if (m_given) {
            DUO_TRY(given, m_given->sample(index));
            feeds = std::move(given);
        }
        for (const HostTensor& state : states) {
            if (HostTensor* fed = findFeed(feeds, state.name))
                *fed = state;
            else
                feeds.push_back(state);
        }
        const Sizes sizes = sizesFed(feeds);
        Feeds all;
        for (std::size_t i = 0; i < m_made.inputs.size(); ++i) {
            const MadeInput& input = m_made.inputs[i];
            if (HostTensor* fed = findFeed(feeds, input.name))
                all.push_back(std::move(*fed));
            else
                all.push_back(input.tensor(sizes, {m_made.seed, static_cast<std::uint64_t>(index), i}));
        }
        return all;
    }

    [[nodiscard]] Sizes sizesFed(const Feeds& feeds) const
    {
        Sizes sizes = m_made.sizes;
        for (const HostTensor& feed : feeds) {
            const auto input = std::ranges::find(m_made.inputs, feed.name, &MadeInput::name);
            for (std::size_t axis = 0; input != m_made.inputs.end() && axis < input->dims.size(); ++axis) {
                const SizeSum& dim = input->dims[axis];
                if (dim.names.size() == 1 && axis < feed.dims.size())
                    sizes[dim.names.front()] = feed.dims[axis] - dim.fixed;
            }
        }
        return sizes;
    }

    /// Every state is computed once, one sample after the other, and one further than asked for: where the engine takes
    /// a state no more (a cache as long as the context), the sequence starts anew with that sample.
    Status statesAt(std::int64_t index, Feeds& states) const
    {
        const std::lock_guard lock(m_mutex);
        while (static_cast<std::int64_t>(m_states.size()) <= index + 1) {
            const auto at = static_cast<std::int64_t>(m_states.size()) - 1;
            auto next = after(at);
            if (!next && !m_states.back().empty()) {
                m_states.back().clear();
                next = after(at);
            }
            if (!next)
                return next.error();
            for (const HostTensor& state : *next)
                m_stateBytes += static_cast<std::int64_t>(state.bytes.size());
            if (m_stateBytes > kMostStateBytes)
                return Error{ErrorCode::BadData, "the states fed back are larger than 2 GiB in all",
                    "sample " + std::to_string(at), "use fewer samples"};
            m_states.push_back(*std::move(next));
        }
        states = m_states[static_cast<std::size_t>(index)];
        return success();
    }

    [[nodiscard]] Result<Feeds> after(std::int64_t index) const
    {
        DUO_TRY(feeds, assembled(index, m_states.back()));
        DUO_TRY(results, m_session->run(feeds, m_outputs));
        for (std::size_t i = 0; i < results.size(); ++i)
            results[i].name = m_fedBack[i];
        return results;
    }

    std::shared_ptr<const Dataset> m_given; // null: everything is made
    MadePart m_made;
    std::vector<Note> m_notes;
    std::vector<std::string> m_outputs; // fed back
    std::vector<std::string> m_fedBack; // the inputs they go to
    std::unique_ptr<const Session> m_session; // null: nothing is fed back
    mutable std::mutex m_mutex;
    mutable std::deque<Feeds> m_states; // before each sample, as far as computed: a function of the sample's number
    mutable std::int64_t m_stateBytes = 0;
};

} // namespace

Result<std::shared_ptr<const Dataset>> madeDataset(std::shared_ptr<const Dataset> given, MadePart made,
    const Model& model, const std::vector<std::pair<std::string, std::string>>& feedBack)
{
    auto dataset = std::make_shared<MadeDataset>(std::move(given), std::move(made));
    if (!feedBack.empty())
        DUO_CHECK(dataset->feedBack(model, feedBack));
    return std::shared_ptr<const Dataset>(std::move(dataset));
}

} // namespace duo
