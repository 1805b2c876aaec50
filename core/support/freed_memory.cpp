// SPDX-License-Identifier: Apache-2.0
#include "core/support/freed_memory.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace duo {

bool returnLargeBlocks()
{
#ifdef __GLIBC__
    constexpr int kLarge = 1 << 20;
    return mallopt(M_MMAP_THRESHOLD, kLarge) == 1 && mallopt(M_TRIM_THRESHOLD, 8 * kLarge) == 1
        && mallopt(M_MXFAST, 0) == 1;
#else
    return false;
#endif
}

void returnFreedMemory()
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

} // namespace duo
