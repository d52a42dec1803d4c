// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "grader/base/unique_fd.h"

namespace warplings {

/// Memory shared by two processes: the staging buffer of a connection. Its creator seals it against resizing,
/// because a process that could truncate it could kill the other one with SIGBUS.
class SharedMemory {
 public:
  SharedMemory() = default;
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  /// Creates sealed memory of `bytes` zero bytes; not valid() if the system has none left.
  static SharedMemory Create(std::uint64_t bytes);
  /// Maps memory that the other side created; not valid() unless `fd` is sealed and at least `bytes` long.
  static SharedMemory Map(UniqueFd fd, std::uint64_t bytes);

  bool valid() const { return data_ != nullptr; }
  int fd() const { return fd_.get(); }
  std::span<std::byte> bytes() const { return {data_, size_}; }

 private:
  UniqueFd fd_;
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// True if the memory of `fd` can never shrink.
bool IsSealedAgainstShrinking(int fd);

}  // namespace warplings
