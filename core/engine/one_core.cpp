// SPDX-License-Identifier: Apache-2.0
#include "core/engine/one_core.h"

namespace duo {

int freeCore(const std::set<int>& taken)
{
    const int present = ::sched_getcpu();
    if (present >= 0 && !taken.contains(present))
        return present;
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return kAnyCore;
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &allowed) && !taken.contains(core))
            return core;
    }
    return kAnyCore;
}

OnCore::OnCore(int core)
{
    cpu_set_t before;
    if (core < 0 || core >= CPU_SETSIZE || ::sched_getaffinity(0, sizeof before, &before) != 0
        || !CPU_ISSET(core, &before))
        return;
    cpu_set_t alone;
    CPU_ZERO(&alone);
    CPU_SET(core, &alone);
    if (::sched_setaffinity(0, sizeof alone, &alone) == 0)
        m_before = before;
}

OnCore::~OnCore()
{
    if (m_before)
        ::sched_setaffinity(0, sizeof *m_before, &*m_before);
}

} // namespace duo
