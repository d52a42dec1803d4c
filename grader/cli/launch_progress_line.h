// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "grader/base/message.h"
#include "grader/device/launch_progress.h"

namespace warplings {

/// "matmul, launch 3: 412 of 1,600 blocks, about 40 s left". Before 2 % of the blocks have ended, the time
/// that the launch has taken stands in the place of an estimate.
Message DescribeLaunchProgress(const LaunchProgress::Running& launch);

/// Shows how far a long launch of somebody's program is, on a thread of its own: on a terminal as one line
/// that is drawn again and again, otherwise as plain lines, some time apart.
///
/// The program writes to the same terminal, and may have left its cursor anywhere in a line. So our line is
/// drawn below that one, and the cursor put back. It is gone before the program learns that the launch has
/// ended (LaunchProgress::Launch).
class LaunchProgressLine {
 public:
  struct Times {
    std::chrono::milliseconds first;    ///< How long a launch must have run.
    std::chrono::milliseconds between;  ///< Each further line.
  };

  /// On standard error. `progress` is null if there is nothing to show.
  explicit LaunchProgressLine(LaunchProgress* progress);
  /// `in_place`: on a terminal.
  LaunchProgressLine(LaunchProgress* progress, std::FILE* out, bool in_place, Times times)
      : progress_(progress), out_(out), in_place_(in_place), times_(times) {}
  ~LaunchProgressLine() { End(); }
  LaunchProgressLine(const LaunchProgressLine&) = delete;
  LaunchProgressLine& operator=(const LaunchProgressLine&) = delete;

  /// A thread does not survive fork: so not before the program has been started.
  void Start();
  /// Nothing is shown any more when it returns.
  void End();

 private:
  void Watch(const std::stop_token& stop);
  void Look();
  void Draw(const LaunchProgress::Running& launch);
  void Erase();

  LaunchProgress* const progress_;
  std::FILE* const out_;
  const bool in_place_;
  const Times times_;
  std::uint64_t watched_ = 0, drawn_ = 0;  ///< Numbers of launches; 0: none.
  std::chrono::nanoseconds next_{};        ///< The watched launch's next line, from its start.
  std::jthread thread_;
};

}  // namespace warplings
