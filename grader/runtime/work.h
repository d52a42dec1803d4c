// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "grader/runtime/cuda_abi.h"
#include "grader/runtime/runtime.h"

/// Work that goes to a stream, now or when a graph is launched: kernels (launch.cc), copies and fills
/// (copies.cc).
namespace warplings::runtime {

struct KernelWork {
  const void* function = nullptr;
  CudaDim3 grid{1, 1, 1}, block{1, 1, 1};
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::byte> arguments;  ///< The argument block.
};

/// A copy or fill of `depth` slices of `height` rows; rows are contiguous if the pitch equals the width.
struct Rectangle {
  void* target = nullptr;
  std::size_t target_pitch = 0;
  const void* source = nullptr;
  std::size_t source_pitch = 0;
  std::size_t width_bytes = 0, height = 1;
  std::size_t depth = 1, target_slice = 0, source_slice = 0;
};
struct CopyWork {
  Rectangle shape;
  int kind = 0;
  bool host_waits = false;  ///< cudaMemcpy and its like, without Async.
};

struct FillWork {
  void* target = nullptr;
  std::size_t pitch = 0;
  unsigned value = 0, element_bytes = 1;
  std::size_t width_bytes = 0, height = 1, depth = 1, slice = 0;
};

Outcome PackKernel(Runtime& runtime, KernelWork& work, void** arguments);
/// Whether the device would launch it so.
Outcome CheckKernel(Runtime& runtime, const KernelWork& work);
Outcome RunKernel(Runtime& runtime, const KernelWork& work, void* stream);
/// What is wrong with a copy before its stream is asked.
Outcome CheckCopy(Runtime& runtime, const CopyWork& work);
Outcome RunCopy(Runtime& runtime, const CopyWork& work, void* stream);
Outcome CheckFill(Runtime& runtime, const FillWork& work);
Outcome RunFill(Runtime& runtime, const FillWork& work, void* stream);
/// What cudaMemcpy3D's argument says.
struct Copy3D;
Outcome ToCopyWork(const Copy3D* parameters, CopyWork& work);
/// A call that copies: `placed` is what was wrong with its arguments.
int CopyPlaced(const char* call, const Outcome& placed, const CopyWork& work, void* stream, bool waits);

/// A call that fills.
int FillPlaced(const char* call, const FillWork& work, void* stream);
/// A call that launches a kernel whose arguments are packed already, in `bytes` bytes.
int LaunchPacked(const char* call, KernelWork work, const std::byte* arguments, std::size_t bytes,
                 void* stream);

}  // namespace warplings::runtime
