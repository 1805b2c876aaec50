// SPDX-License-Identifier: Apache-2.0
#include "app/engine/region_allocator.h"

#include "app/engine/memory_room.h"

#include <onnxruntime_cxx_api.h>

#include <cstdlib>
#include <new>

namespace duo {
namespace {

constexpr std::size_t kSmall = std::size_t{1} << 14U; // bytes; such values are copied where they are looked at
constexpr std::size_t kAlignment = 64;

/// In the form that the engine's C interface wants.
struct RegionAllocator : OrtAllocator {
    explicit RegionAllocator(EngineMemory& shared)
        : OrtAllocator{}
        , memory(shared)
    {
        version = ORT_API_VERSION;
        Alloc = [](OrtAllocator* self, std::size_t size) { return static_cast<RegionAllocator*>(self)->take(size); };
        Free = [](OrtAllocator* self, void* block) { static_cast<RegionAllocator*>(self)->giveBack(block); };
        Info = [](const OrtAllocator* self) -> const OrtMemoryInfo* {
            return static_cast<const RegionAllocator*>(self)->info;
        };
        Reserve = [](OrtAllocator*, std::size_t size) { return takeElsewhere(size); };
    }

    /// Of the process's own memory, which has a limit. The engine writes to whatever it is given, and expects an
    /// exception where there is nothing to give.
    static void* takeElsewhere(std::size_t size)
    {
        void* block = std::aligned_alloc(kAlignment, (size + kAlignment - 1) / kAlignment * kAlignment);
        if (block == nullptr && size > 0)
            throw std::bad_alloc();
        return block;
    }

    void* take(std::size_t size)
    {
        if (size == 0)
            return nullptr;
        if (size > kSmall && !room.has(size, memory))
            throw std::bad_alloc();
        void* block = size > kSmall ? memory.take(size) : nullptr;
        return block != nullptr ? block : takeElsewhere(size);
    }

    void giveBack(void* block)
    {
        if (block != nullptr && !memory.giveBack(block))
            std::free(block);
    }

    EngineMemory& memory;
    MemoryRoom room;
    Ort::MemoryInfo info = Ort::MemoryInfo::CreateCpu(OrtDeviceAllocator, OrtMemTypeDefault);
};

} // namespace

bool allocateValuesIn(EngineMemory& memory, OrtEnv* environment)
{
    static RegionAllocator allocator(memory);
    OrtStatus* status = Ort::GetApi().RegisterAllocator(environment, &allocator);
    if (status == nullptr)
        return true;
    Ort::GetApi().ReleaseStatus(status);
    return false;
}

} // namespace duo
