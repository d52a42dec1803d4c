// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/base/unique_fd.h"

namespace warplings {

/// A piece of memory that two processes see: the staging buffer of a connection. Its maker seals it
/// against resizing, because whoever could truncate it could kill the other side with SIGBUS.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  /// New memory of `bytes` zeros, sealed; not valid() where the system has none.
  static SharedMemory Create(std::uint64_t bytes);
  /// Maps what the other side made; not valid() if `fd` does not hold `bytes` for good.
  static SharedMemory Map(UniqueFd fd, std::uint64_t bytes);

  bool valid() const { return data_ != nullptr; }
  int fd() const { return fd_.get(); }
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  UniqueFd fd_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Whether the memory behind `fd` can never become shorter.
bool IsSealedAgainstShrinking(int fd);

}  // namespace warplings
