// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/device.h"

namespace warplings::vgpu {

class GlobalMemory;

/// The addresses that all virtual GPUs of this process have their memory at: one reserved range, as unified
/// addressing has it, so that an address says whose memory it is. In it, device address and host address are
/// the same number: an access needs a bounds check but no translation, and managed memory has one address
/// everywhere.
///
/// A shadow with one byte for every 4-byte word holds which of its bytes were written (bits 0 to 3).
class AddressSpace {
 public:
  static constexpr DevicePointer kBase = 0x3000'0000'0000;
  static constexpr std::uint64_t kReservedBytes = std::uint64_t{1} << 40;

  static Result<std::shared_ptr<AddressSpace>> Create();
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Start of `bytes` addresses that nobody has had before; nothing where they are used up.
  std::optional<DevicePointer> Reserve(std::uint64_t bytes, std::uint64_t alignment);
  std::uint8_t* shadow() const { return shadow_; }

  /// The memories of the cards, in the order of their ordinals. Each enters and leaves by itself.
  std::vector<GlobalMemory*> memories;

 private:
  AddressSpace() = default;

  DevicePointer next_ = kBase;
  std::byte* arena_ = nullptr;
  std::uint8_t* shadow_ = nullptr;
};

}  // namespace warplings::vgpu
