// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/samples/test_data_dataset.h"

#include "core/calibrate/samples/model_input.h"
#include "core/onnx/tensor_file.h"
#include "core/support/file.h"

#include <algorithm>

namespace duo {
namespace {

class TestDataDataset final : public Dataset
{
public:
    TestDataDataset(
        std::vector<std::filesystem::path> folders, std::vector<ModelInput> inputs, std::vector<std::string> optional)
        : m_folders(std::move(folders))
        , m_inputs(std::move(inputs))
        , m_optional(std::move(optional))
    {
    }

    [[nodiscard]] std::int64_t size() const override { return static_cast<std::int64_t>(m_folders.size()); }
    [[nodiscard]] const std::vector<Note>& notes() const override { return m_notes; }

    [[nodiscard]] Result<std::vector<HostTensor>> sample(std::int64_t index) const override
    {
        std::vector<HostTensor> feeds(m_inputs.size());
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            const auto path = m_folders.at(static_cast<std::size_t>(index)) / ("input_" + std::to_string(i) + ".pb");
            std::error_code ignored;
            if (!m_optional.empty() && !std::filesystem::exists(path, ignored))
                break;
            DUO_TRY(tensor, readTensorFile(path));
            const std::size_t at = placeOf(tensor.name).value_or(i);
            DUO_CHECK(checkFits(tensor, m_inputs[at], path));
            feeds[at] = {m_inputs[at].name, tensor.type, tensor.dims, {tensor.bytes().begin(), tensor.bytes().end()}};
            DUO_CHECK(checkMappedFiles());
        }
        return complete(std::move(feeds), index);
    }

    [[nodiscard]] Result<HostTensor> array(const std::string& name) const override
    {
        return Error{ErrorCode::BadData, "there is no array '" + name + "'", m_folders[0].string(),
            "ONNX test data hold inputs only; give data as .npz"};
    }

private:
    [[nodiscard]] std::optional<std::size_t> placeOf(const std::string& name) const
    {
        const auto found = std::ranges::find(m_inputs, name, &ModelInput::name);
        if (found == m_inputs.end())
            return std::nullopt;
        return static_cast<std::size_t>(found - m_inputs.begin());
    }

    static Status checkFits(const Tensor& tensor, const ModelInput& input, const std::filesystem::path& path)
    {
        const bool fitting = tensor.type == input.type
            && (!input.shape || (input.shape->size() == tensor.dims.size() && fits(*input.shape, tensor.dims)));
        if (fitting)
            return success();
        return Error{ErrorCode::BadData, "tensor does not fit input '" + input.name + "'", path.string(),
            "it is " + std::string(elementTypeName(tensor.type)) + " " + shapeText(tensor.dims) + ", the input "
                + std::string(elementTypeName(input.type)) + " " + shapeText(input.shape)};
    }

    /// Two files may carry one input's name; then another input has no tensor.
    [[nodiscard]] Result<std::vector<HostTensor>> complete(std::vector<HostTensor> feeds, std::int64_t index) const
    {
        for (std::size_t i = 0; i < feeds.size(); ++i) {
            const bool isNeeded = std::ranges::find(m_optional, m_inputs[i].name) == m_optional.end();
            if (feeds[i].name.empty() && isNeeded)
                return Error{ErrorCode::BadData, "no tensor feeds input '" + m_inputs[i].name + "'",
                    m_folders.at(static_cast<std::size_t>(index)).string(),
                    "there is one file per input, each with a name of its own or none"};
        }
        std::erase_if(feeds, [](const HostTensor& feed) { return feed.name.empty(); });
        return feeds;
    }

    std::vector<std::filesystem::path> m_folders;
    std::vector<ModelInput> m_inputs;
    std::vector<std::string> m_optional; // inputs that need no file
    std::vector<Note> m_notes;
};

} // namespace

Result<std::shared_ptr<const Dataset>> testDataDataset(
    std::vector<std::filesystem::path> folders, const Model& model, std::vector<std::string> optional)
{
    auto dataset = std::make_shared<TestDataDataset>(std::move(folders), modelInputs(model), std::move(optional));
    DUO_TRY(first, dataset->sample(0)); // what is wrong with the format is said at once
    return std::shared_ptr<const Dataset>(std::move(dataset));
}

} // namespace duo
