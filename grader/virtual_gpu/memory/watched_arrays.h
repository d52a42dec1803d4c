// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "grader/core/launch_record.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Whether a launch used memory that the host can access while it runs: managed or pinned.
struct HostMemoryUse {
  bool is_read = false, is_written = false;
};

/// Observes the arrays that the judge passed to a function: for each 4-byte word, the last writer (a thread
/// of a launch, a copy, a memset), and the traffic of each launch with them. An array with the right values
/// does not solve an exercise if no kernel wrote it.
///
/// Also records whether the host could have read device memory before a launch. What a kernel stores
/// afterwards may have been computed on the host and passed back by a copy, an argument or managed memory.
/// So may what a copy stores afterwards, or a copy from the host that replaces what a kernel has stored.
/// A launch that both writes and reads managed or pinned memory needs no end for that: it can pass its inputs
/// out, wait until the host has computed, and read the results. The host is not held while a launch runs: a
/// client that does not wait for a reply runs beside its own kernel.
class WatchedArrays {
 public:
  static constexpr int kNone = -1;

  /// Starts watching all regions that have a label and belong to the judge; discards earlier records.
  void Start(const GlobalMemory& memory);
  void Stop();
  bool active() const { return active_; }

  /// Index of the array that holds `address`, or kNone.
  int Find(DevicePointer address) const;
  std::size_t size() const { return arrays_.size(); }

  // Events on the device, reported in order of execution.
  void NoteHostRead() { host_has_read_ = true; }
  void NoteCopyIn(DevicePointer target, std::uint64_t bytes);
  void NoteCopyWithin(DevicePointer target, std::uint64_t bytes);
  void NoteFill(DevicePointer target, std::uint64_t bytes) { NoteWrite(target, bytes, kByFill); }

  void BeginLaunch();
  /// A store by the current launch. Blocks on several host threads may call this concurrently.
  void NoteStore(int array, DevicePointer address, std::uint32_t bytes, std::uint64_t thread) {
    Array& stored = arrays_[static_cast<std::size_t>(array)];
    const std::uint64_t writer = writer_ | (thread & kThreadMask);
    const std::uint64_t first = (address - stored.start) / 4, last = (address - stored.start + bytes - 1) / 4;
    for (std::uint64_t word = first; word <= last; ++word) {
      std::atomic_ref<std::uint64_t>(stored.writers[word]).store(writer, std::memory_order_relaxed);
    }
  }
  /// Adds the sums of one host thread's blocks.
  void Add(const std::vector<ArrayTraffic>& traffic, HostMemoryUse host_memory);
  /// Ends the launch and returns its traffic with each array that it accessed.
  std::vector<ArrayTraffic> EndLaunch();

  std::vector<ArrayWriters> ListWriters() const;

 private:
  // A word's writer is the launch's number in the upper bits and the thread's in the lower bits. The first
  // numbers are not launches.
  static constexpr int kThreadBits = 48;
  static constexpr std::uint64_t kThreadMask = (std::uint64_t{1} << kThreadBits) - 1;
  static constexpr std::uint64_t kByNobody = 0, kByCopy = 1, kByFill = 2, kByCopyOfHostWork = 3,
                                 kFirstLaunch = 4, kLastLaunch = 0xffff;

  struct Array {
    DevicePointer start = 0;
    std::uint64_t bytes = 0;
    std::string label;
    std::vector<std::uint64_t> writers;  ///< Indexed by word.
  };
  /// What counts for all words that a launch stores. The first three: the state when it started.
  struct Launch {
    bool after_host_read = false, after_shared_write = false, after_copy = false;
    bool in_exchange_with_host = false;  ///< Known when it has ended.
  };

  /// `is_of_host`: copied from the host, who needs no copy of what a kernel has stored there.
  void NoteWrite(DevicePointer target, std::uint64_t bytes, std::uint64_t who, bool is_of_host = false);
  /// A copy of what the host may have computed by now, because it has read device memory, or could have.
  std::uint64_t WhoCopies() const {
    return host_has_read_ || kernel_wrote_shared_ ? kByCopyOfHostWork : kByCopy;
  }
  ArrayWriters CountWriters(const Array& array) const;

  bool active_ = false;
  std::vector<Array> arrays_;
  const GlobalMemory* memory_ = nullptr;
  bool host_has_read_ = false, has_copied_ = false;
  bool kernel_wrote_shared_ = false;  ///< Managed or pinned memory; whether the host has read it is unknown.
  std::vector<Launch> launches_;
  std::uint64_t writer_ = 0;  ///< The current launch's number, with the thread's bits 0.
  std::mutex mutex_;
  std::vector<ArrayTraffic> traffic_;  ///< Of the current launch, by array.
  HostMemoryUse host_memory_;          ///< By the current launch.
};

}  // namespace warplings::vgpu
