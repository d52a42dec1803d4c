// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "grader/core/result.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Who wrote and who read each 4-byte word of global memory in the launch under way.
///
/// *First* records hold the least (block, instruction, thread) that wrote, or read, the word, and whether
/// several blocks did. They come out the same in whatever order blocks run, which is why races between
/// blocks are found from them when the launch has ended. *Last* records serve the check within a block:
/// they hold the latest access with its barrier epoch.
///
///     first: launch 12 | block 24 | instruction 14 | thread 10 | flags 4
///     last:  launch 12 | block 20 | epoch 12 | warp 5 | by several warps 1 | instruction 14
class RaceShadow {
 public:
  using Record = std::atomic<std::uint64_t>;
  static constexpr std::uint64_t kMany = 1;       ///< By several blocks.
  static constexpr std::uint64_t kDifferent = 2;  ///< … with different values.
  static constexpr int kLaunchShift = 52;
  static constexpr std::uint64_t kLaunches = 1 << 12;
  static constexpr std::uint32_t kInstructions = (1 << 14) - 1;  ///< Saturated.

  static Result<std::unique_ptr<RaceShadow>> Create();
  ~RaceShadow();
  RaceShadow(const RaceShadow&) = delete;
  RaceShadow& operator=(const RaceShadow&) = delete;

  /// Begins a launch: all records are those of launches before it.
  void StartLaunch();
  std::uint64_t launch() const { return launch_; }

  Record& FirstWrite(DevicePointer address) const { return At(0, address); }
  Record& FirstRead(DevicePointer address) const { return At(1, address); }
  Record& LastWrite(DevicePointer address) const { return At(2, address); }
  Record& LastRead(DevicePointer address) const { return At(3, address); }

  bool IsNow(std::uint64_t record) const { return record >> kLaunchShift == launch_; }
  static std::uint64_t BlockOf(std::uint64_t first) { return (first >> 28) & 0xffffff; }
  static std::uint32_t InstructionOf(std::uint64_t first) { return (first >> 14) & kInstructions; }
  static std::uint32_t ThreadOf(std::uint64_t first) { return (first >> 4) & 0x3ff; }

  /// Enters an access into a first record. `flag` is set if another block is there already.
  void Enter(Record& record, std::uint64_t block, std::uint32_t instruction, std::uint32_t thread,
             std::uint64_t flag) const;

  /// Some access of this launch met one of another block.
  std::atomic<bool> met{false};

 private:
  RaceShadow() = default;
  // The four records of a word lie together: an access touches two or three of them.
  Record& At(int which, DevicePointer address) const {
    return records_[((address - GlobalMemory::kBase) >> 2) * 4 + static_cast<std::uint64_t>(which)];
  }

  Record* records_ = nullptr;
  std::uint64_t launch_ = 0;
};

}  // namespace warplings::vgpu
