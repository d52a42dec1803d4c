// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "grader/base/unique_fd.h"

namespace warplings::cuda_gpu {

/// Host memory that the client maps at the same address, for managed and pinned allocations: the card reaches
/// it because the driver registers it (cuMemHostRegister), the client because it has the descriptor. Every
/// access of the card goes over the bus, which is slow and right.
class SharedHostMemory {
 public:
  /// `bytes` of zeros, rounded up to whole pages, sealed against resizing; nothing where the system has none.
  static std::optional<SharedHostMemory> Create(std::uint64_t bytes);
  SharedHostMemory(SharedHostMemory&& other) noexcept;
  SharedHostMemory& operator=(SharedHostMemory&&) = delete;
  ~SharedHostMemory();

  std::uint64_t address() const { return address_; }
  std::uint64_t mapped_bytes() const { return bytes_; }
  int fd() const { return fd_.get(); }

 private:
  SharedHostMemory() = default;

  UniqueFd fd_;
  std::uint64_t address_ = 0, bytes_ = 0;
};

}  // namespace warplings::cuda_gpu
