// SPDX-License-Identifier: Apache-2.0
#include "grader/cuda_gpu/shared_host_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace warplings::cuda_gpu {
namespace {

constexpr std::uint64_t kPage = 4096;
/// Far from where programs, libraries and the driver put things, so that the address is free in the client,
/// too.
constexpr std::uint64_t kFirstAddress = 0x2100'0000'0000, kLastAddress = 0x2fff'0000'0000;

}  // namespace

std::optional<SharedHostMemory> SharedHostMemory::Create(std::uint64_t bytes) {
  static std::uint64_t next = kFirstAddress;
  SharedHostMemory memory;
  memory.bytes_ = (std::max<std::uint64_t>(bytes, 1) + kPage - 1) / kPage * kPage;
  if (memory.bytes_ > kLastAddress - next) return std::nullopt;
  memory.fd_ = UniqueFd(memfd_create("warplings-shared", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (memory.fd_.get() < 0 || ftruncate(memory.fd_.get(), static_cast<off_t>(memory.bytes_)) != 0)
    return std::nullopt;
  // Sealed, so that a client that shrinks it cannot make this process fault.
  fcntl(memory.fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  void* at = mmap(reinterpret_cast<void*>(next), memory.bytes_, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED_NOREPLACE, memory.fd_.get(), 0);
  if (at != reinterpret_cast<void*>(next)) return std::nullopt;
  memory.address_ = next;
  next += memory.bytes_ + kPage;
  return memory;
}

SharedHostMemory::SharedHostMemory(SharedHostMemory&& other) noexcept
    : fd_(std::move(other.fd_)), address_(std::exchange(other.address_, 0)), bytes_(other.bytes_) {}

SharedHostMemory::~SharedHostMemory() {
  if (address_ != 0) munmap(reinterpret_cast<void*>(address_), bytes_);
}

}  // namespace warplings::cuda_gpu
