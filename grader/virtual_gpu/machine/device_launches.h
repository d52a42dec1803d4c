// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "grader/virtual_gpu/machine/context.h"

namespace warplings::vgpu {

/// The launches, copies and fills that a running grid makes (dynamic parallelism). They run when all its
/// blocks have ended (child_launches.h): CUDA 12 gives a kernel nothing to wait for them with.
class DeviceLaunches {
 public:
  virtual ~DeviceLaunches() = default;

  struct Shape {
    std::uint64_t kernel = 0;  ///< Its address.
    Dim3 grid, block;
    std::uint32_t dynamic_shared_bytes = 0;
  };
  /// Where the thread is to store the kernel's arguments; 0: the launch is refused, and the thread's last
  /// error says why.
  virtual DevicePointer Prepare(WarpContext& warp, const Inst& inst, int lane, const Shape& shape) = 0;
  /// Launches what was prepared.
  virtual CudaError Launch(WarpContext& warp, const Inst& inst, int lane, DevicePointer arguments,
                           std::uint64_t stream) = 0;
  /// A copy within the device or, without a source, a fill.
  struct Transfer {
    DevicePointer target = 0;
    std::optional<DevicePointer> source;
    std::uint8_t value = 0;  ///< Of a fill.
    std::uint64_t bytes = 0;
  };
  /// Does the transfer in its place among the launches. `kind`: cudaMemcpyKind, of a copy.
  virtual CudaError Move(WarpContext& warp, const Inst& inst, int lane, const Transfer& transfer,
                         std::int32_t kind, std::uint64_t stream) = 0;
  /// Whether Prepare returned it, and nothing has been launched with it.
  virtual bool IsPrepared(DevicePointer arguments) const = 0;
  /// The thread's last error.
  virtual CudaError LastError(const WarpContext& warp, int lane, bool clears) = 0;
  virtual void NoteError(const WarpContext& warp, int lane, CudaError error) = 0;
};

}  // namespace warplings::vgpu
