// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/stopwatch.h"

#include <algorithm>

namespace warplings::cuda_gpu {
namespace {

using Clock = std::chrono::steady_clock;

/// The card was idle while the judge moved data; its clock comes back within this.
constexpr std::chrono::milliseconds kRaise{5};

/// Asked for without waiting, some 40 us each on an H200: until they are done the host has put the first
/// operations of the timed run into the card's queue, also where its calls are slow.
constexpr int kQueuedClears = 6;

/// The first error of a sequence of calls.
class Calls {
 public:
  template <class Function, class... Arguments>
  void Do(Function function, Arguments... arguments) {
    if (code_ == CUDA_SUCCESS) code_ = function(arguments...);
  }
  CUresult code() const { return code_; }

 private:
  CUresult code_ = CUDA_SUCCESS;
};

}  // namespace

Stopwatch::Stopwatch(const DriverApi& driver, const DeviceProfile& card, const std::string& bus_id)
    : driver_(driver),
      bytes_(2 * std::max<std::size_t>(card.l2_bytes, std::size_t{1} << 20)),
      default_clock_mhz_(card.clock_khz / 1000.0),
      bus_id_(bus_id) {}

Stopwatch::~Stopwatch() {
  if (start_ != nullptr) driver_.cuEventDestroy(start_);
  if (stop_ != nullptr) driver_.cuEventDestroy(stop_);
  if (buffer_ != 0) driver_.cuMemFree(buffer_);
}

CUresult Stopwatch::Prepare() {
  Calls calls;
  if (!clock_) clock_.emplace(bus_id_);
  if (buffer_ == 0) calls.Do(driver_.cuMemAlloc, &buffer_, bytes_);
  if (start_ == nullptr) calls.Do(driver_.cuEventCreate, &start_, static_cast<unsigned>(CU_EVENT_DEFAULT));
  if (stop_ == nullptr) calls.Do(driver_.cuEventCreate, &stop_, static_cast<unsigned>(CU_EVENT_DEFAULT));
  return calls.code();
}

CUresult Stopwatch::Begin() {
  Calls calls;
  calls.Do([this] { return Prepare(); });
  calls.Do(driver_.cuCtxSynchronize);
  if (calls.code() == CUDA_SUCCESS) {
    // Cards before compute capability 8.0 have no persisting lines, and refuse.
    driver_.cuCtxSetLimit(CU_LIMIT_PERSISTING_L2_CACHE_SIZE, 0);
    driver_.cuCtxResetPersistingL2Cache();
  }
  for (const auto end = Clock::now() + kRaise; calls.code() == CUDA_SUCCESS && Clock::now() < end;) {
    calls.Do([this] { return Clear(); });
    calls.Do(driver_.cuCtxSynchronize);
  }
  host_start_ = Clock::now();
  for (int i = 0; i < kQueuedClears; ++i) calls.Do([this] { return Clear(); });
  calls.Do(driver_.cuEventRecord, start_, nullptr);
  return calls.code();
}

CUresult Stopwatch::End(Timing& timing) {
  Calls calls;
  float milliseconds = 0;
  calls.Do(driver_.cuEventRecord, stop_, nullptr);
  calls.Do(driver_.cuCtxSynchronize);
  timing.host_seconds = std::chrono::duration<double>(Clock::now() - host_start_).count();
  calls.Do(driver_.cuEventElapsedTime, &milliseconds, start_, stop_);
  timing.measured = true;
  timing.device_seconds = static_cast<double>(milliseconds) * 1e-3;
  timing.clock_mhz = clock_->Read();
  timing.default_clock_mhz = default_clock_mhz_;
  return calls.code();
}

}  // namespace warplings::cuda_gpu
