// SPDX-License-Identifier: Apache-2.0
// differs: one 64-bit score for each device (own card in the highest bit, then throughput), devices from the last to the
// first with "not worse"; the current device stays current. std::optional, long line.

#include <cstdint>
#include <optional>

#include "pick_device.h"

static std::optional<std::uint64_t> score(int device, unsigned long long bytes) {
  cudaDeviceProp p; cudaGetDeviceProperties(&p, device); if (p.totalGlobalMem < bytes) return std::nullopt; int clock = 0, multiprocessors = 0, integrated = 0; cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device); cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device); cudaDeviceGetAttribute(&integrated, cudaDevAttrIntegrated, device); return (integrated ? 0ull : 1ull << 63) + static_cast<std::uint64_t>(multiprocessors) * static_cast<std::uint64_t>(clock);
}

int pick_device(unsigned long long bytes) {
  int device, best = -1;
  std::uint64_t most = 0;
  cudaGetDeviceCount(&device);
  while (device-- > 0) {
    if (const auto here = score(device, bytes); here && *here >= most) {
      most = *here;
      best = device;
    }
  }
  return best;
}
