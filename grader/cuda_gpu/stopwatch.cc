// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/stopwatch.h"

#include <algorithm>
#include <cstdint>

namespace warplings::cuda_gpu {
namespace {

using Clock = std::chrono::steady_clock;

/// The card was idle while the judge moved data; within this time its clock is up again.
constexpr std::chrono::milliseconds kRaise{2};

/// Asked for without waiting, some 30 us each on an H200: until they are done the host has put the first
/// operations of the timed run into the card's queue, also where its calls are slow.
constexpr int kQueuedSweeps = 8;

constexpr unsigned kSweepThreads = 256;
constexpr unsigned kSweepBlocksPerMultiprocessor = 8;

/// Each thread reads 16 bytes, and goes on behind what all threads together have read. Volatile, or else the
/// loads would be dropped: nothing needs their values.
constexpr char kSweepPtx[] = R"(
.version 6.0
.target sm_50
.address_size 64

.visible .entry sweep(.param .u64 buffer, .param .u64 bytes) {
  .reg .u32 %block, %blocks, %thread, %threads, %a, %b, %c, %d;
  .reg .u64 %at, %end, %step;
  .reg .pred %more;
  ld.param.u64 %at, [buffer];
  ld.param.u64 %end, [bytes];
  cvta.to.global.u64 %at, %at;
  add.u64 %end, %end, %at;
  mov.u32 %block, %ctaid.x;
  mov.u32 %blocks, %nctaid.x;
  mov.u32 %thread, %tid.x;
  mov.u32 %threads, %ntid.x;
  mad.lo.u32 %thread, %block, %threads, %thread;
  mul.lo.u32 %threads, %blocks, %threads;
  mul.wide.u32 %step, %thread, 16;
  add.u64 %at, %at, %step;
  mul.wide.u32 %step, %threads, 16;
next:
  setp.lt.u64 %more, %at, %end;
  @!%more ret;
  ld.volatile.global.v4.u32 {%a, %b, %c, %d}, [%at];
  add.u64 %at, %at, %step;
  bra next;
}
)";

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
      sweep_blocks_(kSweepBlocksPerMultiprocessor * static_cast<unsigned>(card.multiprocessors)),
      default_clock_mhz_(card.clock_khz / 1000.0),
      bus_id_(bus_id) {}

Stopwatch::~Stopwatch() {
  if (start_ != nullptr) driver_.cuEventDestroy(start_);
  if (stop_ != nullptr) driver_.cuEventDestroy(stop_);
  if (buffer_ != 0) driver_.cuMemFree(buffer_);
  if (module_ != nullptr) driver_.cuModuleUnload(module_);
}

CUresult Stopwatch::Prepare() {
  Calls calls;
  if (!clock_) clock_.emplace(bus_id_);
  if (buffer_ == 0) {
    calls.Do(driver_.cuMemAlloc, &buffer_, bytes_);
    calls.Do(driver_.cuMemsetD8, buffer_, std::uint8_t{0}, bytes_);
  }
  if (sweep_ == nullptr) {
    calls.Do(driver_.cuModuleLoadDataEx, &module_, kSweepPtx, 0, nullptr, nullptr);
    calls.Do(driver_.cuModuleGetFunction, &sweep_, module_, "sweep");
  }
  if (start_ == nullptr) calls.Do(driver_.cuEventCreate, &start_, static_cast<unsigned>(CU_EVENT_DEFAULT));
  if (stop_ == nullptr) calls.Do(driver_.cuEventCreate, &stop_, static_cast<unsigned>(CU_EVENT_DEFAULT));
  return calls.code();
}

CUresult Stopwatch::Sweep() {
  std::uint64_t bytes = bytes_;
  void* arguments[] = {&buffer_, &bytes};
  return driver_.cuLaunchKernel(sweep_, sweep_blocks_, 1, 1, kSweepThreads, 1, 1, 0, nullptr, arguments,
                                nullptr);
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
    calls.Do([this] { return Sweep(); });
    calls.Do(driver_.cuCtxSynchronize);
  }
  host_start_ = Clock::now();
  for (int i = 0; i < kQueuedSweeps; ++i) calls.Do([this] { return Sweep(); });
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
