// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

#include "grader/core/access_sample.h"

namespace warplings::vgpu {

/// A request of one block, with what its order goes by.
struct LoggedAccess {
  std::uint32_t instruction = 0;  ///< Position in the program.
  std::uint64_t block = 0;        ///< Linear.
  AccessSample sample;
};

/// Takes the requests that host threads have noted of one launch. What is noted depends on nothing but the
/// program and the shape of the launch, so neither on the number of threads nor on which came first.
class AccessLog {
 public:
  /// Needs no memory: it is called where nothing may fail.
  void Add(std::list<LoggedAccess> part);
  /// In the order of instructions, blocks, warps and visits; `most` of them at most. `only_first_block`: of a
  /// grid that was broken off, since how far other blocks had come is chance.
  std::vector<AccessSample> Take(std::size_t most, bool only_first_block);

 private:
  std::mutex mutex_;
  std::list<LoggedAccess> all_;
};

}  // namespace warplings::vgpu
