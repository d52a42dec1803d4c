// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "grader/base/unique_fd.h"

namespace warplings::cuda_gpu {

/// Host memory for managed and pinned allocations, which the client maps at the same address. The card can
/// access it because the driver registers it (cuMemHostRegister), and the client because it has the
/// descriptor. Every access of the card goes over the bus, which is slow but correct.
class SharedHostMemory {
 public:
  /// Creates `bytes` zero bytes, rounded up to whole pages and sealed against resizing; nothing if the system
  /// has none left.
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
