// SPDX-License-Identifier: Apache-2.0
// duo_fuzz_GROUP: each target of a group under libFuzzer, one at a time: `--target=NAME [libFuzzer's options]
// FOLDER...`. Without libFuzzer it does what else there is: `--list`, `--seeds=FOLDER --target=NAME` (seeds and the
// kept corpus as files, the dictionary as FOLDER.dict), `--keep=FOLDER --target=NAME` (packs FOLDER as the corpus to
// keep).
#include "tests/fuzz/fuzz_corpus.h"
#include "tests/fuzz/fuzz_target.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t mostBytes);

namespace {

using duo::test::FuzzTarget;

FuzzTarget target;

std::string optionOf(int argc, char** argv, const std::string& name)
{
    for (int i = 1; i < argc; ++i)
        if (const std::string argument = argv[i]; argument.starts_with("--" + name + "="))
            return argument.substr(name.size() + 3);
    return {};
}

[[noreturn]] void listTargets()
{
    for (const FuzzTarget& each : duo::test::DUO_FUZZ_GROUP())
        std::printf("%s %zu\n", std::string(each.name).c_str(), each.mostBytes);
    std::exit(0);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv)
{
    if (*argc > 1 && std::strcmp((*argv)[1], "--list") == 0)
        listTargets();
    const std::string name = optionOf(*argc, *argv, "target");
    for (FuzzTarget& each : duo::test::DUO_FUZZ_GROUP())
        if (each.name == name)
            target = std::move(each);
    if (target.run == nullptr) {
        std::fprintf(stderr, "no target '%s': see --list\n", name.c_str());
        std::exit(2);
    }
    if (const std::string folder = optionOf(*argc, *argv, "seeds"); !folder.empty()) {
        duo::test::writeSeeds(target, folder);
        std::exit(0);
    }
    if (const std::string folder = optionOf(*argc, *argv, "keep"); !folder.empty()) {
        duo::test::keepCorpus(target, folder);
        std::exit(0);
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    target.run({reinterpret_cast<const char*>(data), size}); // what it throws ends the process: a finding
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(
    std::uint8_t* data, std::size_t size, std::size_t mostBytes, unsigned int seed)
{
    if (target.mutated != nullptr && seed % 16 != 0) {
        const std::string changed = target.mutated(std::string(reinterpret_cast<const char*>(data), size), seed);
        if (!changed.empty() && changed.size() <= mostBytes) {
            std::memcpy(data, changed.data(), changed.size());
            return changed.size();
        }
    }
    return LLVMFuzzerMutate(data, size, mostBytes);
}
