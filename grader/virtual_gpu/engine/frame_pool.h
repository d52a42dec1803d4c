// SPDX-License-Identifier: Apache-2.0
// Part of engine_level.cc: the registers of called functions.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "grader/virtual_gpu/machine/lanes.h"

namespace warplings::vgpu::WARPLINGS_LEVEL {

/// Register frames of called functions: they are reused and never move.
class FramePool {
 public:
  /// Null if calls nest too deeply.
  std::byte* Take(u32 bytes) {
    auto& unused = unused_[bytes];
    if (unused.empty()) {
      if (total_ + bytes > kMaximumBytes) return nullptr;
      total_ += bytes;
      all_.push_back(std::make_unique<std::byte[]>(bytes + 64));
      return Aligned(all_.back().get());
    }
    std::byte* frame = unused.back();
    unused.pop_back();
    return frame;
  }
  void Release(u32 bytes, std::byte* frame) { unused_[bytes].push_back(frame); }

  static std::byte* Aligned(std::byte* p) {
    return reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(p) + 63) & ~std::uintptr_t{63});
  }

 private:
  static constexpr std::size_t kMaximumBytes = std::size_t{256} << 20;
  std::map<u32, std::vector<std::byte*>> unused_;
  std::vector<std::unique_ptr<std::byte[]>> all_;
  std::size_t total_ = 0;
};

}  // namespace warplings::vgpu::WARPLINGS_LEVEL
