// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/device/device_profile.h"

namespace warplings::timing {

/// What a task needs at least, whatever the kernel: its fp32 operations, and the bytes if each input is read
/// once and each output is written once.
struct Work {
  double flops = 0;
  double bytes_read = 0, bytes_written = 0;
};

/// Memory clock x 2 transfers (DDR) x width of the bus.
double PeakBytesPerSecond(const DeviceProfile& card);

/// FP32 cores of all SMs x 2 operations (a fused multiply-add) per clock. Cores per SM by compute capability:
/// CUDA Programming Guide, "Throughput of Native Arithmetic Instructions".
double PeakFlopsPerSecond(const DeviceProfile& card);

/// Seconds that the work takes at the card's peak rates; 0 if a rate is unknown.
double LimitSeconds(const Work& work, const DeviceProfile& card);

/// A time, in seconds, below which no honest kernel can be. Shorter than LimitSeconds: output that fits into
/// the L2 cache may still be there when the kernel ends, but input cannot have been there before.
double FloorSeconds(const Work& work, const DeviceProfile& card);

}  // namespace warplings::timing
