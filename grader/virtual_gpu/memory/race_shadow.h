// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/base/result.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Records which thread wrote and which read each granule of global memory in the current launch. A granule
/// is a 4-byte word, or smaller in kernels with smaller stores.
///
/// *First* records hold the smallest (block, instruction, thread) that wrote, or read, the granule, and
/// whether several blocks did. They do not depend on the order in which blocks run, so races between blocks
/// are detected from them after the launch. *Last* records hold the latest access. Serials number the blocks
/// of all launches.
///
///     first: launch 12 | block 24 | instruction 14 | thread 10 | flags 4
///     last:  serial 25 | tick 12 | warp 5 | lane 5 | by several warps 1, lanes 1 | strong 1 | instruction 14
///
/// Most of what kernels read is input, which they do not write. Lanes that read a whole segment of it, one
/// granule after the other, leave one record for the segment; each granule's own take eight times the memory.
class RaceShadow {
 public:
  using Record = std::atomic<std::uint64_t>;
  /// An access uses most of a granule's records, so they are stored together.
  struct Records {
    Record first_write, first_read, last_write, last_read;
  };
  /// Eight granules side by side. Its reads are those by runs of lanes, and the records name the lane that
  /// read the first granule.
  struct alignas(32) Segment {
    Record first_read, last_read;
    std::atomic<std::uint64_t> written_by;  ///< The last launch that wrote to one of the granules.
  };
  static constexpr int kSegmentShift = 3;
  static constexpr std::uint64_t kSegment = 1 << kSegmentShift;
  static constexpr std::uint64_t kMany = 1;       ///< Flag: accessed by several blocks.
  static constexpr std::uint64_t kDifferent = 2;  ///< Flag: … with different values.
  static constexpr int kLaunchShift = 52;
  static constexpr std::uint64_t kLaunches = 1 << 12;
  static constexpr std::uint64_t kSerials = 1 << 25;
  static constexpr std::uint32_t kInstructions = (1 << 14) - 1;  ///< Saturated.

  /// `base`: where the address space begins.
  static Result<std::unique_ptr<RaceShadow>> Create(DevicePointer base);
  ~RaceShadow();
  RaceShadow(const RaceShadow&) = delete;
  RaceShadow& operator=(const RaceShadow&) = delete;

  /// Begins a launch, which makes all existing records those of earlier launches. `store_bytes`: the size of
  /// the kernel's smallest store. `in_turns`: its blocks take turns on one host thread.
  void StartLaunch(std::uint64_t blocks, std::uint32_t store_bytes, bool in_turns);
  /// The records of this launch are no longer needed.
  void EndLaunch() { is_under_way_ = false; }
  /// Returns the records of freed memory to the system.
  void Discard(DevicePointer start, std::uint64_t bytes);
  /// The same for a few bytes, whose pages stay.
  void Wipe(DevicePointer start, std::uint64_t bytes);
  std::uint64_t launch() const { return launch_; }
  int granule_shift() const { return granule_shift_; }
  bool in_turns() const { return in_turns_; }

  /// The records of an address in global memory.
  Records& At(DevicePointer address) const { return records_[GranuleAt(address)]; }
  Segment& SegmentAt(DevicePointer address) const { return segments_[GranuleAt(address) >> kSegmentShift]; }
  /// The granule's place in its segment.
  unsigned PlaceInSegment(DevicePointer address) const {
    return static_cast<unsigned>(GranuleAt(address) & (kSegment - 1));
  }
  /// The first read of a granule, whichever way it was recorded.
  std::uint64_t FirstRead(DevicePointer address) const;
  bool IsWritten(const Segment& segment) const {
    return segment.written_by.load(std::memory_order_relaxed) == launch_;
  }
  /// Comes before the write looks at the records of reads: whoever reads enters that first, and then looks
  /// whether somebody writes.
  void NoteWritten(Segment& segment) const {
    if (!IsWritten(segment)) segment.written_by.store(launch_, std::memory_order_relaxed);
  }

  /// A serial for a block that starts or has used up its ticks; 0 if there is none left.
  std::uint64_t NewSerial();
  bool IsOfThisLaunch(std::uint64_t serial) const { return serial >= first_serial_; }
  /// Records that all accesses of this serial's block before `tick` are ordered before later accesses of
  /// every block.
  void Release(std::uint64_t serial, std::uint64_t tick);
  std::uint64_t ReleasedUpTo(std::uint64_t serial) const { return released_[serial - first_serial_]; }

  bool IsNow(std::uint64_t first) const { return first >> kLaunchShift == launch_; }
  static std::uint64_t BlockOf(std::uint64_t first) { return (first >> 28) & 0xffffff; }
  static std::uint32_t InstructionOf(std::uint64_t first) { return (first >> 14) & kInstructions; }
  static std::uint32_t ThreadOf(std::uint64_t first) { return (first >> 4) & 0x3ff; }

  /// A first record of this launch, without flags.
  std::uint64_t First(std::uint64_t block, std::uint32_t instruction, std::uint32_t thread) const {
    const std::uint64_t at = instruction < kInstructions ? instruction : kInstructions;
    return (launch_ << kLaunchShift) | ((block & 0xffffff) << 28) | (at << 14) | (std::uint64_t{thread} << 4);
  }
  /// Merges an access into a first record. Sets `flag` in it if another block's access is already there.
  void Enter(Record& record, std::uint64_t mine, std::uint64_t flag) const {
    std::uint64_t old = record.load(std::memory_order_relaxed);
    // Most accesses follow one of the same block.
    if ((old ^ mine) >> 28 == 0 && old <= (mine | 0xf)) return;
    // Or one of an earlier block, if it is already recorded that there are several.
    if (IsNow(old) && (old & flag) == flag && (old & ~std::uint64_t{0xf}) <= mine) return;
    // Or is the first of this launch.
    if (!IsNow(old) && record.compare_exchange_strong(old, mine, std::memory_order_relaxed)) return;
    MergeRecord(record, mine, flag);
  }

  /// True if some granule was accessed by several blocks in this launch.
  std::atomic<bool> met{false};
  /// True if several host threads run the blocks of this launch: a write that another block has recorded may
  /// not have happened yet.
  std::atomic<bool> in_parallel{false};
  /// True if a block was waited for in vain: its value in this launch is another one.
  std::atomic<bool> differed{false};

 private:
  RaceShadow() = default;
  std::uint64_t GranuleAt(DevicePointer address) const { return (address - base_) >> granule_shift_; }
  std::uint64_t Merge(std::uint64_t old, std::uint64_t mine, std::uint64_t flag) const;
  void MergeRecord(Record& record, std::uint64_t mine, std::uint64_t flag) const;
  /// Calls discard(shift) for each size of granule that the records of some memory may have.
  template <class F>
  void ForEachShift(F discard);
  void Forget();

  Records* records_ = nullptr;
  Segment* segments_ = nullptr;
  DevicePointer base_ = 0;
  std::uint64_t launch_ = 0;
  int granule_shift_ = 2;
  /// Bit set of the values of granule_shift_ used since the records were last cleared.
  unsigned shifts_used_ = 0;
  bool is_under_way_ = false, must_forget_ = false;
  bool in_turns_ = false;
  std::uint64_t first_serial_ = 1;  ///< The first of this launch.
  std::atomic<std::uint64_t> next_serial_{1};
  std::vector<std::uint16_t> released_;  ///< Indexed by serial - first_serial_.
};

}  // namespace warplings::vgpu
