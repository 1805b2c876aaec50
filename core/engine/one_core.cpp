// SPDX-License-Identifier: Apache-2.0
#include "core/engine/one_core.h"

namespace duo {

int presentCore()
{
    return ::sched_getcpu();
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
