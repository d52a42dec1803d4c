// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

namespace warplings {

/// The counts of a run that chapter.toml can name in `shown_counts`, in the order of a report. A name
/// stands for a line:
///
///     registers       each kernel's registers, and its shared and local memory
///     launch          each launch's grid, block and dynamic shared memory
///     occupancy       the same, with its occupancy and the blocks per SM
///     instructions    of threads and of warps
///     global_loads, global_stores     sectors per request
///     shared_loads, shared_stores     wavefronts and bank conflicts per request
///     global_atomics, shared_atomics  passes per request
inline constexpr std::array<std::string_view, 10> kCountNames = {
    "registers",     "launch",       "occupancy",     "instructions",   "global_loads",
    "global_stores", "shared_loads", "shared_stores", "global_atomics", "shared_atomics"};

}  // namespace warplings
