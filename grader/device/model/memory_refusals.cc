// SPDX-License-Identifier: Apache-2.0
#include "grader/device/model/memory_refusals.h"

#include <string>
#include <utility>

namespace warplings {
namespace {

CudaFault InvalidAddress(std::string message) {
  return {CudaError::kInvalidValue, std::move(message)};
}

}  // namespace

CudaFault NotLiveMemory() {
  return InvalidAddress(
      "The device pointer is not in live device memory: was it allocated with cudaMalloc, "
      "and not freed yet?");
}

CudaFault PastTheEnd(std::uint64_t bytes, std::uint64_t offset, std::uint64_t size) {
  return InvalidAddress(std::to_string(bytes) + " bytes were asked for where " +
                        std::to_string(size - offset) + " are left to the end of the allocation of " +
                        std::to_string(size) + " bytes.");
}

CudaFault NotAnAllocation() {
  return InvalidAddress("The address is not one that cudaMalloc returned, or has been freed already.");
}

CudaFault InsideAnAllocation(std::uint64_t offset) {
  return InvalidAddress("The address lies inside an allocation, " + std::to_string(offset) +
                        " bytes after its start; only the start can be freed.");
}

CudaFault CallersMemory() {
  return InvalidAddress("The memory belongs to the caller of this function: it may be used, not freed.");
}

}  // namespace warplings
