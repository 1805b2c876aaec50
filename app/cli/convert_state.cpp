// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "core/interchange/encodings.h"
#include "core/onnx/writer.h"
#include "core/pipeline/snapshot/read_model_file.h"
#include "core/report/dequantize_report.h"
#include "core/support/text_file.h"

namespace duo::cli {
namespace {

struct ConvertCall {
    std::shared_ptr<CommonOptions> common;
    std::shared_ptr<std::string> to = std::make_shared<std::string>();
    std::shared_ptr<std::string> output = std::make_shared<std::string>();
};

Result<int> convert(const ConvertCall& call, Console& console, const JobContext& job)
{
    console.mayBeLeft(*call.output);
    DUO_TRY(model, readModelFile(call.common->model, call.common->readOptions(), job));
    if (!call.output->empty())
        DUO_CHECK(refuseOverInput(*model, *call.output));
    const FoundQuantizers found = findQuantizers(*model);
    if (found.quantizers.empty() && found.notRecovered.empty())
        return Error{ErrorCode::Unsupported, "the model has no quantizers", call.common->model,
            "quantize it first, or name the quantized file"};
    const EncodingForm form = *encodingFormFromText(*call.to);
    const EncodingsText converted = encodingsText(*model, found, form);
    if (!call.output->empty())
        DUO_CHECK(writeTextFile(*call.output, converted.text));
    console.endProgress();
    console.result(encodingsJson(form, converted, *call.output),
        call.output->empty() ? converted.text : encodingsSummary(form, converted));
    for (const std::string& loss : converted.losses)
        console.warn(std::string(encodingFormText(form)) + " does not say: " + loss);
    return kDone;
}

} // namespace

void addConvertState(Commands& commands)
{
    CLI::App* command = addCommand(commands, "convert-state",
        "write the quantizers of a quantized model, whoever made it, in the form of another tool");
    ConvertCall call{commands.common};
    command->add_option("--to", *call.to, "form to write")
        ->required()
        ->check(CLI::IsMember(textsOf(kEncodingForms, encodingFormText)));
    command->add_option("-o,--output", *call.output, "the file to write (default: the text goes to stdout)");
    command->callback([&chosen = commands.chosen, call] {
        chosen = [call](Console& console, const std::stop_token& stop) {
            const auto code = convert(call, console, console.job(stop));
            return code ? *code : console.fail(code.error());
        };
    });
}

} // namespace duo::cli
