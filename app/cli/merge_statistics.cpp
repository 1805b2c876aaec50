// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/support/file.h"

namespace duo::cli {
namespace {

struct MergeOptions {
    std::shared_ptr<std::vector<std::string>> inputs = std::make_shared<std::vector<std::string>>();
    std::shared_ptr<std::string> output = std::make_shared<std::string>();
};

Result<StatisticsFile> merge(const MergeOptions& options)
{
    std::vector<StatisticsFile> files;
    std::vector<std::filesystem::path> names;
    for (const std::string& input : *options.inputs) {
        if (isSameFile(input, *options.output))
            return Error{ErrorCode::NotWritable, "the target is one of the inputs", input, "choose another name"};
        DUO_TRY(file, readStatistics(input));
        files.push_back(std::move(file));
        names.emplace_back(input);
    }
    DUO_TRY(merged, mergedStatisticsFiles(std::move(files), names));
    DUO_CHECK(writeStatistics(merged, *options.output));
    return merged;
}

} // namespace

void addMergeStatistics(Commands& commands)
{
    CLI::App* command = commands.app.add_subcommand("merge-statistics", "join the statistics of shards, exactly");
    MergeOptions options;
    command->add_option("FILES", *options.inputs, "statistics files of the shards, in any order")->required();
    command->add_flag("--json", commands.common->json, "one JSON document on stdout and nothing else there");
    command->add_flag("--quiet", commands.common->quiet, "no progress and no notes");
    command->add_option("--threads", commands.common->threads, "taken for the sake of scripts; merging needs one")
        ->check(CLI::Range(0, 1024));
    command->add_option("-o,--output", *options.output, "the statistics file to write")->required();
    command->callback([&chosen = commands.chosen, options] {
        chosen = [options](Console& console, const std::stop_token&) {
            console.writes(*options.output);
            const auto merged = merge(options);
            return merged ? reportStatistics(*merged, *options.output, console) : console.fail(merged.error());
        };
    });
}

} // namespace duo::cli
