// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings::cuda_gpu {

/// Tells a card's clock through NVIDIA's management library, which comes with the driver; loaded at run time.
/// Without it the clock is unknown, and nothing else is missing. Never changes a clock.
class ClockMonitor {
 public:
  /// The card by its place on the bus, as cuDeviceGetPCIBusId writes it.
  explicit ClockMonitor(const std::string& bus_id);

  /// Of the multiprocessors, now, in MHz; 0: unknown.
  double Read() const;

 private:
  using GetClock = int (*)(void* device, int kind, unsigned* mhz);

  GetClock get_clock_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace warplings::cuda_gpu
