// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "grader/base/result.h"
#include "grader/device/device.h"
#include "grader/virtual_gpu/memory/free_ranges.h"

namespace warplings::vgpu {

class GlobalMemory;

/// The addresses that all virtual GPUs of this process have their memory at: one reserved range, as unified
/// addressing has it, so that an address says whose memory it is. In it, device address and host address are
/// the same number: an access needs a bounds check but no translation, and managed memory has one address
/// everywhere.
///
/// All of it is one mapping, readable and writable, of which the machine provides the pages that are touched:
/// an allocation costs no mapping of its own, of which a process may have some 65,000 (vm.max_map_count).
/// Only managed and pinned memory, which a client maps as well, is mapped piece by piece.
///
/// A shadow with one byte for every 4-byte word holds which of its bytes were written (bits 0 to 3).
class AddressSpace {
 public:
#ifdef WARPLINGS_THREAD_SANITIZER
  // The records of races take 32 times these addresses, of which ThreadSanitizer leaves a program 1.5 TiB.
  static constexpr DevicePointer kBase = kFirstDeviceAddress;
  static constexpr std::uint64_t kReservedBytes = std::uint64_t{8} << 30;
#else
  static constexpr DevicePointer kBase = 0x3000'0000'0000;
  static constexpr std::uint64_t kReservedBytes = std::uint64_t{1} << 40;
#endif

  static Result<std::shared_ptr<AddressSpace>> Create();
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Start of at least `bytes` addresses that nobody has, of which memory and shadow are zero; nothing where
  /// they are used up. `alignment`: a power of two.
  std::optional<DevicePointer> Reserve(std::uint64_t bytes, std::uint64_t alignment);
  /// Gives back what Reserve(`bytes`) returned, after Discard: others may get these addresses from now on.
  void Release(DevicePointer start, std::uint64_t bytes);
  /// Gives memory, shadow and whatever else is kept of these addresses back to the machine; all are zero
  /// afterwards. `start` and `bytes` as for Reserve.
  void Discard(DevicePointer start, std::uint64_t bytes);

  /// Puts a file's memory at these addresses; false where the machine, or this process, has no room for it.
  bool MapShared(DevicePointer start, std::uint64_t bytes, int fd);
  /// Takes it away again. False (out of memory) where it is still there, so that nobody may get its
  /// addresses.
  [[nodiscard]] bool UnmapShared(DevicePointer start, std::uint64_t bytes);

  std::uint8_t* shadow() const {
    return shadow_;
  }

  /// The memories of the cards, in the order of their ordinals. Each enters and leaves by itself.
  std::vector<GlobalMemory*> memories;
  /// Called by Discard for records that others keep of these addresses.
  std::function<void(DevicePointer start, std::uint64_t bytes)> on_discard;

 private:
  /// Ranges are whole units, so that each has whole pages of the shadow for itself (4 KiB for 16 KiB).
  static constexpr std::uint64_t kUnit = 16 * 1024;
  static constexpr std::uint64_t kHugePage = 2 << 20;
  /// Requests below this size lie together in the first part of the range, where the machine gives no huge
  /// pages: for one byte it would give 2 MiB.
  static constexpr std::uint64_t kLargeBytes = 2 * kHugePage;
  static constexpr std::uint64_t kSmallZoneBytes = kReservedBytes / 4;
  /// Each is up to two mappings: itself, and what it cuts off of the range.
  static constexpr std::size_t kMaximumShared = 16'384;

  AddressSpace();
  FreeRanges& ZoneOf(std::uint64_t bytes) {
    return bytes < kLargeBytes ? small_ : large_;
  }

  FreeRanges small_{kUnit}, large_{kHugePage};
  std::size_t shared_mappings_ = 0;
  std::byte* arena_ = nullptr;
  std::uint8_t* shadow_ = nullptr;
};

}  // namespace warplings::vgpu
