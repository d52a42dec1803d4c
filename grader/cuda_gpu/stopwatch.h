// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "grader/cuda_gpu/clock_monitor.h"
#include "grader/cuda_gpu/driver_api.h"

namespace warplings::cuda_gpu {

/// Times one piece of work on a card.
///
/// Begin waits for all work on the card, raises the clock by reading a buffer repeatedly, reads it a few more
/// times so that the L2 cache holds nothing from before, and records an event. The reading is still running
/// when Begin returns, so the first kernel is queued before the event is reached, and the time does not
/// include the host's launch overhead. The buffer is allocated once and is twice as large as the cache. No
/// part of the cache is set aside for persisting lines.
///
/// The buffer is read, not cleared: a memset would leave the cache full of dirty lines, and the measured
/// kernel would pay for writing them back. On an H200 that is 20 % of a transposition's 27 us.
class Stopwatch {
 public:
  Stopwatch(const DriverApi& driver, const DeviceProfile& card, const std::string& bus_id);
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;
  ~Stopwatch();

  CUresult Begin();
  CUresult End(Timing& timing);

 private:
  CUresult Prepare();
  CUresult Sweep();

  const DriverApi& driver_;
  const std::size_t bytes_;
  const unsigned sweep_blocks_;
  const double default_clock_mhz_;
  const std::string bus_id_;
  std::optional<ClockMonitor> clock_;  ///< Created for the first run, because most processes time nothing.
  CUdeviceptr buffer_ = 0;
  CUmodule module_ = nullptr;
  CUfunction sweep_ = nullptr;  ///< The kernel that reads the buffer.
  CUevent start_ = nullptr, stop_ = nullptr;
  std::chrono::steady_clock::time_point host_start_;
};

}  // namespace warplings::cuda_gpu
