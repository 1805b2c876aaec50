// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/metric_command.h"

#include "core/support/run_command.h"

#include <charconv>
#include <cmath>

namespace duo {
namespace {

constexpr std::string_view kPlace = "{model}";

std::string commandFor(std::string command, const std::filesystem::path& model)
{
    const std::string quoted = shellQuoted(model.string());
    for (std::size_t at = command.find(kPlace); at != std::string::npos; at = command.find(kPlace, at + quoted.size()))
        command.replace(at, kPlace.size(), quoted);
    return command;
}

Result<double> metricFor(const std::string& command, const std::filesystem::path& model, const JobContext& job)
{
    const std::string line = commandFor(command, std::filesystem::absolute(model));
    DUO_TRY(output, runCommand(line, job));
    const auto number = lastNumber(output);
    if (!number)
        return Error{ErrorCode::BadData, "the metric command prints no number", line,
            "let it print the metric as the last number, higher being better"};
    return *number;
}

} // namespace

std::optional<double> lastNumber(std::string_view text)
{
    constexpr std::string_view kBetween = " \t\r\n,;:=()[]%";
    while (!text.empty()) {
        const std::size_t last = text.find_last_not_of(kBetween);
        if (last == std::string_view::npos)
            return std::nullopt;
        const std::size_t before = text.find_last_of(kBetween, last);
        const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
        std::string_view word = text.substr(first, last + 1 - first);
        if (word.starts_with('+'))
            word.remove_prefix(1);
        double number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error == std::errc() && end == word.data() + word.size())
            return number;
        text = text.substr(0, first);
    }
    return std::nullopt;
}

Result<QualityMeasure> metricOf(const std::string& command, const std::filesystem::path& before,
    const std::filesystem::path& after, std::optional<double> known, const JobContext& job)
{
    if (command.find(kPlace) == std::string::npos)
        return Error{ErrorCode::Usage, "the metric command does not name the model", command,
            "write {model} where the path of the model goes"};
    if (!known) {
        DUO_TRY(ofFloat, metricFor(command, before, job));
        if (!std::isfinite(ofFloat))
            return Error{ErrorCode::BadData, "the metric command gives no finite number for the float model", command,
                "the metric of the model as it is has to be known: mend the command, or the data it takes"};
        known = ofFloat;
    }
    std::error_code error;
    const auto size = std::filesystem::file_size(after, error);
    DUO_TRY(ofInt8, metricFor(command, after, job));
    if (std::filesystem::file_size(after, error) != size || error)
        return Error{ErrorCode::BadData, "the metric command changed the model it was to judge", command,
            "let it only read {model}"};
    return QualityMeasure{"metric", *known, ofInt8, true};
}

} // namespace duo
