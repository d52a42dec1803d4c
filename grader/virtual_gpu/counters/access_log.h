// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

#include "grader/core/access_sample.h"

namespace warplings::vgpu {

/// A recorded request, with the keys by which requests are sorted.
struct LoggedAccess {
  std::uint32_t instruction = 0;  ///< Position in the program.
  std::uint64_t block = 0;        ///< Linear index.
  AccessSample sample;
};

/// Collects the requests that host threads have recorded in one launch. What is recorded depends only on the
/// program and the dimensions of the launch, not on the number or timing of host threads.
class AccessLog {
 public:
  /// Allocates no memory, because it is called where failure is not possible.
  void Add(std::list<LoggedAccess> part);
  /// Returns at most `most` requests, sorted by instruction, block, warp and visit. Set `only_first_block`
  /// for a grid that was stopped early, because how far the other blocks had got is random.
  std::vector<AccessSample> Take(std::size_t most, bool only_first_block);

 private:
  std::mutex mutex_;
  std::list<LoggedAccess> all_;
};

}  // namespace warplings::vgpu
