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

/// The address range in which all virtual GPUs of this process have their memory. It is shared, as with
/// unified addressing, so an address identifies the device. Device and host addresses are equal: an access
/// needs a bounds check but no translation, and managed memory has the same address everywhere. Where the
/// range begins depends on a seed, so that nobody can know addresses before memory is allocated.
///
/// The range is a single readable and writable mapping, of which the system provides only the touched pages.
/// So an allocation needs no mapping of its own, of which a process can have only about 65,000
/// (vm.max_map_count). Only managed and pinned memory, which a client maps as well, has separate mappings.
///
/// A shadow byte for every 4-byte word records which of its bytes have been written (bits 0 to 3).
class AddressSpace {
 public:
#ifdef WARPLINGS_THREAD_SANITIZER
  // The race records take 32 times as much address space, and ThreadSanitizer leaves a program only 1.5 TiB.
  static constexpr DevicePointer kUsualBase = kFirstDeviceAddress;
  static constexpr std::uint64_t kReservedBytes = std::uint64_t{8} << 30;
#elif defined(__SANITIZE_ADDRESS__)
  // AddressSanitizer's own shadow and heap leave no 36 TiB in one piece for the race records of 1 TiB,
  // wherever the seed places it.
  static constexpr DevicePointer kUsualBase = 0x3000'0000'0000;
  static constexpr std::uint64_t kReservedBytes = std::uint64_t{1} << 39;
#else
  static constexpr DevicePointer kUsualBase = 0x3000'0000'0000;
  static constexpr std::uint64_t kReservedBytes = std::uint64_t{1} << 40;
#endif

  /// `seed`: decides where the range begins and what fresh memory holds; 0: at kUsualBase, and zeros.
  static Result<std::shared_ptr<AddressSpace>> Create(std::uint64_t seed = 0);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  /// Reserves at least `bytes` unused addresses, whose memory and shadow are zero, and returns the start;
  /// nothing if there is no such range left. `alignment` must be a power of two.
  std::optional<DevicePointer> Reserve(std::uint64_t bytes, std::uint64_t alignment);
  /// Frees the addresses that Reserve(`bytes`) returned, so that they can be reserved again. Call Discard
  /// first.
  void Release(DevicePointer start, std::uint64_t bytes);
  /// Returns memory, shadow and other records of these addresses to the system; all are zero afterwards.
  /// `start` and `bytes` as for Release.
  void Discard(DevicePointer start, std::uint64_t bytes);

  /// Maps a file's memory at these addresses; false if the system or this process has no room for it.
  bool MapShared(DevicePointer start, std::uint64_t bytes, int fd);
  /// Removes that mapping. False (out of memory) if it still exists; then the addresses must not be reused.
  [[nodiscard]] bool UnmapShared(DevicePointer start, std::uint64_t bytes);

  DevicePointer base() const {
    return base_;
  }
  /// What each word of memory holds that was allocated and not yet written.
  std::uint32_t fresh_word() const {
    return fresh_word_;
  }
  std::uint8_t* shadow() const {
    return shadow_;
  }

  /// The memories of the cards by ordinal. Each registers and unregisters itself.
  std::vector<GlobalMemory*> memories;
  /// Called by Discard, for records about these addresses that are stored elsewhere.
  std::function<void(DevicePointer start, std::uint64_t bytes)> on_discard;
  /// The same of memory that was made fresh again without that.
  std::function<void(DevicePointer start, std::uint64_t bytes)> on_wipe;

 private:
  /// Ranges are multiples of this, so that no two share a page of the shadow (4 KiB for 16 KiB of memory).
  static constexpr std::uint64_t kUnit = 16 * 1024;
  static constexpr std::uint64_t kHugePage = 2 << 20;
  /// Requests smaller than this are placed in the first part of the range, for which huge pages are disabled:
  /// otherwise one byte could take 2 MiB.
  static constexpr std::uint64_t kLargeBytes = 2 * kHugePage;
#ifdef WARPLINGS_THREAD_SANITIZER
  static constexpr std::uint64_t kSmallZoneBytes = kReservedBytes / 2;  ///< Room for a heap of 50,000 pieces.
#else
  static constexpr std::uint64_t kSmallZoneBytes = kReservedBytes / 4;
#endif
  /// Limit on separate mappings. Each costs up to two: itself and the part of the range that it splits off.
  static constexpr std::size_t kMaximumShared = 16'384;

  AddressSpace() = default;
  FreeRanges& ZoneOf(std::uint64_t bytes) {
    return bytes < kLargeBytes ? small_ : large_;
  }

  DevicePointer base_ = 0;
  std::uint32_t fresh_word_ = 0;
  FreeRanges small_{kUnit}, large_{kHugePage};
  std::size_t shared_mappings_ = 0;
  std::byte* arena_ = nullptr;
  std::uint8_t* shadow_ = nullptr;
};

}  // namespace warplings::vgpu
