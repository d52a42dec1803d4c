// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace warplings {

/// How much memory this process may use, together with all that it starts.
struct UsableMemory {
  std::uint64_t bytes = 0;
  /// The file of the control group that says so; empty if it is all that the machine has.
  std::filesystem::path limit;
};

/// The machine's physical memory, in use or not, or less if a control group of this process has a limit:
/// memory.max of cgroup v2, memory.limit_in_bytes of v1. Slurm, containers and systemd set them. Who passes
/// such a limit gets no error from malloc or mmap: the kernel kills a process of the group, as cgroup-v2.rst
/// says of memory.max. `root` is where proc/ and the control groups are looked for.
///
/// We make no control groups of our own. Beyond memory.max the kernel kills a process, while rlimits and the
/// device's budget give an ordinary error. And to divide its group, a program must first move itself and all
/// other processes out of it.
UsableMemory FindUsableMemory(const std::filesystem::path& root = "/");

}  // namespace warplings
