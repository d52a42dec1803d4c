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

/// What a judge wants to know of the arrays that it gave to a function: for each 4-byte word, who wrote it
/// last (which thread of which launch, a copy, a memset), and what each launch moved from and to them. An
/// array that is right and that no kernel wrote solves no exercise.
///
/// Also whether the host could have read device memory before a launch ran. What a kernel stores after that
/// may have been computed on the host, by whatever way it came back: a copy, an argument, managed memory.
class WatchedArrays {
 public:
  static constexpr int kNone = -1;

  /// Watches from now on all regions that have a label and belong to the judge; forgets what was known.
  void Start(const GlobalMemory& memory);
  void Stop();
  bool active() const { return active_; }

  /// Index of the array that holds `address`, or kNone.
  int Find(DevicePointer address) const;
  std::size_t size() const { return arrays_.size(); }

  // What happens on the device, in the order in which it runs.
  void NoteHostRead() { host_has_read_ = true; }
  void NoteCopyIn(DevicePointer target, std::uint64_t bytes) { NoteWrite(target, bytes, kByCopy); }
  void NoteCopyWithin(DevicePointer target, std::uint64_t bytes);
  void NoteFill(DevicePointer target, std::uint64_t bytes) { NoteWrite(target, bytes, kByFill); }

  void BeginLaunch();
  /// Of the launch under way. Blocks on several host threads may store at once.
  void NoteStore(int array, DevicePointer address, std::uint32_t bytes, std::uint64_t thread) {
    Array& stored = arrays_[static_cast<std::size_t>(array)];
    const std::uint64_t writer = writer_ | (thread & kThreadMask);
    const std::uint64_t first = (address - stored.start) / 4, last = (address - stored.start + bytes - 1) / 4;
    for (std::uint64_t word = first; word <= last; ++word) {
      std::atomic_ref<std::uint64_t>(stored.writers[word]).store(writer, std::memory_order_relaxed);
    }
  }
  /// Sums of a host thread's blocks: by array, and whether they wrote memory that the host sees as well.
  void Add(const std::vector<ArrayTraffic>& traffic, bool wrote_host_memory);
  /// What the launch moved, by array that it touched.
  std::vector<ArrayTraffic> EndLaunch();

  std::vector<ArrayWriters> ListWriters() const;

 private:
  // A word's writer: the launch's number above, its thread's below. The first numbers are no launches.
  static constexpr int kThreadBits = 48;
  static constexpr std::uint64_t kThreadMask = (std::uint64_t{1} << kThreadBits) - 1;
  static constexpr std::uint64_t kByNobody = 0, kByCopy = 1, kByFill = 2, kFirstLaunch = 3,
                                 kLastLaunch = 0xffff;

  struct Array {
    DevicePointer start = 0;
    std::uint64_t bytes = 0;
    std::string label;
    std::vector<std::uint64_t> writers;  ///< By word.
  };
  /// What was so when a launch ran.
  struct Launch {
    bool after_host_read = false, after_copy = false;
  };

  void NoteWrite(DevicePointer target, std::uint64_t bytes, std::uint64_t who);
  ArrayWriters CountWriters(const Array& array) const;

  bool active_ = false;
  std::vector<Array> arrays_;
  const GlobalMemory* memory_ = nullptr;
  bool host_has_read_ = false, has_copied_ = false;
  std::vector<Launch> launches_;
  std::uint64_t writer_ = 0;  ///< Of the launch under way, its thread's bits 0.
  std::mutex mutex_;
  std::vector<ArrayTraffic> traffic_;  ///< Of the launch under way, by array.
  bool wrote_host_memory_ = false;
};

}  // namespace warplings::vgpu
