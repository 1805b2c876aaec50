// SPDX-License-Identifier: Apache-2.0
#include "core/engine/engine_protocol.h"

namespace duo {
namespace {

void writePath(WireWriter& writer, const std::optional<std::filesystem::path>& path)
{
    writer.number(path.has_value()).text(path ? path->native() : "");
}

std::optional<std::filesystem::path> readPath(WireReader& reader)
{
    const bool isGiven = reader.number<bool>();
    std::string text = reader.text();
    return isGiven ? std::optional(std::filesystem::path(std::move(text))) : std::nullopt;
}

} // namespace

void writePlace(WireWriter& writer, const SharedTensor& place)
{
    writer.number(place.type).dims(place.dims).number(place.offset).number(place.size);
}

SharedTensor readPlace(WireReader& reader)
{
    SharedTensor place;
    place.type = reader.number<ElementType>();
    place.dims = reader.dims();
    place.offset = reader.number<std::uint64_t>();
    place.size = reader.number<std::uint64_t>();
    return place;
}

void writeRequest(WireWriter& writer, const OpenRequest& request)
{
    const SessionOptions& options = request.options;
    writer.text(request.folder).text(request.path).number(request.offset).number(request.size);
    writer.number(options.threads).number(options.optimization).number(options.taps).number(options.swaps);
    writer.text(options.tapMeasures).number(options.keepsFloatBiases);
    writePath(writer, options.optimizedModel);
    writePath(writer, options.profile);
    writer.list(options.customOps, [&](const std::filesystem::path& library) { writer.text(library.native()); });
}

OpenRequest readOpenRequest(WireReader& reader)
{
    OpenRequest request;
    request.folder = reader.text();
    request.path = reader.text();
    request.offset = reader.number<std::uint64_t>();
    request.size = reader.number<std::uint64_t>();
    request.options.threads = reader.number<int>();
    request.options.optimization = reader.number<Optimization>();
    request.options.taps = reader.number<bool>();
    request.options.swaps = reader.number<bool>();
    request.options.tapMeasures = reader.text();
    request.options.keepsFloatBiases = reader.number<bool>();
    request.options.optimizedModel = readPath(reader);
    request.options.profile = readPath(reader);
    reader.list([&] { request.options.customOps.emplace_back(reader.text()); });
    return request;
}

void writeRequest(WireWriter& writer, const RunRequest& request)
{
    writer.number(request.watch).number(request.core).number(request.isSeen).number(request.fedBytes);
    writer.list(request.feeds, [&](const FedTensor& feed) {
        writer.text(feed.name);
        writePlace(writer, feed.place);
    });
    writer.list(request.outputs, [&](const std::string& name) { writer.text(name); });
}

RunRequest readRunRequest(WireReader& reader)
{
    RunRequest request;
    request.watch = reader.number<Watched>();
    request.core = reader.number<std::int32_t>();
    request.isSeen = reader.number<bool>();
    request.fedBytes = reader.number<std::uint64_t>();
    reader.list([&] {
        FedTensor feed;
        feed.name = reader.text();
        feed.place = readPlace(reader);
        request.feeds.push_back(std::move(feed));
    });
    reader.list([&] { request.outputs.push_back(reader.text()); });
    return request;
}

void writePorts(WireWriter& writer, const std::vector<PortInfo>& ports)
{
    writer.list(ports, [&](const PortInfo& port) {
        writer.text(port.name).number(port.type).dims(port.dims);
        writer.list(port.symbols, [&](const std::string& symbol) { writer.text(symbol); });
    });
}

std::vector<PortInfo> readPorts(WireReader& reader)
{
    std::vector<PortInfo> ports;
    reader.list([&] {
        PortInfo port;
        port.name = reader.text();
        port.type = reader.number<ElementType>();
        port.dims = reader.dims();
        reader.list([&] { port.symbols.push_back(reader.text()); });
        ports.push_back(std::move(port));
    });
    return ports;
}

} // namespace duo
