// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grader/base/result.h"

/// Device code as nvcc embeds it into a program, and what can be learnt from programs and cubins
/// without running them. All bytes are hostile: every offset and length is checked before use.
namespace warplings::fatbin {

/// No entry may unpack to more than this.
inline constexpr std::uint64_t kMaxPayloadBytes = std::uint64_t{64} << 20;
inline constexpr std::size_t kMaxEntries = 1024;

enum class EntryKind : std::uint8_t { kPtx, kCubin };
enum class Compression : std::uint8_t { kNone, kZstd, kLz4 };

/// One image of a fatbin: the same device code for one architecture, as text or as machine code.
/// Images of other kinds (LTO intermediate code, …) are left out when a fatbin is read.
struct Entry {
  EntryKind kind = EntryKind::kPtx;
  int sm = 0;                                ///< 80 for sm_80 or compute_80.
  int version_major = 0, version_minor = 0;  ///< Of PTX: its ISA; of cubins: of their format.
  Compression compression = Compression::kNone;
  std::uint64_t raw_bytes = 0;        ///< Size when unpacked.
  std::span<const std::byte> stored;  ///< As it lies in the container, which must outlive the entry.
};

/// The entries of a container (0xBA55ED50 …), in its order. Bytes behind its own length are ignored.
Result<std::vector<Entry>> ReadFatbin(std::span<const std::byte> container);

/// The unpacked image.
Result<std::vector<std::byte>> Unpack(const Entry& entry);
/// The unpacked image of a PTX entry as text, without the zero bytes that pad it.
Result<std::string> UnpackPtx(const Entry& entry);

/// The PTX with the highest architecture that a device of compute capability `sm` (80 for 8.0) runs;
/// the error lists what there is and says how to compile.
Result<Entry> SelectPtx(std::span<const Entry> entries, int sm);

/// The cubin that such a device runs: same major, highest minor that is not above the device's. None is
/// no error: programs may well bring PTX alone.
std::optional<Entry> SelectCubin(std::span<const Entry> entries, int sm);

}  // namespace warplings::fatbin
