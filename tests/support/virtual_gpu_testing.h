// SPDX-License-Identifier: Apache-2.0
// For tests and benchmarks: a virtual GPU with kernels given as PTX text.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/virtual_gpu/virtual_gpu.h"

namespace warplings::vgpu {

/// A fatbin container with one uncompressed PTX entry (see fatbin/fatbin.h).
inline std::vector<std::byte> WrapPtx(std::string_view text, std::uint32_t sm = 80) {
  const std::uint64_t payload = (text.size() + 8) / 8 * 8;
  constexpr std::uint32_t kEntryHeader = 64, kFatbinHeader = 16;
  std::vector<std::byte> bytes(kFatbinHeader + kEntryHeader + payload);
  auto put = [&](std::size_t at, auto value) { std::memcpy(bytes.data() + at, &value, sizeof value); };
  put(0, std::uint32_t{0xBA55ED50});
  put(4, std::uint16_t{1});
  put(6, std::uint16_t{kFatbinHeader});
  put(8, std::uint64_t{kEntryHeader + payload});
  put(kFatbinHeader + 0, std::uint16_t{1});  // PTX
  put(kFatbinHeader + 2, std::uint16_t{0x101});
  put(kFatbinHeader + 4, kEntryHeader);
  put(kFatbinHeader + 8, payload);
  put(kFatbinHeader + 28, sm);
  std::memcpy(bytes.data() + kFatbinHeader + kEntryHeader, text.data(), text.size());
  return bytes;
}

/// A block of kernel arguments, aligned as the ABI requires.
class Arguments {
 public:
  template <class T>
  Arguments& Add(T value) {
    bytes_.resize((bytes_.size() + alignof(T) - 1) / alignof(T) * alignof(T));
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

template <class T>
std::span<const std::byte> AsBytes(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

}  // namespace warplings::vgpu
