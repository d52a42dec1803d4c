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
/// Begin waits for all work of the card, raises the clock by reading a buffer over and over, reads it a few
/// times more so that no line of the L2 cache is left of what came before, and records an event. That reading
/// is still under way when Begin returns: the first kernel is in the card's queue before the event is
/// reached, and the time has none of the host's launch in it. The buffer is there once for all, and twice as
/// large as the cache. No part of the cache is set aside for persisting lines.
///
/// Reading, where others clear: a memset leaves the cache full of lines that memory does not have yet, and
/// the kernel that needs their place pays for writing them. On an H200 that is 20 % of a transposition's 27
/// us.
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
  std::optional<ClockMonitor> clock_;  ///< From the first run on; most processes time nothing.
  CUdeviceptr buffer_ = 0;
  CUmodule module_ = nullptr;
  CUfunction sweep_ = nullptr;  ///< Reads the buffer.
  CUevent start_ = nullptr, stop_ = nullptr;
  std::chrono::steady_clock::time_point host_start_;
};

}  // namespace warplings::cuda_gpu
