// SPDX-License-Identifier: Apache-2.0
#include "grader/base/installed_memory.h"

#include <unistd.h>

namespace warplings {

std::uint64_t InstalledMemory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace warplings
