// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/virtual_gpu/memory/access_map.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Which allocations hold what a kernel has stored, and neither a later kernel nor a copy has read since.
/// Managed and pinned memory is left out, because the host reads it unseen. So is what may be scratch memory:
/// a kernel that stores to several arrays has also read it, or some other array is the program's result.
class UnreadResults {
 public:
  /// The arrays that a launch read, and those that it wrote.
  struct Touched {
    std::vector<DevicePointer> read, written;
  };
  /// Nothing of a launch whose accesses are not all known.
  static std::optional<Touched> Of(const std::optional<std::vector<AccessMap::TouchedArray>>& arrays);

  /// After such a launch; of one that is not known, nothing is noted any more. `object_of` names an array as
  /// the kernel knows it: "argument 2".
  void Note(const GlobalMemory& memory, const std::optional<Touched>& touched, const std::string& kernel,
            const std::function<Message(const Region&)>& object_of = {});
  /// A copy to the host has read these bytes. A long one comes in pieces, one behind the other. Returns
  /// whether a kernel may have stored them, so that they are the program's results.
  bool Read(const GlobalMemory& memory, DevicePointer address, std::uint64_t bytes);
  /// A copy read the array that holds this address, or something else has filled it.
  void Forget(const GlobalMemory& memory, DevicePointer address);
  /// A copy from the host has stored these bytes. A long one comes in pieces, one behind the other.
  void Overwrite(const GlobalMemory& memory, DevicePointer address, std::uint64_t bytes);
  /// From now on nothing is noted: a kernel may have read anything.
  void GiveUp();

  struct Unread {
    std::string kernel;  ///< That stored what is in the allocation.
    Message object{};    ///< What the allocation is to that kernel; empty if nobody asked.
    std::uint64_t overwritten =
        0;  ///< From the allocation's start on, copies from the host replaced so much.
    /// From its start on, one copy to the host read so much, and left the rest.
    std::uint64_t copied = 0;
    /// Something else that a kernel stored then or later has been copied to the host, or the host reads it
    /// unseen.
    bool has_other_result = false;
  };
  /// What is unread in the allocation at `start`, and forgets it.
  std::optional<Unread> Take(DevicePointer start);
  /// A copy within the device has moved results there.
  void NoteResult(const GlobalMemory& memory, DevicePointer address);
  /// The allocation is freed.
  void Release(DevicePointer start);

 private:
  /// Null: a result that the host reads unseen.
  void NoteOtherResult(const Region* result);
  void ReadUnread(const Region& region, DevicePointer address, std::uint64_t bytes);

  std::set<DevicePointer> results_;  ///< Live allocations and variables that kernels have stored to.
  std::map<DevicePointer, Unread> unread_;
  bool gave_up_ = false;
};

}  // namespace warplings::vgpu
