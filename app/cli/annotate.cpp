// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/marks/mark_metadata.h"
#include "core/marks/mark_rules.h"
#include "core/marks/mark_snippet.h"
#include "core/pipeline/write_marked.h"
#include "core/quantize/recipe/starting_recipe.h"
#include "core/report/annotate_report.h"
#include "core/support/text_file.h"

namespace duo::cli {
namespace {

constexpr std::size_t kMostSnippetBytes = std::size_t{16} << 20U;

struct AnnotateCall {
    std::shared_ptr<CommonOptions> common;
    std::string recipe;
    std::optional<std::string> root;
    std::vector<std::string> ignored;
    bool expandIgnored = false;
    std::vector<std::string> settings;
    std::string from;
    bool fromRules = false;
    std::string asRules; // "": none
    std::string snippet; // "": none
    std::string output;
};

Status addNamedMark(const AnnotateCall& call, std::vector<Mark>& marks)
{
    const bool isAbout = call.expandIgnored || !call.ignored.empty() || !call.settings.empty();
    if (!call.root && isAbout)
        return Error{ErrorCode::Usage, "nothing says what to mark", "--root", "name a module, or \"\" for the model"};
    if (!call.root)
        return success();
    Mark mark;
    mark.root = *call.root;
    mark.ignored = call.ignored;
    mark.expandIgnored = call.expandIgnored;
    for (const std::string& text : call.settings) {
        DUO_TRY(setting, markSettingFromText(text));
        setInPlace(mark.settings, std::move(setting));
    }
    marks.push_back(std::move(mark));
    return success();
}

Status addSnippetMarks(const AnnotateCall& call, std::vector<Mark>& marks)
{
    if (call.from.empty())
        return success();
    DUO_TRY(text, readTextFile(call.from, kMostSnippetBytes));
    auto read = marksFromPython(text);
    if (const auto* problem = std::get_if<TextProblem>(&read))
        return problem->error(ErrorCode::InvalidRule, call.from);
    for (Mark& mark : std::get<std::vector<Mark>>(read))
        marks.push_back(std::move(mark));
    return success();
}

/// What the recipe's rules ignore, as a mark.
Status addRuleMark(const Snapshot& snapshot, const ModuleTree& tree, std::vector<Mark>& marks)
{
    const RuleHits hits = matchRules(*snapshot.model, *snapshot.scopes, snapshot.recipe.rules);
    auto mark = markCatching(tree, ignoredNodes(hits));
    if (!mark)
        return Error{ErrorCode::InvalidRule, "the rules ignore no module as a whole", "--from-rules",
            "name a module with --root"};
    marks.push_back(*std::move(mark));
    return success();
}

Status addMarks(const AnnotateCall& call, Snapshot& snapshot, const ModuleTree& tree)
{
    auto& marks = snapshot.recipe.marks;
    DUO_CHECK(addNamedMark(call, marks));
    DUO_CHECK(addSnippetMarks(call, marks));
    if (call.fromRules)
        DUO_CHECK(addRuleMark(snapshot, tree, marks));
    if (marks.empty())
        marks = marksOf(*snapshot.model);
    if (marks.empty())
        return Error{ErrorCode::Usage, "nothing says what to mark", "--root", "name a module, or \"\" for the model"};
    return success();
}

Result<std::vector<std::filesystem::path>> written(
    const AnnotateCall& call, const Snapshot& snapshot, const AnnotateReport& report, const JobContext& job)
{
    using Files = std::vector<std::filesystem::path>;
    const std::filesystem::path target = call.output;
    if (target.empty())
        return Files{};
    if (target.extension() != ".json" && target.extension() != ".py") {
        DUO_TRY(files, writeMarked(snapshot, report.tree, report.marks, report.marked, target, job));
        return std::move(files.files);
    }
    DUO_CHECK(refuseOverInput(*snapshot.model, target));
    const std::string text = target.extension() == ".py" ? report.snippet->text : recipeText(snapshot.recipe);
    DUO_CHECK(writeTextFile(target, text));
    return Files{target};
}

bool warnOfProblems(const std::vector<Mark>& marks, const Marked& marked, const Console& console)
{
    bool hasProblem = false;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const std::string text = markProblemText(marks[i], marked.marks[i]);
        if (!text.empty())
            console.warn(text);
        hasProblem = hasProblem || !text.empty();
    }
    return hasProblem;
}

Result<Snapshot> opened(const AnnotateCall& call, const JobContext& job)
{
    Recipe recipe = startingRecipe();
    if (!call.recipe.empty()) {
        DUO_TRY(read, readRecipe(call.recipe));
        recipe = std::move(read);
    }
    DUO_TRY(snapshot, openScopes(call.common->model, call.common->openOptions(), job));
    snapshot.recipe = std::move(recipe);
    return snapshot;
}

int run(const AnnotateCall& call, Console& console, const std::stop_token& stop)
{
    const JobContext job = console.job(stop);
    console.writes(call.output);
    auto snapshot = opened(call, job);
    if (!snapshot)
        return console.fail(snapshot.error());
    const ModuleTree tree = moduleTree(*snapshot->model, *snapshot->scopes, snapshot->sources());
    if (const Status added = addMarks(call, *snapshot, tree); !added)
        return console.fail(added.error());
    const std::vector<Mark>& marks = snapshot->recipe.marks;
    const Marked marked = annotate(tree, marks);
    AnnotateReport report{*snapshot->model, tree, marks, marked};
    if (const auto action = ruleActionFromText(call.asRules)) {
        report.rules = rulesCatching(*snapshot->model, *snapshot->scopes, marked.nodes, *action);
        auto& rules = snapshot->recipe.rules.rules;
        rules.insert(rules.end(), report.rules.begin(), report.rules.end());
    }
    const bool isPython = std::filesystem::path(call.output).extension() == ".py";
    if (const auto form = markFormFromText(call.snippet.empty() && isPython ? "ignored-modules" : call.snippet))
        report.snippet = markSnippet(tree, marks, marked, *form);
    const bool hasProblem = warnOfProblems(marks, marked, console);
    if (!hasProblem) {
        auto files = written(call, *snapshot, report, job);
        if (!files)
            return console.fail(files.error());
        report.files = *std::move(files);
    }
    console.endProgress();
    console.result(annotateJson(report), annotateText(report));
    if (report.snippet) {
        for (const std::string& loss : report.snippet->losses)
            console.warn(loss);
    }
    if (hasProblem && !call.output.empty())
        return console.refuse("nothing was written", "correct the marks");
    return hasProblem ? kFindings : kDone;
}

} // namespace

void addAnnotate(Commands& commands)
{
    CLI::App* command = addCommand(commands, "annotate",
        "mark the modules of a tree, as PyTorch's FSDP does: each object once, by whatever paths it is reached");
    const auto call = std::make_shared<AnnotateCall>();
    call->common = commands.common;
    addCheckpointOption(command, commands.common);
    command->add_option("--recipe", call->recipe, "recipe whose marks come first, and whose rules are meant");
    command->add_option("--root", call->root, "module to begin with: it and all below is marked; \"\": the model");
    command->add_option("--ignored", call->ignored, "modules that are not marked; what lies below them is");
    command->add_flag("--expand-ignored", call->expandIgnored, "what lies below ignored modules is not marked either");
    command->add_option("--set", call->settings, "KEY=VALUE to keep with each module that is marked");
    command->add_option("--from", call->from, "Python with ignored_modules=[...] to read marks from");
    command->add_flag("--from-rules", call->fromRules, "mark the modules that the recipe's rules ignore");
    command->add_option("--as-rules", call->asRules, "add rules to the recipe that ignore or target what is marked")
        ->check(CLI::IsMember({"ignore", "target"}));
    command->add_option("--snippet", call->snippet, "print the marks as Python")
        ->check(CLI::IsMember({"ignored-modules", "annotate", "fsdp", "fully-shard"}));
    command->add_option(
        "-o,--output", call->output, "what to write: a recipe (.json), Python (.py), else the model with its marks");
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) { return run(*call, console, stop); };
    });
}

} // namespace duo::cli
