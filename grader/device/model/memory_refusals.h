// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "grader/device/device.h"

/// How a request about memory is refused. The ledger decides whether a client may name memory. A backend
/// checks addresses again, because memory can be freed while work on it waits in a stream, and uses the same
/// words.
namespace warplings {

/// The address is in no allocation and no variable that the caller may use.
CudaFault NotLiveMemory();
/// The address is not in the allocation of `size` bytes in front of it, but so near that no other can be
/// there.
CudaFault JustPastAllocation(std::uint64_t offset, std::uint64_t size);
/// `bytes` bytes from `offset` on pass the end of an allocation of `size` bytes.
CudaFault PastTheEnd(std::uint64_t bytes, std::uint64_t offset, std::uint64_t size);
/// A free of something that is not an allocation of the caller's.
CudaFault NotAnAllocation();
/// A free of an address `offset` bytes after an allocation's start.
CudaFault InsideAnAllocation(std::uint64_t offset);
/// A submission's free of the judge's memory.
CudaFault CallersMemory();

}  // namespace warplings
