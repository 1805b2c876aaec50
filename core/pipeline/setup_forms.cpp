// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/setup_forms.h"

#include "core/pipeline/adopt_encodings.h"
#include "core/pipeline/recorded_compression.h"
#include "core/state/nncf_setup.h"

#include <algorithm>
#include <array>

namespace duo {
namespace {

constexpr std::string_view kState = "state";
constexpr std::string_view kNncfSetup = "nncf-setup";
constexpr std::string_view kNncfState = "nncf-state";
constexpr std::array kOfSetups{kState, kNncfSetup, kNncfState};

EncodingsText nncfText(const Model& model, const QuantizerSetup& setup, std::string_view form)
{
    NncfText text = nncfSetupText(model, setup, form == kNncfSetup ? NncfForm::Setup : NncfForm::CompressionState);
    EncodingsText made;
    made.text = std::move(text.text);
    made.losses = std::move(text.lost);
    made.tensors = setup.points.size();
    return made;
}

} // namespace

std::vector<std::string> setupForms()
{
    std::vector<std::string> forms;
    for (std::size_t i = 0; i < kEncodingForms; ++i)
        forms.emplace_back(encodingFormText(static_cast<EncodingForm>(i)));
    forms.insert(forms.end(), kOfSetups.begin(), kOfSetups.end());
    return forms;
}

bool isOfSetups(std::string_view form)
{
    return std::ranges::find(kOfSetups, form) != kOfSetups.end();
}

bool isOfPlaces(std::string_view form)
{
    return form == kNncfSetup || form == kNncfState;
}

Result<EncodingsText> setupText(
    const Snapshot& snapshot, const Compression& compression, std::string_view form, const JobContext& job)
{
    const Model& model = *placedBy(compression, snapshot).model;
    if (isOfPlaces(form))
        return nncfText(model, compression.setup, form);
    if (form == kState) {
        EncodingsText made;
        DUO_TRY(hashes, hashModel(*snapshot.model, job));
        made.text = stateText(model, stateOf(snapshot, compression, std::move(hashes)));
        made.tensors = compression.setup.points.size();
        return made;
    }
    const auto encodings = encodingFormFromText(form);
    if (!encodings)
        return Error{ErrorCode::Unsupported, "quantizers are not written in this form", std::string(form), {}};
    return encodingsText(model, quantizersOf(model, compression), *encodings);
}

Result<EncodingsText> plannedText(const Snapshot& snapshot, std::string_view form)
{
    DUO_CHECK(snapshot.checkPlaced());
    if (!isOfPlaces(form))
        return Error{ErrorCode::Unsupported, "the form has scales, and nothing was measured", std::string(form),
            "quantize the model first"};
    return nncfText(*snapshot.model, snapshot.placement->setup, form);
}

} // namespace duo
