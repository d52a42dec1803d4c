// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/device/device_profile.h"

namespace warplings::timing {

/// What a task needs, whatever the kernel: its operations in fp32, each input read and each output written
/// once.
struct Work {
  double flops = 0;
  double bytes_read = 0, bytes_written = 0;
};

/// Two transfers a clock of the memory (DDR), over the whole bus.
double PeakBytesPerSecond(const DeviceProfile& card);

/// fp32 lanes of all multiprocessors, two operations (a fused multiply-add) a clock each. Lanes by compute
/// capability: CUDA Programming Guide, "Throughput of Native Arithmetic Instructions".
double PeakFlopsPerSecond(const DeviceProfile& card);

/// The card's own time for the work at its peak rates; 0 where a rate is unknown.
double LimitSeconds(const Work& work, const DeviceProfile& card);

/// No honest kernel is faster. Shorter than LimitSeconds: what is written may stay in the L2 cache when the
/// kernel ends, as far as it fits; what is read cannot have been there.
double FloorSeconds(const Work& work, const DeviceProfile& card);

}  // namespace warplings::timing
