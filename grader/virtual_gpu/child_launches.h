// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "grader/virtual_gpu/loaded_kernel.h"
#include "grader/virtual_gpu/machine/device_launches.h"

namespace warplings::vgpu {

/// A launch, a copy or a fill that a kernel made. The children of a grid run after its blocks, in the order
/// of their launches, each with its own children before the next; those in the stream cudaStreamTailLaunch
/// run after all others. That is an order that CUDA allows, whatever streams they are in.
struct ChildLaunch {
  const LoadedKernel* kernel = nullptr;  ///< Null: a transfer.
  LaunchRequest request;
  DeviceLaunches::Transfer transfer{};
  /// Of a transfer: the kernel, block and thread that launched it, as in findings.
  std::string launched_by{};
  Dim3 block{0, 0, 0}, thread{0, 0, 0};
  SourceLine where;    ///< The line that launches it.
  unsigned depth = 1;  ///< Grids that wait for it to end: 1 for a child of a grid that the host launched.
  bool is_tail = false;

  /// "cudaMemcpyAsync", where it is one.
  std::string Name() const;
};

/// What the launches of one host launch have in common.
struct ChildLimits {
  std::uint64_t pending = 2048;  ///< cudaLimitDevRuntimePendingLaunchCount.
  /// More children of one grid than that could fill the machine's memory.
  static constexpr std::size_t kMostChildren = std::size_t{1} << 17;
  static constexpr std::size_t kMostArgumentBytes = std::size_t{1} << 28;  ///< Of the children of one grid.
  /// Threads that have an error to ask for.
  static constexpr std::size_t kMostErrors = std::size_t{1} << 17;
};

/// Takes the launches of one grid.
class ChildLaunches final : public DeviceLaunches {
 public:
  /// The kernel at an address; null where there is none.
  using FindKernel = std::function<CudaResult<const LoadedKernel*>(std::uint64_t address)>;

  ChildLaunches(FindKernel find, const DeviceProfile& profile, const ChildLimits& limits, unsigned depth)
      : find_(std::move(find)), profile_(profile), limits_(limits), depth_(depth) {}

  DevicePointer Prepare(WarpContext& warp, const Inst& inst, int lane, const Shape& shape) override;
  CudaError Launch(WarpContext& warp, const Inst& inst, int lane, DevicePointer arguments,
                   std::uint64_t stream) override;
  CudaError Move(WarpContext& warp, const Inst& inst, int lane, const Transfer& transfer, std::int32_t kind,
                 std::uint64_t stream) override;
  bool IsPrepared(DevicePointer arguments) const override { return prepared_.contains(arguments); }
  CudaError LastError(const WarpContext& warp, int lane, bool clears) override;
  void NoteError(const WarpContext& warp, int lane, CudaError error) override;

  /// In the order in which they run.
  std::vector<ChildLaunch> Take();
  /// A grid passed a pointer to its own shared or local memory to one that it launched.
  bool passed_own_memory() const { return passed_own_memory_; }

 private:
  DevicePointer Refuse(WarpContext& warp, const Inst& inst, int lane, CudaError error, const Message& what);
  /// Adds it to what runs after the grid, unless there is something wrong with that.
  CudaError Add(WarpContext& warp, const Inst& inst, int lane, ChildLaunch child, std::uint64_t stream);
  /// Whether the thread can access what a transfer does; says so otherwise.
  static bool IsWithinMemory(WarpContext& warp, const Inst& inst, int lane, const Transfer& transfer);
  /// Whether an argument is a pointer to the shared or local memory of the grid; says so.
  bool PassesOwnMemory(WarpContext& warp, const Inst& inst, int lane, const ChildLaunch& child);

  const FindKernel find_;
  const DeviceProfile& profile_;
  const ChildLimits limits_;
  const unsigned depth_;  ///< Of the grid: 0 for one that the host launched.
  std::map<DevicePointer, ChildLaunch> prepared_;
  std::vector<ChildLaunch> launched_;
  std::size_t argument_bytes_ = 0;  ///< Of all that are prepared or launched.
  std::map<std::pair<std::uint64_t, std::uint32_t>, CudaError> errors_;  ///< By block and thread.
  bool passed_own_memory_ = false;
};

}  // namespace warplings::vgpu
