// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/virtual_gpu/memory/access_map.h"
#include "grader/virtual_gpu/memory/global_memory.h"

namespace warplings::vgpu {

/// Which arrays that the host shares (managed and pinned memory) kernels have stored only the first part of.
///
/// Theory of operation. The host stores there unseen. So nothing is said of an array that a kernel reads
/// where no kernel has stored before, or of whose rest any byte is not zero, as fresh memory is. Whether the
/// host has stored zeros there only its source tells (grader/build/managed_memory.h).
class PartlyStored {
 public:
  /// What a launch did with such an array; offsets in it.
  struct Touched {
    DevicePointer start = 0;
    std::uint64_t stored_begin = 0, stored_end = 0, read_end = 0;
    bool has_gaps = false;  ///< In between not all is stored, or it is not known what is.
  };
  static std::vector<Touched> Of(const GlobalMemory& memory,
                                 const std::vector<AccessMap::TouchedArray>& arrays);

  /// After a launch: `name` is that of an array for those who know the kernel's arguments. Of a launch whose
  /// accesses are not known, nothing is noted any more.
  void Note(const GlobalMemory& memory, const std::optional<std::vector<Touched>>& touched,
            const std::string& kernel, const std::function<Message(const Region&)>& name);
  /// A copy or a memset has stored in the array that holds this address.
  void Forget(const GlobalMemory& memory, DevicePointer address);
  void GiveUp();

  struct Part {
    std::string kernel;  ///< The last one that stored a further part.
    Message array;
    std::uint64_t stored = 0, bytes = 0;  ///< The first so many of all bytes.
  };
  /// Of the array at `start`, and forgets it. Nothing where all is stored, or the host may have stored the
  /// rest.
  std::optional<Part> Take(const GlobalMemory& memory, DevicePointer start);

 private:
  struct Known {
    Part part;
    bool is_unclear = false;
  };
  std::map<DevicePointer, Known> arrays_;
  bool gave_up_ = false;
};

}  // namespace warplings::vgpu
