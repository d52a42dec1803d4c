// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "grader/runtime/runtime.h"
#include "grader/runtime/work.h"

/// Memory of the program's own that cudaHostRegister has pinned.
///
/// Theory of operation. The pages that a registered range touches are replaced: pinned memory is allocated on
/// the device, gets their contents, and is mapped in their place. So the program and the device process share
/// them, as they share what cudaMallocHost returns, and a copy reads or writes them when its stream gets
/// there. The device has them at an address of its own, which copies and fills are translated to. When the
/// last range of a page is unregistered, the page gets memory of this process again. A thread that writes to
/// such a page in the very moment may lose what it writes.
namespace warplings::runtime {

Outcome RegisterHostMemory(Runtime& runtime, void* pointer, std::size_t bytes);
Outcome UnregisterHostMemory(Runtime& runtime, void* pointer);
/// The device has been reset.
void ForgetRegisteredMemory(Runtime& runtime, std::size_t device);

/// Whether all the bytes are in one registered range.
bool IsRegistered(Runtime& runtime, const void* pointer, std::size_t bytes);
/// Where the device has registered memory, and how many bytes lie there one behind the other. Two ranges that
/// share a page may make this less than the range.
struct RegisteredPlace {
  DevicePointer address = 0;
  std::size_t bytes = 0;
  std::size_t device = 0;
};
RegisteredPlace FindRegistered(const void* pointer);

/// Whether the device reaches one side of a copy by itself: its own memory, or pinned memory. A side is
/// registered as a whole or not at all.
bool ReachesTarget(Runtime& runtime, const Rectangle& shape);
bool ReachesSource(Runtime& runtime, const Rectangle& shape);
/// Whether a copy begins in a registered range and goes on past its end, which a card refuses.
bool LeavesRegistered(Runtime& runtime, const Rectangle& shape);

}  // namespace warplings::runtime
