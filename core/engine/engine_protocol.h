// SPDX-License-Identifier: Apache-2.0
// What the program and an engine process say to each other (core/engine/wire.h): kinds of messages and their bodies.
#pragma once

#include "core/engine/one_core.h"
#include "core/engine/session.h"
#include "core/engine/wire.h"

#include <cstdint>

namespace duo {

/// The first socket of an engine process: one session at a time, opened, asked and closed.
enum ControlMessage : std::uint32_t {
    // to the engine
    kOpen, // OpenRequest; the file of a model that is no file of its own
    kExternalData, // before it, each: location, offset, size, and the file; or the bytes themselves
    kNewChannel, // its number, and the socket
    kTerminate, // the number of the channel whose run is to end
    kEndProfile,
    kClose, // no answer
    // to the program
    kHello, // version of the engine, size of the memory that both see, and its file
    kOpened, // a status, then inputs and outputs, or whether the process can open no other model either
    kProfile, // a status, then the path
};

/// A channel: one run at a time.
enum ChannelMessage : std::uint32_t {
    // to the engine
    kRun, // RunRequest, and the file that feeds lie in where it is another one than before
    kGoOn, // the answer to what is shown: whether something was written, or whether to go on
    // to the program, each answered by kGoOn but the last: a list of ShownTensor, of one unless they are tapped
    kTapped,
    kSwapping, // and the offset of what is read instead
    kResult,
    kDone, // a status
};

/// Where a tensor lies in the memory that both see.
struct SharedTensor {
    ElementType type = ElementType::Undefined;
    std::vector<std::int64_t> dims;
    std::uint64_t offset = 0;
    std::uint64_t size = 0; // bytes
};

void writePlace(WireWriter& writer, const SharedTensor& place);
SharedTensor readPlace(WireReader& reader);

/// What a run shows: the number of the tap, the swap or the result, and the value.
struct ShownTensor {
    std::uint64_t number = 0;
    SharedTensor place;
};

/// What is opened, and how. External data have gone before.
struct OpenRequest {
    std::string folder; // that paths are relative to
    std::string path; // of the model; "": the file sent along holds it
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    SessionOptions options;
};

void writeRequest(WireWriter& writer, const OpenRequest& request);
OpenRequest readOpenRequest(WireReader& reader);

enum class Watched : std::uint8_t { Nothing, Taps, Swaps };

struct FedTensor {
    std::string name;
    SharedTensor place; // in the channel's memory
};

struct RunRequest {
    Watched watch = Watched::Nothing;
    std::int32_t core = kAnyCore; // to run on, as whoever watches does
    bool isSeen = false; // results are looked at
    std::vector<FedTensor> feeds = {};
    std::vector<std::string> outputs = {};
    std::uint64_t fedBytes = 0; // of the channel's memory
};

void writeRequest(WireWriter& writer, const RunRequest& request);
RunRequest readRunRequest(WireReader& reader);

void writePorts(WireWriter& writer, const std::vector<PortInfo>& ports);
std::vector<PortInfo> readPorts(WireReader& reader);

inline constexpr int kControlSocket = 0; // of an engine process: its standard input
inline constexpr const char* kMemoryOption = "--memory"; // of its command line: bytes
inline constexpr std::size_t kPlaceAlignment = 64;

/// What a tensor takes of a place with others behind it, bytes.
constexpr std::size_t alignedPlace(std::size_t size)
{
    return (size + kPlaceAlignment - 1) / kPlaceAlignment * kPlaceAlignment;
}

} // namespace duo
