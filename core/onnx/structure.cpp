// SPDX-License-Identifier: Apache-2.0
#include "core/onnx/structure.h"

#include "core/onnx/wire.h"

#include <google/protobuf/io/coded_stream.h>

#include <span>
#include <stdexcept>
#include <utility>

namespace duo {
namespace {

constexpr int kMaxMessageDepth = 300; // splitPayloads refuses deeper graphs before; the rest is for types
constexpr std::uint32_t kGraph = 7; // of ModelProto
constexpr std::uint32_t kNode = 1; // of GraphProto

bool isMessage(const WireField& field, std::uint32_t number)
{
    return field.number == number && field.type == WireType::Bytes;
}

void append(std::string& out, std::span<const std::byte> bytes)
{
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

std::size_t graphCount(std::string_view model)
{
    std::size_t count = 0;
    WireCursor fields(std::as_bytes(std::span(model)));
    while (const auto field = fields.next())
        count += isMessage(*field, kGraph) ? 1 : 0;
    return count;
}

/// The content of the one graph of a ModelProto.
std::span<const std::byte> graphOf(std::string_view model)
{
    WireCursor fields(std::as_bytes(std::span(model)));
    while (const auto field = fields.next()) {
        if (isMessage(*field, kGraph))
            return field->content;
    }
    return {};
}

void parseOrThrow(std::string_view bytes, google::protobuf::MessageLite& message)
{
    if (!parseProto(bytes, message))
        throw std::logic_error("the structure of a model no longer parses");
}

} // namespace

bool parseProto(std::string_view bytes, google::protobuf::MessageLite& message)
{
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    google::protobuf::io::CodedInputStream stream(data, static_cast<int>(bytes.size()));
    stream.SetRecursionLimit(kMaxMessageDepth);
    return message.ParseFromCodedStream(&stream) && stream.ConsumedEntireMessage();
}

Structure::Structure(std::string skeleton)
    : m_bytes(std::move(skeleton))
{
    if (graphCount(m_bytes) > 1) { // parts of one, which protobuf merges
        onnx::ModelProto merged;
        parse(merged);
        m_bytes = merged.SerializeAsString();
    }
    const auto* const begin = reinterpret_cast<const std::byte*>(m_bytes.data());
    WireCursor fields(graphOf(m_bytes));
    while (const auto field = fields.next()) {
        if (isMessage(*field, kNode))
            m_nodes.push_back({static_cast<std::uint32_t>(field->content.data() - begin),
                static_cast<std::uint32_t>(field->content.size())});
    }
    m_nodes.shrink_to_fit();
}

void Structure::parse(onnx::ModelProto& whole) const
{
    parseOrThrow(m_bytes, whole);
}

const onnx::ModelProto& Structure::besidesNodes() const
{
    std::call_once(m_once, [&] {
        auto proto = std::make_unique<onnx::ModelProto>();
        parseOrThrow(withoutNodes(), *proto);
        m_besidesNodes = std::move(proto);
    });
    return *m_besidesNodes;
}

void Structure::parseNode(std::size_t index, onnx::NodeProto& node) const
{
    const Range& range = m_nodes[index];
    parseOrThrow(std::string_view(m_bytes).substr(range.begin, range.size), node);
}

std::string Structure::withoutNodes() const
{
    std::string graph;
    WireCursor ofGraph(graphOf(m_bytes));
    while (const auto field = ofGraph.next()) {
        if (!isMessage(*field, kNode))
            append(graph, field->whole);
    }
    std::string model;
    WireCursor ofModel(std::as_bytes(std::span(std::string_view(m_bytes))));
    while (const auto field = ofModel.next()) {
        if (!isMessage(*field, kGraph))
            append(model, field->whole);
    }
    appendVarint(model, wireTag(kGraph, WireType::Bytes));
    appendVarint(model, graph.size());
    return model + graph;
}

} // namespace duo
