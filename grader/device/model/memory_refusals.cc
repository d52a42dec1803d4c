// SPDX-License-Identifier: Apache-2.0
#include "grader/device/model/memory_refusals.h"

#include <utility>

#include "grader/messages/refusals.h"

namespace warplings {
namespace {

CudaFault InvalidAddress(Message message) {
  return {CudaError::kInvalidValue, std::move(message)};
}

say::Count Bytes(std::uint64_t number) {
  return {number, "byte"};
}

}  // namespace

CudaFault NotLiveMemory() {
  return InvalidAddress(say::not_live_memory());
}

CudaFault JustPastAllocation(std::uint64_t offset, std::uint64_t size) {
  return InvalidAddress(say::past_an_allocation(Bytes(offset), Bytes(size)));
}

CudaFault PastTheEnd(std::uint64_t bytes, std::uint64_t offset, std::uint64_t size) {
  if (offset == 0) return InvalidAddress(say::larger_than_allocation(Bytes(bytes), Bytes(size)));
  return InvalidAddress(say::past_end_of_allocation(Bytes(bytes), Bytes(size - offset), Bytes(size)));
}

CudaFault NotAnAllocation() {
  return InvalidAddress(say::not_an_allocation());
}

CudaFault InsideAnAllocation(std::uint64_t offset) {
  return InvalidAddress(say::inside_an_allocation(Bytes(offset)));
}

CudaFault CallersMemory() {
  return InvalidAddress(say::callers_memory());
}

}  // namespace warplings
