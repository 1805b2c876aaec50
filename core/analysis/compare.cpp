// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/compare.h"

#include "core/analysis/found_accuracy.h"
#include "core/analysis/inner_values.h"
#include "core/analysis/verdict.h"
#include "core/calibrate/samples/dataset_part.h"
#include "core/engine/open_model.h"
#include "core/support/file.h"
#include "core/support/phrases.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace duo {
namespace {

/// Of inner values: they cost as much as all outputs, and tell where an error is, not how large it comes out.
constexpr std::int64_t kValueSamples = 32;

/// All of them, or so many, from the first on at equal distances.
DatasetPart evenly(const Dataset& dataset, std::int64_t most)
{
    const std::int64_t count = std::min(most, dataset.size());
    std::vector<std::int64_t> indices;
    for (std::int64_t i = 0; i < count; ++i)
        indices.push_back(i * dataset.size() / count);
    return {dataset, std::move(indices)};
}

std::string decibels(double number)
{
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::general, 6).ptr;
    return std::string(text.data(), end) + " dB";
}

ValueDifference differenceOf(const std::string& name, const PairError& pair)
{
    const SignalError& error = pair.error;
    ValueDifference difference{
        name, error.sqnrDb(), error.cosine(), error.finiteMaxAbs(), error.identical, error.nonFinite};
    if (pair.equal && pair.equal->all > 0) {
        difference.sqnrDb.reset();
        difference.cosine.reset();
        difference.equal = static_cast<double>(pair.equal->agreeing) / static_cast<double>(pair.equal->all);
    }
    return difference;
}

bool isNumeric(const Session& session, const std::string& output)
{
    const auto port = std::ranges::find(session.outputs(), output, &PortInfo::name);
    return port != session.outputs().end() && port->isNumeric();
}

class Comparer
{
public:
    Comparer(
        const Model& a, const Model& b, const Dataset& dataset, const CompareOptions& options, const JobContext& job)
        : m_a(a)
        , m_b(b)
        , m_dataset(dataset)
        , m_options(options)
        , m_job(job)
    {
    }

    Result<Comparison> compare()
    {
        m_result.bytesA = m_a.fileBytes;
        m_result.bytesB = m_b.fileBytes;
        m_result.samples = m_dataset.size();
        m_result.notes = m_dataset.notes();
        PortMatch ports = matchPorts(m_a, m_b);
        m_result.findings = std::move(ports.findings);
        m_result.notes.insert(m_result.notes.end(), ports.notes.begin(), ports.notes.end());
        if (!ports.inputsCorrespond)
            return std::move(m_result);
        if (m_dataset.size() < 1)
            return Error{
                ErrorCode::BadData, "there are no samples to compare on", {}, "give data with at least one sample"};
        DUO_CHECK(compareAsTheyAre(ports.outputs));
        DUO_CHECK(compareInnerValues());
        return std::move(m_result);
    }

private:
    Status compareAsTheyAre(const std::vector<NamePair>& outputs)
    {
        DUO_TRY(a, openModel(m_a, {}, m_job));
        DUO_TRY(b, openModel(m_b, {}, m_job));
        const SessionPair sessions{a, b};
        DUO_CHECK(compareOutputs(sessions, numericOf(sessions, outputs)));
        DUO_TRY(feeds, m_dataset.sample(0));
        DUO_TRY(latency, measureLatency(sessions, feeds, {}, m_job));
        m_result.latency = latency;
        return success();
    }

    /// Those that are tensors of numbers in both; of the others a note.
    std::vector<NamePair> numericOf(const SessionPair& sessions, const std::vector<NamePair>& outputs)
    {
        std::vector<NamePair> numeric;
        for (const NamePair& pair : outputs) {
            if (isNumeric(sessions.a, pair.a) && isNumeric(sessions.b, pair.b))
                numeric.push_back(pair);
            else
                m_result.notes.push_back({"output-not-compared",
                    "output '" + pair.a + "' is not compared: it is no tensor of numbers", pair.a});
        }
        return numeric;
    }

    Status compareOutputs(const SessionPair& sessions, const std::vector<NamePair>& outputs)
    {
        std::optional<Top1Count> top1;
        if (!m_options.labels.empty()) {
            DUO_TRY(labels, m_dataset.array(m_options.labels));
            DUO_TRY(count, Top1Count::start(labels, m_dataset.size()));
            top1 = std::move(count);
        }
        std::optional<FoundAccuracy> accuracy;
        if (!top1 && m_options.found.labels)
            accuracy.emplace(*m_options.found.labels, m_dataset, m_dataset.size());
        const auto first = std::ranges::find_if(sessions.a.outputs(), &PortInfo::isNumeric);
        const bool hasFirst = !outputs.empty() && outputs.front().a == first->name;
        const auto visit
            = [&](std::int64_t sample, std::size_t index, const TensorView& a, const TensorView& b) -> Status {
            if (index == 0 && hasFirst && accuracy)
                accuracy->add(sample, a, b);
            return top1 && hasFirst && index == 0 ? top1->add(sample, a, b) : success();
        };
        StepCounter counter("compare outputs", m_dataset.size(), m_job);
        DUO_TRY(errors, measurePairs(sessions, outputs, m_dataset, m_options.threads, visit, m_job, counter));
        for (std::size_t i = 0; i < outputs.size(); ++i)
            addOutput(outputs[i].a, errors[i]);
        if (top1 && hasFirst)
            DUO_CHECK(addTop1(*top1));
        if (accuracy && hasFirst)
            addFound(accuracy->finish());
        else if (const auto several = severalLabelsNote(m_options.found))
            m_result.notes.push_back(*several);
        return success();
    }

    void addFound(FoundAccuracy::Answer answer)
    {
        m_result.top1 = answer.top1;
        m_result.notes.push_back(std::move(answer.note));
    }

    void addOutput(const std::string& name, const PairError& pair)
    {
        if (!pair.sameShape) {
            const std::string finding = shapesDiffer("output", name);
            if (std::ranges::find(m_result.findings, finding) == m_result.findings.end()) // the files may have told
                m_result.findings.push_back(finding);
            return;
        }
        const ValueDifference difference = differenceOf(name, pair);
        m_result.outputs.push_back(difference);
        if (difference.nonFinite > 0)
            m_result.findings.push_back(nonFiniteText("output", difference));
        if (!m_options.minSqnrDb || difference.identical)
            return;
        if (difference.equal) {
            if (!agreeEnough(pair.equal->agreeing, pair.equal->all))
                m_result.findings.push_back("output '" + name + "' is equal in " + std::to_string(pair.equal->agreeing)
                    + " of " + std::to_string(pair.equal->all) + " elements, "
                    + std::to_string(std::lround(100 * verdictBounds().agreement)) + " % are wanted");
            return;
        }
        if (!difference.sqnrDb)
            m_result.findings.push_back(
                "output '" + name + "' has no finite SQNR, " + decibels(*m_options.minSqnrDb) + " are wanted");
        else if (*difference.sqnrDb < *m_options.minSqnrDb)
            m_result.findings.push_back("output '" + name + "' is at " + decibels(*difference.sqnrDb) + ", "
                + decibels(*m_options.minSqnrDb) + " are wanted");
    }

    Status addTop1(const Top1Count& count)
    {
        DUO_TRY(top1, count.finish());
        m_result.top1 = top1;
        if (top1.isChance)
            m_result.notes.push_back({"labels-by-chance",
                "A is right no more often than by chance: labels or the preprocessing of the data probably do not fit",
                m_options.labels});
        if (top1.unused > 0)
            m_result.notes.push_back({"unused-labels",
                std::to_string(top1.unused) + " labels at the end belong to no sample", m_options.labels});
        return success();
    }

    /// A model whose values cannot be fetched is still compared by its outputs.
    Status compareInnerValues()
    {
        const Status measured = measureAllInnerValues();
        if (measured || m_job.stopped())
            return measured;
        const ErrorCode code = measured.error().code;
        if (!isOfEngine(code) && code != ErrorCode::Unsupported)
            return measured;
        m_result.values.clear();
        m_result.notes.push_back(
            {"values-not-compared", "inner values cannot be compared: " + measured.error().line(), {}});
        return success();
    }

    Status measureAllInnerValues()
    {
        const DatasetPart part = evenly(m_dataset, kValueSamples);
        DUO_TRY(values, measureInnerValues(m_a, m_b, part, kBytesWaiting, m_options.threads, m_job));
        if (part.size() < m_dataset.size())
            m_result.notes.push_back({"values-of-few-samples",
                "inner values are compared on " + std::to_string(part.size()) + " of "
                    + counted(static_cast<std::size_t>(m_dataset.size()), "sample", "samples") + ", evenly spread",
                {}, Severity::Remark});
        for (const InnerValue& value : values)
            addValue(value.name, value.error);
        return success();
    }

    void addValue(const std::string& name, const PairError& pair)
    {
        if (!pair.sameShape) {
            m_result.notes.push_back({"shape-differs", shapesDiffer("value", name), name});
            return;
        }
        const ValueDifference difference = differenceOf(name, pair);
        m_result.values.push_back(difference);
        if (pair.error.nonFiniteApart > 0)
            m_result.findings.push_back(nonFiniteText("value", difference));
        else if (difference.nonFinite > 0)
            m_result.notes.push_back({"non-finite", nonFiniteText("value", difference) + ", alike in A and B", name});
    }

    static std::string shapesDiffer(const std::string& what, const std::string& name)
    {
        return what + " '" + name + "' has different shapes in A and B";
    }

    static std::string nonFiniteText(const std::string& what, const ValueDifference& difference)
    {
        return what + " '" + difference.name + "' has " + std::to_string(difference.nonFinite)
            + " elements that are not finite";
    }

    const Model& m_a;
    const Model& m_b;
    const Dataset& m_dataset;
    const CompareOptions& m_options;
    const JobContext& m_job;
    Comparison m_result;
};

} // namespace

Result<Comparison> compareModels(
    const Model& a, const Model& b, const Dataset& dataset, const CompareOptions& options, const JobContext& job)
{
    return ifFilesWhole(Comparer(a, b, dataset, options, job).compare());
}

} // namespace duo
