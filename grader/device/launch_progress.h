// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "grader/device/shared_memory.h"

namespace warplings {

/// How far the running launch is, in memory that the device process shares with who started it: the process
/// itself answers nobody while a kernel runs. All zeros at first.
///
/// The device process writes, the other side shows it to somebody. Nothing else depends on it, so a device
/// process that a submission has taken over can spoil what is shown, and no more.
class LaunchProgress {
 public:
  using Clock = std::chrono::steady_clock;  // One clock for all processes of a machine.

  /// A launch that runs.
  struct Running {
    std::uint64_t number = 0;  ///< Of all launches of the process, from 1.
    std::string kernel;        ///< Any bytes, at most kNameBytes.
    std::uint64_t finished = 0, blocks = 0;
    Clock::duration elapsed{};
  };
  static constexpr std::size_t kNameBytes = 128;

  /// Where both sides have it; null if there is no memory.
  static LaunchProgress* In(const SharedMemory& memory) {
    return reinterpret_cast<LaunchProgress*>(memory.valid() ? memory.bytes().data() : nullptr);
  }

  // --- The device process.

  /// While it exists, a launch runs. Waits at its end until the launch is no longer shown, for a moment at
  /// most, so that what the program prints next comes on a line of its own.
  class Launch {
   public:
    /// Null: nobody is shown anything.
    Launch(LaunchProgress* progress, std::string_view kernel, std::uint64_t blocks);
    ~Launch();
    Launch(const Launch&) = delete;
    Launch& operator=(const Launch&) = delete;
    /// Where to count the blocks that have ended; may be null.
    std::atomic<std::uint64_t>* finished() const;

   private:
    LaunchProgress* const progress_;
  };
  /// A launch that need not run has a number, too.
  void Skip() { launches_.fetch_add(1, std::memory_order_relaxed); }

  // --- The other side.

  /// The running launch, if there is one.
  std::optional<Running> Look() const;
  /// Must be called before a launch is shown, and shown only if it returns true: the launch still runs. Hide
  /// must follow, once nothing is shown any more.
  bool MayShow(const Running& launch);
  void Hide() { is_shown_ = false; }

 private:
  std::atomic<std::uint64_t> running_ = 0;  ///< The number of the launch that runs; 0: none does.
  std::atomic<std::uint64_t> launches_ = 0, blocks_ = 0;
  std::atomic<Clock::rep> start_ = 0;
  std::atomic<bool> is_shown_ = false;
  std::array<std::atomic<char>, kNameBytes> kernel_{};
  /// Host threads write it for each block: it has a cache line of its own.
  alignas(64) std::atomic<std::uint64_t> finished_ = 0;
};

}  // namespace warplings
