// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/child_launches.h"

#include <algorithm>
#include <cstring>

#include "grader/device/launch_check.h"
#include "grader/messages/findings.h"
#include "grader/virtual_gpu/checks/fault_reporter.h"
#include "grader/virtual_gpu/machine/faults.h"
#include "grader/virtual_gpu/ptx/device_runtime.h"

namespace warplings::vgpu {
namespace {

/// cudaErrorLaunchPendingCountExceeded: an H200 returns it where kernels nest as deeply as launches may be
/// pending.
constexpr CudaError kPendingCountExceeded{69};
/// Streams that need no making: 0, cudaStreamLegacy, cudaStreamPerThread, cudaStreamTailLaunch,
/// cudaStreamFireAndForget.
constexpr std::uint64_t kTailStream = 3, kLastOwnStream = 4;

/// cudaMemcpyKind.
constexpr std::int32_t kDeviceToDevice = 3, kDefaultDirection = 4;

/// Shared or local memory, which a grid has for itself.
bool IsOwnMemory(std::uint64_t address) {
  return address - kSharedWindow < kWindowBytes || address - kLocalWindow < kWindowBytes;
}

std::pair<std::uint64_t, std::uint32_t> ThreadOf(const WarpContext& warp, int lane) {
  return {warp.block->linear_index, warp.index * kWarpSize + static_cast<std::uint32_t>(lane)};
}

}  // namespace

std::string ChildLaunch::Name() const {
  if (kernel != nullptr) return kernel->program->plain_name;
  return transfer.source ? "cudaMemcpyAsync" : "cudaMemsetAsync";
}

DevicePointer ChildLaunches::Refuse(WarpContext& warp, const Inst& inst, int lane, CudaError error,
                                    const Message& what) {
  warp.block->faults->InvalidLaunch(warp, inst, lane, Severity::kError, what);
  NoteError(warp, lane, error);
  return 0;
}

DevicePointer ChildLaunches::Prepare(WarpContext& warp, const Inst& inst, int lane, const Shape& shape) {
  const GridRequest& grid = *warp.block->grid;
  const auto kernel = find_(shape.kernel);
  if (!kernel) return Refuse(warp, inst, lane, kernel.error().code, kernel.error().message);
  ChildLaunch child{.kernel = *kernel,
                    .request = {.kernel = (*kernel)->info.id,
                                .grid = shape.grid,
                                .block = shape.block,
                                .dynamic_shared_bytes = shape.dynamic_shared_bytes,
                                .stream = 0,
                                .cooperative = false,
                                .arguments = std::vector<std::byte>((*kernel)->info.argument_bytes)},
                    .where = grid.program->Where(inst),
                    .depth = depth_ + 1};
  // Whatever is wrong, an H200 returns this.
  if (auto allowed = CheckLaunch(profile_, (*kernel)->limits, child.request); !allowed)
    return Refuse(warp, inst, lane, CudaError::kInvalidConfiguration, allowed.error().message);
  argument_bytes_ += child.request.arguments.size();
  if (launched_.size() >= ChildLimits::kMostChildren || argument_bytes_ > ChildLimits::kMostArgumentBytes)
    return Refuse(warp, inst, lane, kPendingCountExceeded, say::too_many_children(launched_.size()));
  const auto buffer = grid.memory->AllocateOnHeap(
      grid.client, std::max<std::uint64_t>(child.request.arguments.size(), sizeof(std::uint64_t)));
  if (!buffer) return Refuse(warp, inst, lane, CudaError::kMemoryAllocation, buffer.error().message);
  prepared_[(*buffer)->start] = std::move(child);
  return (*buffer)->start;
}

CudaError ChildLaunches::Launch(WarpContext& warp, const Inst& inst, int lane, DevicePointer arguments,
                                std::uint64_t stream) {
  auto prepared = prepared_.extract(arguments);
  if (!prepared) return CudaError::kInvalidValue;
  ChildLaunch& child = prepared.mapped();
  std::memcpy(child.request.arguments.data(), HostPointer(arguments), child.request.arguments.size());
  return Add(warp, inst, lane, std::move(child), stream);
}

CudaError ChildLaunches::Move(WarpContext& warp, const Inst& inst, int lane, const Transfer& transfer,
                              std::int32_t kind, std::uint64_t stream) {
  // An H200 returns these errors, and also copies nothing where there are no bytes.
  constexpr CudaError kInvalidDirection{21};
  if (transfer.source && kind != kDeviceToDevice && kind != kDefaultDirection) {
    Refuse(warp, inst, lane, kInvalidDirection, say::copies_to_host_in_kernel());
    return kInvalidDirection;
  }
  if (transfer.bytes == 0) return CudaError::kSuccess;
  const GridRequest& grid = *warp.block->grid;
  ChildLaunch child{.kernel = nullptr,
                    .request = {},
                    .transfer = transfer,
                    .launched_by = grid.program->plain_name,
                    .block = warp.block->index,
                    .thread = ThreadIndex(grid.block, warp.index, static_cast<std::uint32_t>(lane)),
                    .where = grid.program->Where(inst),
                    .depth = depth_ + 1};
  if (IsOwnMemory(transfer.target) || (transfer.source && IsOwnMemory(*transfer.source))) {
    Refuse(warp, inst, lane, CudaError::kInvalidValue, say::transfers_own_memory(child.Name()));
    return CudaError::kInvalidValue;
  }
  // As with any access that is out of bounds, nothing is done, and the kernel goes on.
  if (!IsWithinMemory(warp, inst, lane, transfer)) return CudaError::kSuccess;
  if (launched_.size() >= ChildLimits::kMostChildren) {
    Refuse(warp, inst, lane, kPendingCountExceeded, say::too_many_children(launched_.size()));
    return kPendingCountExceeded;
  }
  return Add(warp, inst, lane, std::move(child), stream);
}

bool ChildLaunches::IsWithinMemory(WarpContext& warp, const Inst& inst, int lane, const Transfer& transfer) {
  const GlobalMemory& memory = *warp.block->grid->memory;
  bool is_within = true;
  const auto check = [&](DevicePointer address, Access access) {
    const Region* region = memory.Find(address);
    const bool is_constant = region != nullptr && region->is_constant && access == Access::kWrite;
    if (memory.Contains(address, transfer.bytes) && !is_constant) return;
    is_within = false;
    const auto bytes = std::min<std::uint64_t>(transfer.bytes, ~std::uint32_t{0});
    warp.block->faults->OutOfBoundsGlobal(warp, inst, lane, address, static_cast<std::uint32_t>(bytes),
                                          access);
  };
  check(transfer.target, Access::kWrite);
  if (transfer.source) check(*transfer.source, Access::kRead);
  return is_within;
}

CudaError ChildLaunches::Add(WarpContext& warp, const Inst& inst, int lane, ChildLaunch child,
                             std::uint64_t stream) {
  if (stream > kLastOwnStream && stream != ptx::kDeviceStream) {
    Refuse(warp, inst, lane, CudaError::kInvalidValue, say::child_in_foreign_stream());
    return CudaError::kInvalidValue;
  }
  // What runs after the grid has ended does not nest in it.
  child.is_tail = stream == kTailStream;
  if (child.is_tail) child.depth = depth_;
  if (child.depth >= limits_.pending) {
    Refuse(warp, inst, lane, kPendingCountExceeded, say::kernels_nest_too_deeply(limits_.pending));
    return kPendingCountExceeded;
  }
  if (child.kernel != nullptr && PassesOwnMemory(warp, inst, lane, child)) return CudaError::kSuccess;
  if (launched_.size() == limits_.pending) {
    warp.block->faults->InvalidLaunch(warp, inst, lane, Severity::kWarning,
                                      say::many_launches_pending(limits_.pending));
  }
  launched_.push_back(std::move(child));
  return CudaError::kSuccess;
}

bool ChildLaunches::PassesOwnMemory(WarpContext& warp, const Inst& inst, int lane, const ChildLaunch& child) {
  for (const KernelParameter& parameter : child.kernel->info.parameters) {
    std::uint64_t value = 0;
    if (parameter.bytes != sizeof value) continue;
    std::memcpy(&value, child.request.arguments.data() + parameter.offset, sizeof value);
    if (!IsOwnMemory(value)) continue;
    const bool is_shared = value - kSharedWindow < kWindowBytes;
    const std::string& name = child.kernel->program->plain_name;
    warp.block->faults->InvalidLaunch(
        warp, inst, lane, Severity::kError,
        is_shared ? say::passes_shared_memory(name) : say::passes_local_memory(name));
    passed_own_memory_ = true;
    return true;
  }
  return false;
}

CudaError ChildLaunches::LastError(const WarpContext& warp, int lane, bool clears) {
  const auto entry = errors_.find(ThreadOf(warp, lane));
  if (entry == errors_.end()) return CudaError::kSuccess;
  const CudaError error = entry->second;
  if (clears) errors_.erase(entry);
  return error;
}

void ChildLaunches::NoteError(const WarpContext& warp, int lane, CudaError error) {
  if (error == CudaError::kSuccess) return;
  // Blocks that have ended ask no more.
  if (errors_.size() >= ChildLimits::kMostErrors)
    std::erase_if(errors_, [&](const auto& entry) { return entry.first.first != warp.block->linear_index; });
  errors_[ThreadOf(warp, lane)] = error;
}

std::vector<ChildLaunch> ChildLaunches::Take() {
  std::ranges::stable_partition(launched_, [](const ChildLaunch& child) { return !child.is_tail; });
  return std::exchange(launched_, {});
}

}  // namespace warplings::vgpu
