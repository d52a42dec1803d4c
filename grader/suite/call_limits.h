// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

#include "grader/worker/worker.h"

/// What a call of the student's function may take, in time and memory. The worker (grader/worker/worker.cc)
/// enforces them, and the device client its own deadline. A kernel's budget is the
/// watchdog's (grader/device/device.h).
namespace warplings {

/// Limit of one call, host code and kernels, less the time in which a busy machine had no processor for
/// it. The largest calls take half a second. Endless computation is stopped much earlier, by one of the
/// limits below; this one stops code that waits for ever.
inline constexpr std::chrono::seconds kCallLimit{10};
/// Of it, on the host's processor: calls start kernels, which takes microseconds. A loop that never ends is
/// told by this, whatever else the machine does.
inline constexpr std::chrono::seconds kHostLimit{1};
/// The same over all calls of a run, of which there are some dozen. An answer needs less than a second of
/// host code in all of them, and never sleeps: there is nothing to wait for but kernels. Each call alone
/// could stay below its own limits, and all together take minutes.
inline constexpr std::chrono::seconds kHostSum{10}, kIdleSum{3};
inline constexpr WorkerTime kSumLimit{kHostSum, kIdleSum};
/// Of the virtual GPU's process over all calls, on all processors: each call alone could end just below its
/// own limit, and all together take minutes. The heaviest solution needs half a second, and kernels that
/// never end are stopped after some 15 s in all.
inline constexpr std::chrono::seconds kKernelSum{60};
/// One request to the device; longer than a call, so that it is the call that misses its limit first.
inline constexpr std::chrono::seconds kDeviceLimit{15};
/// The same for one call while speed is measured: it computes nothing but the answer, on a card or
/// with a sample of its blocks.
inline constexpr std::chrono::seconds kTimedCallLimit{4};
/// Of host memory. Exercises work on the device; their arrays have a few thousand elements.
inline constexpr std::uint64_t kHostMemory = std::uint64_t{1} << 30;

}  // namespace warplings
