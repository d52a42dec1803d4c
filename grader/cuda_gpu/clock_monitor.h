// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace warplings::cuda_gpu {

/// Reads a card's clock through NVIDIA's management library (NVML), which comes with the driver and is loaded
/// at run time. Without it only the clock is unknown. Never changes a clock.
class ClockMonitor {
 public:
  /// Identifies the card by its PCI bus id, as cuDeviceGetPCIBusId writes it.
  explicit ClockMonitor(const std::string& bus_id);

  /// The present SM clock in MHz; 0: unknown.
  double Read() const;

 private:
  using GetClock = int (*)(void* device, int kind, unsigned* mhz);

  GetClock get_clock_ = nullptr;
  void* device_ = nullptr;
};

}  // namespace warplings::cuda_gpu
