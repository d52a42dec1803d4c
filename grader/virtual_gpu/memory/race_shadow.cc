// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/race_shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <memory>

namespace warplings::vgpu {
namespace {

constexpr std::size_t kBytes = GlobalMemory::kReservedBytes / 4 * 4 * sizeof(std::uint64_t);

}  // namespace

Result<std::unique_ptr<RaceShadow>> RaceShadow::Create() {
  std::unique_ptr<RaceShadow> shadow(new RaceShadow);
  void* mapped =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    return GraderError("The virtual GPU cannot reserve addresses for its race check (8 TiB, not memory).",
                       "Check 'ulimit -v' and /proc/sys/vm/overcommit_memory (2 forbids it).");
  }
  shadow->records_ = static_cast<Record*>(mapped);
  return shadow;
}

RaceShadow::~RaceShadow() {
  if (records_) munmap(records_, kBytes);
}

void RaceShadow::StartLaunch() {
  met = false;
  if (++launch_ < kLaunches) return;
  // The numbers begin again: records of old would look like new ones.
  madvise(records_, kBytes, MADV_DONTNEED);
  launch_ = 1;
}

void RaceShadow::Enter(Record& record, std::uint64_t block, std::uint32_t instruction, std::uint32_t thread,
                       std::uint64_t flag) const {
  const std::uint64_t mine = (launch_ << kLaunchShift) | ((block & 0xffffff) << 28) |
                             (std::uint64_t{std::min(instruction, kInstructions)} << 14) |
                             (std::uint64_t{thread} << 4);
  std::uint64_t old = record.load(std::memory_order_relaxed);
  for (;;) {
    std::uint64_t entered = mine;
    if (IsNow(old)) {
      const std::uint64_t flags = (old & 0xf) | (BlockOf(old) != BlockOf(mine) ? flag : 0);
      entered = std::min(old & ~std::uint64_t{0xf}, mine) | flags;
    }
    if (entered == old || record.compare_exchange_weak(old, entered, std::memory_order_relaxed)) return;
  }
}

}  // namespace warplings::vgpu
