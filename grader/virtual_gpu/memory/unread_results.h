// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/virtual_gpu/memory/access_map.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Which allocations hold what a kernel has stored, and neither a later kernel nor a copy has read since.
/// Managed and pinned memory is left out, because the host reads it unseen.
class UnreadResults {
 public:
  /// The arrays that a launch read, and those that it wrote.
  struct Touched {
    std::vector<DevicePointer> read, written;
  };
  /// Nothing of a launch whose accesses are not all known.
  static std::optional<Touched> Of(const std::optional<std::vector<AccessMap::TouchedArray>>& arrays);

  /// After such a launch; of one that is not known, nothing is noted any more.
  void Note(const GlobalMemory& memory, const std::optional<Touched>& touched, const std::string& kernel);
  /// A copy to the host has read these bytes. A long one comes in pieces, one behind the other.
  void Read(const GlobalMemory& memory, DevicePointer address, std::uint64_t bytes);
  /// A copy read the array that holds this address, or something else has filled it.
  void Forget(const GlobalMemory& memory, DevicePointer address);
  /// A copy from the host has stored these bytes. A long one comes in pieces, one behind the other.
  void Overwrite(const GlobalMemory& memory, DevicePointer address, std::uint64_t bytes);
  /// From now on nothing is noted: a kernel may have read anything.
  void GiveUp();

  struct Unread {
    std::string kernel;  ///< That stored what is in the allocation.
    std::uint64_t overwritten =
        0;  ///< From the allocation's start on, copies from the host replaced so much.
    /// From its start on, one copy to the host read so much, and left the rest.
    std::uint64_t copied = 0;
  };
  /// What is unread in the allocation at `start`, and forgets it.
  std::optional<Unread> Take(DevicePointer start);

 private:
  std::map<DevicePointer, Unread> unread_;
  bool gave_up_ = false;
};

}  // namespace warplings::vgpu
