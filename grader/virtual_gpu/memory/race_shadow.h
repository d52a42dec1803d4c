// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "grader/base/result.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Who wrote and who read each granule of global memory in the launch under way: a 4-byte word, or less in
/// kernels that store less.
///
/// *First* records hold the least (block, instruction, thread) that wrote, or read, the granule, and whether
/// several blocks did. They come out the same in whatever order blocks run, which is why races between
/// blocks are found from them when the launch has ended. *Last* records hold the latest access; serials
/// number the blocks of all launches.
///
///     first: launch 12 | block 24 | instruction 14 | thread 10 | flags 4
///     last:  serial 25 | tick 12 | warp 5 | lane 5 | by several warps 1, lanes 1 | strong 1 | instruction 14
class RaceShadow {
 public:
  using Record = std::atomic<std::uint64_t>;
  /// An access touches most of a granule's records: they lie together.
  struct Records {
    Record first_write, first_read, last_write, last_read;
  };
  static constexpr std::uint64_t kMany = 1;       ///< By several blocks.
  static constexpr std::uint64_t kDifferent = 2;  ///< … with different values.
  static constexpr int kLaunchShift = 52;
  static constexpr std::uint64_t kLaunches = 1 << 12;
  static constexpr std::uint64_t kSerials = 1 << 25;
  static constexpr std::uint32_t kInstructions = (1 << 14) - 1;  ///< Saturated.

  static Result<std::unique_ptr<RaceShadow>> Create();
  ~RaceShadow();
  RaceShadow(const RaceShadow&) = delete;
  RaceShadow& operator=(const RaceShadow&) = delete;

  /// Begins a launch: all records are those of launches before it. `store_bytes`: the least that the kernel
  /// stores at once. `in_turns`: its blocks run in turns, on one host thread.
  void StartLaunch(std::uint64_t blocks, std::uint32_t store_bytes, bool in_turns);
  /// Nobody asks for the records of this launch any more.
  void EndLaunch() { is_under_way_ = false; }
  /// These addresses' memory was freed: their records go back to the machine.
  void Discard(DevicePointer start, std::uint64_t bytes);
  std::uint64_t launch() const { return launch_; }
  int granule_shift() const { return granule_shift_; }
  bool in_turns() const { return in_turns_; }

  /// Of an address in global memory.
  Records& At(DevicePointer address) const {
    return records_[(address - GlobalMemory::kBase) >> granule_shift_];
  }

  /// For a block that starts, or whose ticks are used up; 0: all are used up.
  std::uint64_t NewSerial();
  bool IsOfThisLaunch(std::uint64_t serial) const { return serial >= first_serial_; }
  /// What the block of this serial did before `tick` is in order with everybody.
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
  /// Enters an access into a first record. `flag` is set if another block is there already.
  void Enter(Record& record, std::uint64_t mine, std::uint64_t flag) const {
    const std::uint64_t old = record.load(std::memory_order_relaxed);
    // Most accesses come behind one of the same block.
    if ((old ^ mine) >> 28 == 0 && old <= (mine | 0xf)) return;
    // Or one of a block before it, by which it is known that there are several.
    if (IsNow(old) && (old & flag) == flag && (old & ~std::uint64_t{0xf}) <= mine) return;
    EnterSlowly(record, mine, flag);
  }

  /// Some access of this launch met one of another block.
  std::atomic<bool> met{false};

 private:
  RaceShadow() = default;
  void EnterSlowly(Record& record, std::uint64_t mine, std::uint64_t flag) const;
  void Forget();

  Records* records_ = nullptr;
  std::uint64_t launch_ = 0;
  int granule_shift_ = 2;
  unsigned shifts_used_ = 0;  ///< A bit for each granule_shift_ since records were last forgotten.
  bool is_under_way_ = false, must_forget_ = false;
  bool in_turns_ = false;
  std::uint64_t first_serial_ = 1;  ///< Of this launch.
  std::atomic<std::uint64_t> next_serial_{1};
  std::vector<std::uint16_t> released_;  ///< By serial, from first_serial_ on.
};

}  // namespace warplings::vgpu
